import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type Decision, decisions } from '../../../src/import/map/language.ts';
import { parseMappingFile } from '../../../src/import/map/mapping-file.ts';
import type { PlanOptions } from '../../../src/import/orders/plan-import.ts';
import { textField } from '../../../src/orders/order.ts';
import { plan, tableOf } from '../tables.ts';

const columns = { externalOrderId: 'No', 'customer.phone': 'Phone', 'items[].sku': 'Code' };
const header = 'No|Phone|Code|Total|Due|Paid|Estado|Pago|Envío|Moneda';

function mappingOf(values: Record<string, Record<string, Decision>>, more: object = {}) {
  const amounts = { amount_due: 'Due', amount_paid: ['Paid'] };
  const text = JSON.stringify({ columns: { ...columns, total: 'Total' }, ...amounts, values, ...more });
  return parseMappingFile(text, 'map.json');
}

/** `COLLECT 500`, `NONE`, `left out: unpaid`, or the codes of the errors. */
async function outcomes(rows: string[], options: Partial<PlanOptions>): Promise<string[]> {
  const { all } = await plan(tableOf(header, ...rows), options);
  return all.map(({ order, problems, leftOut }) => {
    if (leftOut !== undefined) return `left out: ${leftOut}`;
    const errors = problems.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) return errors.map(({ code }) => code).join(' ');
    return [textField(order, 'collectionMode'), textField(order, 'collectionAmount')]
      .filter((text) => text !== undefined)
      .join(' ');
  });
}

const pago = { 'Contra reembolso': 'collect', Tarjeta: 'prepaid', Pendiente: 'deliver' } as const;
const estado = { Nuevo: 'deliver', Cancelado: 'leave_out', Raro: 'leave_out' } as const;

describe('what the values of columns mean', () => {
  it.each([
    ['the amount due', '900|500|||Contra reembolso||', 'COLLECT 500'],
    ['the total without an amount due', '900||||contra  REEMBOLSO||', 'COLLECT 900'],
    ['the total less what is paid', '900||100||Contra reembolso||', 'COLLECT 800'],
    ['no amount', '||||Contra reembolso||', 'amount_due_missing'],
    ['nothing due of an order to collect', '900|0|||Contra reembolso||', 'due_contradicts_status'],
    ['a prepaid order', '900|0|||Tarjeta||', 'NONE'],
    ['an amount due of a prepaid order', '900|10|||Tarjeta||', 'due_contradicts_status'],
    ['nothing said, and nothing due', '900|0|||Pendiente||', 'NONE'],
    ['nothing said', '900||||Pendiente||', 'payment_open'],
    ['another value', '900||||Bizum||', 'value_unknown'],
    ['a blank payment', '900||||||', 'value_unknown'],
    ['another state', '900|||Perdido|Tarjeta||', 'value_unknown'],
    ['a state in two columns', '900|||Perdido|Bizum||', 'value_unknown value_unknown'],
    ['a state that is left out, whatever the payment', '900|||cancelado|Bizum||', 'left out: cancelled'],
    ['a state whose text says no reason', '900|||Raro|Tarjeta||', 'left out: rule'],
    ['a state that is delivered', '900|||Nuevo|Tarjeta||', 'NONE'],
    ['pickup that is delivered', '900||||Tarjeta|Recogida en tienda|', 'NONE'],
    ['pickup that is left out', '900||||Tarjeta|Retiro en local|', 'left out: pickup'],
    ['another currency', '900||||Tarjeta||USD', 'currency_not_mnt'],
    ['another currency that is left out', '900||||Tarjeta||EUR', 'left out: rule'],
    ['tugrik', '900||||Tarjeta||MNT', 'NONE'],
  ])('%s', async (_, cells, expected) => {
    const map = mappingOf(
      {
        Estado: estado,
        Pago: pago,
        Envío: { 'Recogida en tienda': 'deliver', 'Retiro en local': 'leave_out' },
        Moneda: { USD: 'deliver', MNT: 'deliver', EUR: 'leave_out' },
      },
      { shipping_method: 'Envío' },
    );
    expect(await outcomes([`1|99112233|TEA-001|${cells}`], { map })).toEqual([expected]);
  });

  it.each([
    ['Transferencia', 'left out: unpaid'],
    ['Reembolsado', 'left out: refunded'],
    ['', 'NONE'],
    ['2026-11-02', 'NONE'],
  ])('reads "%s" in a column about the payment as %s', async (cell, expected) => {
    const listed = {
      Transferencia: 'leave_out',
      Reembolsado: 'leave_out',
      '': 'prepaid',
      '*': 'prepaid',
    } as const;
    const rows = [`1|99112233|TEA-001|900||||${cell}||`];
    expect(await outcomes(rows, { map: mappingOf({ Pago: listed }) })).toEqual([expected]);
  });

  it.each([
    [
      'prepaid',
      ['2026-11-02', 'by card', 'yes'],
      ['-', '0000-00-00', 'n/a', 'no', 'cash', 'COD', 'pending', 'cancelled'],
    ],
    ['collect', ['by courier', 'COD'], ['0', 'null', 'paid', 'refunded']],
    ['deliver', ['new', '2026-11-02'], ['-', 'cancelled', 'COD', 'local pickup']],
    ['leave_out', ['2026-11-02', 'cancelled'], ['-', '0000-00-00 00:00:00', 'no']],
  ] as const)(
    'takes no text for "*": %s that says nothing, or something else',
    async (decision, taken, refused) => {
      const map = mappingOf({ Estado: { '*': decision }, Pago: pago });
      const read = async (text: string) =>
        (await outcomes([`1|99112233|TEA-001|900|||${text}|Tarjeta||`], { map }))[0]?.includes(
          'value_unknown',
        );
      for (const text of taken) expect([text, await read(text)]).toEqual([text, false]);
      for (const text of refused) expect([text, await read(text)]).toEqual([text, true]);
    },
  );

  it('asks the columns about the payment in the order of the mapping', async () => {
    const row = '1|99112233|TEA-001|900|||Pendiente|Tarjeta||';
    const state = { Pendiente: 'collect', Pagado: 'prepaid' } as const;
    const first = mappingOf({ Estado: state, Pago: pago });
    const last = mappingOf({ Pago: pago, Estado: state });
    expect(await outcomes([row], { map: first })).toEqual(['COLLECT 900']);
    expect(await outcomes([row], { map: last })).toEqual(['NONE']);
  });

  it('sends an order whose reason is included', async () => {
    const rows = ['1|99112233|TEA-001|900|||Cancelado|Tarjeta||'];
    const map = mappingOf({ Estado: estado, Pago: pago });
    expect(await outcomes(rows, { map, include: ['cancelled'] })).toEqual(['NONE']);
  });

  it('does not choose between two rows of an order', async () => {
    const rows = ['1|99112233|TEA-001|900||||Tarjeta||', '1||TEA-002|||||Contra reembolso||'];
    expect(await outcomes(rows, { map: mappingOf({ Pago: pago }) })).toEqual(['field_conflict']);
  });

  it('names the line to add, and counts the orders that need it', async () => {
    const rows = ['1|99112233|TEA-001|900||||Bizum||', '2|99112234|TEA-001|900||||Bizum||'];
    const { problems } = await plan(tableOf(header, ...rows), { map: mappingOf({ Pago: pago }) });
    expect(problems).toMatchObject([{ first: { header: 'Pago', value: 'Bizum' }, others: 1 }]);
    expect(problems[0]?.first.problem).toBe('"Bizum" is not among the values that the mapping lists');
    expect(problems[0]?.first.fix).toContain('"Pago": {"Bizum": "collect"}');
  });

  it('takes a column that it lists from the preset of the shop', async () => {
    const table = (status: string, method: string) =>
      tableOf(
        'Name|Financial Status|Payment Method|Total|Outstanding Balance|Shipping Phone|Shipping Street|Lineitem quantity|Lineitem sku|Lineitem name',
        `#1|${status}|${method}|900||99112233|Ikh toiruu 1|1|TEA-001|Tea`,
      );
    const map = parseMappingFile(
      '{"values": {"Financial Status": {"paid": "leave_out", "pending": "deliver"}, "Payment Method": {"COD": "prepaid"}}}',
      'map.json',
    );
    const read = async (status: string) => {
      const { all } = await plan(table(status, 'COD'), { map, preset: 'shopify' });
      return all.map(({ order, leftOut }) => leftOut ?? textField(order, 'collectionMode'));
    };
    expect(await read('paid')).toEqual(['rule']);
    expect(await read('pending')).toEqual(['NONE']);
  });
});

const texts = ['A', 'b', 'C d', ''];
const someDecisions = fc.dictionary(
  fc.constantFrom(...texts, '*'),
  fc.constantFrom('deliver' as const, ...decisions),
  {
    minKeys: 1,
  },
);
const options = fc.record({
  unpaid: fc.constantFrom(undefined, 'collect', 'prepaid', 'leave-out'),
  constant: fc.constantFrom(undefined, 'NONE', 'COLLECT'),
});

test('random decisions about random values are read as the documentation says', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('Estado', 'Pago', 'Envío'), someDecisions), { maxLength: 3 }),
      fc.array(fc.tuple(...Array.from({ length: 3 }, () => fc.constantFrom('a', 'B', 'c  D', 'e', ''))), {
        minLength: 1,
        maxLength: 5,
      }),
      options,
      async (listed, cells, { unpaid, constant }) => {
        const values = Object.fromEntries(listed);
        if (!isAboutPayment(values)) return;
        const rows = cells.map((row, index) => `${index}|99112233|TEA-001|900|||${row.join('|')}|`);
        const constants = constant === undefined ? [] : [{ path: ['collectionMode'], value: constant }];
        const found = await outcomes(rows, { map: mappingOf(values), unpaid, constants });
        const expected = cells.map(([state, pay, ship]) =>
          reference(values, { Estado: state, Pago: pay, Envío: ship }, unpaid, constant),
        );
        expect(found).toEqual(expected);
        for (const outcome of expected) seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      },
    ),
    { numRuns: 400 },
  );
  for (const outcome of [
    'COLLECT 900',
    'NONE',
    'left out: rule',
    'left out: unpaid',
    'value_unknown',
    'payment_open',
  ])
    expect(seen.get(outcome), outcome).toBeGreaterThan(0);
});

type Values = Record<string, Record<string, Decision>>;

function isAboutPayment(values: Values, name?: string): boolean {
  const lists = name === undefined ? Object.values(values) : [values[name] ?? {}];
  return lists.some((list) => Object.values(list).some((said) => said === 'collect' || said === 'prepaid'));
}

/** The contract of "Mapping files" in docs/import.md, written down a second time. */
function reference(
  values: Values,
  cells: Record<string, string | undefined>,
  unpaid: string | undefined,
  constant: string | undefined,
): string {
  const plain = (text: string) => text.toLowerCase().replace(/\s+/g, ' ');
  const said = Object.entries(values).map(([name, list]) => {
    const cell = plain(cells[name] ?? '');
    const exact = Object.keys(list).find((text) => plain(text) === cell);
    const rest = cell !== '' && '*' in list ? list['*'] : undefined;
    const pays = isAboutPayment(values, name);
    const decision = exact === undefined ? rest : list[exact];
    return { pays, decision: decision ?? (cell === '' && !pays ? 'deliver' : undefined) };
  });
  const payments = said.filter(({ pays }) => pays).map(({ decision }) => decision);
  const states = said.filter(({ pays }) => !pays).map(({ decision }) => decision);
  if (states.includes('leave_out')) return 'left out: rule';
  const isKnown = !payments.includes(undefined);
  const first = payments.find((decision) => decision !== 'deliver');
  if (isKnown && first === 'leave_out') return 'left out: unpaid';
  const unknown = [...payments, ...states].filter((decision) => decision === undefined);
  const isOpen = isKnown && first === undefined;
  if (isOpen && unpaid === 'leave-out') return 'left out: unpaid';
  const open = isOpen && (unpaid ?? constant) === undefined ? ['payment_open'] : [];
  if (unknown.length > 0) return [...unknown.map(() => 'value_unknown'), ...open].join(' ');
  if (first === 'collect') return 'COLLECT 900';
  if (first === 'prepaid') return 'NONE';
  if (unpaid !== undefined) return unpaid === 'collect' ? 'COLLECT 900' : 'NONE';
  if (constant !== undefined) return constant === 'COLLECT' ? 'COLLECT 900' : 'NONE';
  return 'payment_open';
}
