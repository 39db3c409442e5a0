import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { headerErrors, outcomes, planRows, type RowsOptions } from '../plan-rows.ts';
import cases from './unread-columns.json' with { type: 'json' };

const prepaid = ['--set', 'collectionMode=NONE'];
const ignoreRest = '--ignore-rest';
const base = 'externalOrderId|customer.phone|items[].sku';
const mapped = (rule: string) => ['--map-column', rule];

/** Orders with other cells in one more column, or in several with `|` between them. */
const orders = (...cells: string[]) =>
  cells.map((cell, index) => `A-${index}|9911223${index}|TEA-001|${cell}`);

function plan(column: string, cells: string[], flags: string[] = prepaid, map?: RowsOptions['map']) {
  return planRows([`${base}|${column}`, ...orders(...cells)], { flags, map });
}

/** Headers and values with the error that they are, or two texts of one column. */
function rowsOf(kind: string): [name: string, value: string, code: string][] {
  const rows: string[][] = parse(readFileSync(new URL('unread-columns.csv', import.meta.url)));
  return rows
    .filter(([name]) => name === kind)
    .map(([, name = '', value = '', code = '']) => [name, value, code]);
}

describe('a column that means something and that nothing reads', () => {
  it.each(rowsOf('error'))('is an error of the header: %s with %s', async (name, value, code) => {
    for (const flags of [prepaid, [...prepaid, ignoreRest]]) {
      const found = await plan(name, [value], flags);
      expect(headerErrors(found)).toEqual([`${code} ${name}`]);
      expect(found.problems[0]?.problem).toContain(value);
      expect(found.error?.code).toBe('file_invalid');
    }
  });

  it.each(rowsOf('covered'))(
    'changes nothing, and --ignore-rest covers it: %s with %s',
    async (name, value) => {
      expect(headerErrors(await plan(name, [value]))).toEqual(value === '' ? [] : ['columns_undecided']);
      const found = await plan(name, [value], [...prepaid, ignoreRest]);
      expect([headerErrors(found), outcomes(found)]).toEqual([[], ['NONE']]);
    },
  );

  it.each([
    ['Cancelled', 'column_unread (state)'],
    ['Төлсөн', 'column_unread (payment)'],
    ['USD', 'column_unread (currency)'],
    ['x4', undefined],
  ])('is not covered by --ignore-rest when one of its values is %s', async (value, code) => {
    const found = await plan('Bolsa', ['x1', 'x2', value, 'x3'], [...prepaid, ignoreRest]);
    expect(headerErrors(found)).toEqual(code === undefined ? [] : [`${code} Bolsa`]);
  });

  it.each(cases.counts as [string, string, string[], string[], string[], string[]?, RowsOptions['map']?][])(
    'counts %s',
    async (_, column, cells, header, found, flags = prepaid, map = undefined) => {
      const planned = await plan(column, cells, [...flags, ignoreRest], map);
      expect([headerErrors(planned), outcomes(planned)]).toEqual([header, found]);
    },
  );

  it('says order by order in a note that money is collected, where nothing would be', async () => {
    const columns = 'externalOrderId|customer.phone|items[].sku|collectionMode|collectionAmount|Тэмдэглэл';
    const rows = [
      '1|99112233|TEA-001|COLLECT|8900|хүргэлтээр төлнө',
      '2|99112234|TEA-001|NONE||хүргэлтээр төлнө',
      '3|99112235|TEA-001|NONE||2 давхар',
    ];
    const found = await planRows([columns, ...rows], { flags: [ignoreRest] });
    expect(outcomes(found)).toEqual(['COLLECT 8900', 'collection_contradicts_payment', 'NONE']);
  });

  it('says order by order in a note that it is cancelled, unless the mapping says what that means', async () => {
    const rows = [
      `${base}|Тайлбар`,
      '1|99112233|TEA-001|цуцалсан',
      '2|99112234|TEA-001|Хүргэгдсэн',
      '3|99112235|TEA-001|2 давхар',
    ];
    const note = { columns: { 'deliveryAddress.note': 'Тайлбар' } };
    const found = await planRows(rows, { flags: prepaid, map: note });
    expect(outcomes(found)).toEqual(['state_unknown', 'state_unknown', 'NONE']);
    const values = { Тайлбар: { цуцалсан: 'leave_out', Хүргэгдсэн: 'deliver', '2 давхар': 'deliver' } };
    const decided = await planRows(rows, { flags: prepaid, map: { ...note, values } });
    expect(outcomes(decided)).toEqual(['left out: cancelled', 'NONE', 'NONE']);
  });

  it('is warned of with the note, where it has such a word among others', async () => {
    const notes = ['цуцалсан гэсэн', 'paid by QPay', 'Deposit 30,000 paid', '2 давхар', 'call before'];
    const rows = notes.map((note, place) => `${place}|99112233|TEA-001|${note}`);
    const found = await planRows([`${base}|Тайлбар`, ...rows], {
      flags: ['--set', 'collectionMode=COLLECT', '--set', 'collectionAmount=8900'],
      map: { columns: { 'deliveryAddress.note': 'Тайлбар' } },
    });
    expect(outcomes(found)).toEqual(notes.map(() => 'COLLECT 8900'));
    const warned = found.problems.filter(({ code }) => code.startsWith('state_unknown'));
    expect(warned.map(({ problem }) => /"(.*)"/.exec(problem)?.[1])).toEqual(notes.slice(0, 3));
  });

  it.each(['pick up the phone please', 'will collect from your shop on Saturday'])(
    'does not take the words of a note for pickup: %s',
    async (text) => {
      const note = { columns: { 'deliveryAddress.note': 'Тайлбар' } };
      const rows = [`${base}|Тайлбар`, `1|99112233|TEA-001|${text}`];
      expect(outcomes(await planRows(rows, { flags: prepaid, map: note }))).toEqual(['NONE']);
    },
  );

  it('is an error also when an order is refunded in a later row', async () => {
    const rows = [
      `${base}|Payment status`,
      'A|99112233|TEA-001|paid',
      'A|99112233|MUG-001|refunded',
      'B|99112234|TEA-001|paid',
    ];
    const found = await planRows(rows, { flags: [...prepaid, ignoreRest] });
    expect(headerErrors(found)).toEqual(['column_unread (payment) Payment status']);
    expect(found.problems[0]?.problem).toContain('not known as paid (Payment status): refunded (1)');
    const paid = await planRows(
      rows.map((row) => row.replace('refunded', 'paid')),
      {
        flags: [...prepaid, ignoreRest],
      },
    );
    expect([headerErrors(paid), outcomes(paid)]).toEqual([[], ['NONE', 'NONE']]);
  });
});

describe('a column that is sent', () => {
  it.each(['Total €', 'Сумма, тг', 'Tutar (TL)', 'Total USD'])('names another currency: %s', async (name) => {
    expect(headerErrors(await plan(name, ['9'], [...prepaid, ...mapped(`${name}=total`)]))).toEqual([
      expect.stringContaining(`currency_not_mnt ${name}`),
    ]);
  });

  it.each(['Дүн (₮)', 'Total (all)', 'Price MNT', 'Try total'])(
    'names no other currency: %s',
    async (name) => {
      expect(headerErrors(await plan(name, ['9'], [...prepaid, ...mapped(`${name}=total`)]))).toEqual([]);
    },
  );

  it.each([
    ...['2 x Tea, 1 x Mug', 'Tea x3', '3х Цай'].map((text) => [text, true] as const),
    ...['Bolt M8 x 20 mm', 'Kodak Max 200', '20 x 30 см хөрөг', 'iPhone X 64', 'Tea (100 pcs)'].map(
      (text) => [text, false] as const,
    ),
  ])('is a name with a quantity: %s is %s', async (text, hasQuantity) => {
    const rows = ['externalOrderId|customer.phone|Бараа', `A|99112233|${text}`];
    const found = await planRows(rows, { flags: [...prepaid, ...mapped('Бараа=items[].name')] });
    expect(headerErrors(found).map((text) => text.replace(/ Бараа$/, ''))).toEqual(
      hasQuantity ? ['column_unread (quantity)'] : [],
    );
  });
});

describe('a count in a text', () => {
  /** Whether the file is refused for it, when it is the name of the product, and when nothing reads it. */
  async function refused(texts: readonly string[], more: readonly string[] = []) {
    const rows = texts.map((text, index) => `A-${index}~9911223${index}~T-1~${text}`);
    const read = async (flags: readonly string[]) => {
      const header = 'externalOrderId~customer.phone~items[].sku~Юу юу';
      const found = await planRows([header, ...rows], {
        between: '~',
        flags: [...prepaid, ...flags, ...more],
      });
      return headerErrors(found).some((text) => text.startsWith('column_unread (quantity) Юу юу'));
    };
    return [await read(mapped('Юу юу=items[].name')), await read(['--ignore-rest'])];
  }

  it.each(rowsOf('count'))('is not lost: %s, %s', async (...texts) => {
    expect(await refused(texts.slice(0, 2))).toEqual([true, true]);
  });

  it.each(rowsOf('no count'))('is not seen where there is none: %s, %s', async (...texts) => {
    expect(await refused(texts.slice(0, 2))).toEqual([false, false]);
  });

  it('is not lost where a column has the quantity, or no person reads the column', async () => {
    const texts = ['Цай 30ш', 'Өндөг 10ш'];
    expect(await refused(texts, ['--set', 'items[].quantity:=1'])).toEqual([false, false]);
    expect((await refused(texts, ['--ignore-column', 'Юу юу']))[1]).toBe(false);
  });
});

describe('the header of a shop', () => {
  it.each<[string, string, string, string[], string[]]>([
    [
      'loses no quantity',
      'Захиалгын дугаар|Утас|Барааны код|Тоо ширхэг|Нийт дүн|Хураах төрөл',
      '1|99112233|TEA-001|3|26700|NONE',
      ['column_unread (quantity) Тоо ширхэг'],
      [],
    ],
    [
      'never collects dollars as tugrik',
      'Order ID|Phone|SKU|Collection|COD Amount|Currency',
      '1|99112233|TEA-001|COLLECT|25|USD',
      ['column_unread (currency) Currency'],
      [],
    ],
  ])('%s', async (_, header, row, errors, found) => {
    const planned = await planRows([header, row], { flags: [ignoreRest] });
    expect([headerErrors(planned), outcomes(planned)]).toEqual([errors, found]);
  });

  it('never takes the total of a line for that of the order', async () => {
    const rows = ['Захиалгын дугаар|Утас|Барааны код|Нийт үнэ|Хураах төрөл', '1|99112233|TEA-001|8900|NONE'];
    expect((await planRows(rows)).problems).toMatchObject([
      {
        code: 'columns_undecided',
        problem: 'nothing says what this column holds: Нийт үнэ (8900)',
      },
    ]);
    const {
      orders: [found],
      summary,
    } = await planRows(rows, { flags: [ignoreRest] });
    expect([summary?.plan.unsent, found?.order?.total]).toEqual([['Нийт үнэ'], undefined]);
  });
});
