import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMappingFile } from '../../../src/import/mapping/mapping-file.ts';
import type { PlanOptions } from '../../../src/import/orders/plan.ts';
import { type Decision, decisions } from '../../../src/import/words/verdict.ts';
import { textField } from '../../../src/orders/order.ts';
import { plan, tableOf } from '../tables.ts';

const columns = { externalOrderId: 'Ref', 'customer.phone': 'Phone', 'items[].sku': 'Code' };
const header = 'Ref|Phone|Code|Total|Due|Paid|Estado|Pago|Envío|Moneda';

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
    { numRuns: 150 },
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
