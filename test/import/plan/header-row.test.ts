import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type FilePlan, planFile } from '../../support/plan-file.ts';
import { outcomes, planRows } from '../plan-rows.ts';
import { fixture } from '../tables.ts';
import cases from './header-row.json' with { type: 'json' };

const order = 'A-1|99112233|TEA-001|NONE';

/** The row that is taken for the header: 1, or the one that the error names. */
function headerRowOf({ error }: FilePlan): number {
  const [, row] = /--header-row (\d+)\./.exec(error?.hint ?? '') ?? [];
  return error?.code === 'header_row_unclear' ? Number(row) : 1;
}

/** Every number of a row in it is less by so many. */
function rowsLess(plan: FilePlan, less: number): unknown {
  const { orders, problems, summary } = plan;
  const moved = (text = '') =>
    text.replace(/\b(rows? )(\d+(?:, \d+)*)/g, (_, word, rows) => {
      return word + rows.replace(/\d+/g, (row: string) => String(Number(row) - less));
    });
  return {
    orders: orders.map(({ row, message, ...others }) => ({
      ...others,
      row: row - less,
      message: moved(message),
    })),
    problems: problems.map(({ at, same, ...others }) => ({
      ...others,
      // The line is named only where it differs from the row.
      at: moved(at).replace(/ \(line \d+\)/, ''),
      same: same?.replace(/\d+/g, '?'),
    })),
    counts: summary?.orders,
    mapping: summary?.plan.mapping,
  };
}

const titles = ['Тэмүүлэн, ХХК', '11 сарын 26-ны хүргэлт', '', 'Утас: 7700-1122'];

describe('title lines above the header', () => {
  it.each([
    ['states.csv', ','],
    ['rows-that-are-no-orders.csv', ','],
    ['cells-with-one-reading.csv', ','],
    ['semicolons.csv', ';'],
    ['unseen/mongol-yesno.csv', ','],
    ['unseen/facebook-shop.csv', ','],
  ])('change nothing but the rows of %s', async (name, delimiter) => {
    const text = readFileSync(fixture(`import/${name}`), 'utf8').replace(/^\uFEFF/, '');
    const width = text.split('\n')[0]?.split(delimiter).length ?? 1;
    const plain = rowsLess(await planFile({ text }), 0);
    for (const count of [1, 2, 3, 4]) {
      for (const padding of ['', delimiter.repeat(width - 1)]) {
        const above = titles
          .slice(0, count)
          .map((title) => `${title.includes(delimiter) ? `"${title}"` : title}${padding}\n`);
        const titled = { text: `${above.join('')}${text}` };
        expect([count, padding, headerRowOf(await planFile(titled))]).toEqual([count, padding, count + 1]);
        const plan = await planFile(titled, ['--header-row', String(count + 1)]);
        expect(rowsLess(plan, count)).toEqual(plain);
      }
    }
  });

  it.each(cases.titles as [string, string[], number][])(
    'are told from the header: %s',
    async (_, rows, row) => {
      expect(headerRowOf(await planRows(rows))).toBe(row);
    },
  );

  it('are no question for a rejects file', async () => {
    const rejects = 'externalOrderId|customer.phone|items[].sku|collectionMode|_row|_code|_error|_fix';
    const plan = await planRows([`Тайлан${'|'.repeat(7)}`, rejects, `${order}|3|x|x|x`]);
    expect([plan.error, outcomes(plan)]).toEqual([undefined, ['NONE']]);
  });
});

describe('a header of two rows', () => {
  it('leaves to its lower names what the columns hold', async () => {
    const path = fixture('import/header-of-two-rows.csv');
    const { error } = await planFile(path, ['--header-row', '3']);
    expect(error?.draft).toMatchObject({
      columns: {
        'customer.name': 'Хүлээн авагч / Нэр',
        'customer.phone': 'Хүлээн авагч / Утас',
        'deliveryAddress.street': 'Хүлээн авагч / Хаяг',
      },
      read: { header_row: 3 },
    });
  });
});

describe('columns with the same name', () => {
  const rows = (second: string) => [
    'externalOrderId|Phone|items[].sku|collectionMode|Phone',
    'A-1|99112233|TEA-001|NONE|99112233',
    `A-2|88112233|TEA-001|NONE|${second}`,
  ];
  const phones = ({ orders }: FilePlan) => orders.map((planned) => planned.order?.customer?.phone);

  it('count as one when they are equal in every row', async () => {
    expect(phones(await planRows(rows('88112233')))).toEqual(['99112233', '88112233']);
    const mapped = await planRows(rows('88112233'), { map: { columns: { 'customer.phone': 'Phone' } } });
    expect(phones(mapped)).toEqual(['99112233', '88112233']);
    const second = await planRows(rows('88112233'), { map: { columns: { 'customer.phone': 'Phone#2' } } });
    expect(phones(second)).toEqual(['99112233', '88112233']);
  });

  it('are two when one row differs', async () => {
    const { problems } = await planRows(rows('88112234'));
    expect(problems.map(({ code }) => code)).toEqual(['header_duplicate']);
    const second = await planRows(rows('88112234'), {
      map: { columns: { 'customer.phone': 'Phone#2' }, ignore: ['Phone#1'] },
    });
    expect(phones(second)).toEqual(['99112233', '88112234']);
  });
});
