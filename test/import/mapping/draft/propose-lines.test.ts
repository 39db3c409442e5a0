import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeader } from '../../../../src/import/columns/header.ts';
import { profileRows } from '../../../../src/import/columns/profile.ts';
import { proposeLines } from '../../../../src/import/mapping/draft/propose-lines.ts';
import type { LinesMapping } from '../../../../src/import/mapping/language.ts';
import { createLineReader } from '../../../../src/import/mapping/lines.ts';
import { runCli, temporaryDirectory } from '../../../support/cli.ts';

/** What is proposed for a table whose cells stand between `|`. */
function propose(names: string, ...rows: string[]) {
  const below = rows.map((row, index) => ({ row: index + 2, line: index + 2, cells: row.split('|') }));
  const row = { row: 1, line: 1, cells: names.split('|'), below };
  const header = createHeader(row);
  const free = [...header.cells.keys()];
  const profiles = profileRows(free.length, below);
  const found = proposeLines(header, profiles, free, { hasQuantity: false, goods: [] });
  return { header, below, found };
}

function wideOf(names: string, ...rows: string[]) {
  const { found } = propose(names, ...rows);
  const { choices = [], isSettled } = found ?? {};
  const wide = choices.map(({ lines }) => Object.entries(lines.wide ?? {}).map((pair) => pair.join('=')));
  return { isSettled, wide };
}

const sku = 'items[].sku';
const name = 'items[].name';
const quantity = 'items[].quantity:number';

describe('lines side by side', () => {
  it.each<[names: string, rows: string[], expected: string[]]>([
    [
      '1-р эд|хэд 1|2-р эд|хэд 2',
      ['ДЭЭЛ-2|2|МАЛ-1|1', 'МАЛ-1|1||'],
      [`{n}-р эд=${sku}`, `хэд {n}=${quantity}`],
    ],
    ['p1|n1|p2|n2', ['Wool hat|2|Felt boot|1', 'Felt boot|1||'], [`p{n}=${name}`, `n{n}=${quantity}`]],
    ['品1|数1|品2|数2', ['茶-1|2|杯-2|1', '杯-2|3||'], [`品{n}=${sku}`, `数{n}=${quantity}`]],
    [
      'Saco 1 / tipo|Saco 1 / x|Saco 2 / tipo|Saco 2 / x',
      ['CAF-1|2|CAF-2|1', 'CAF-2|1||'],
      [`Saco {n} / tipo=${sku}`, `Saco {n} / x=${quantity}`],
    ],
    [
      'a1|q1|t1|a2|q2|t2',
      ['H-1|2|Hat|B-1|1|Boot', 'B-1|3|Boot|||'],
      [`a{n}=${sku}`, `t{n}=${name}`, `q{n}=${quantity}`],
    ],
    ['SKU 1|Qty 1|SKU 2|Qty 2', ['TEA|1|MUG|1', 'MUG|1||'], [`SKU {n}=${sku}`, `Qty {n}=${quantity}`]],
    ['p1|n1|p2|n2|p3|n3', ['H-1|2|B-1|1||', 'B-1|1||||'], [`p{n}=${sku}`, `n{n}=${quantity}`]],
    [
      'p1|n1|Cancelled 1|p2|n2|Cancelled 2',
      ['H-1|2|1|B-1|1|0', 'B-1|3|0|||'],
      [`p{n}=${sku}`, `n{n}=${quantity}`, 'Cancelled {n}=minus'],
    ],
  ])('are settled when their values agree: %s', (names, rows, expected) => {
    const { isSettled, wide } = wideOf(names, ...rows);
    expect(isSettled).toBe(true);
    expect(wide[0]?.toSorted()).toEqual(expected.toSorted());
  });

  it.each<[why: string, names: string, rows: string[], expected: string[]]>([
    ['a count is blank', 'p1|n1|p2|n2', ['H-1|2|B-1|', 'B-1|3||'], [`p{n}=${sku}`, `n{n}=${quantity}`]],
    ['all counts are 1', 'p1|n1|p2|n2', ['H-1|1|B-1|1', 'B-1|1||'], [`p{n}=${sku}`, `n{n}=${quantity}`]],
    [
      'two families are names',
      'p1|n1|c1|p2|n2|c2',
      ['Hat|2|red|Boot|1|blue', 'Boot|1|red|||'],
      [`p{n}=${name}`, `n{n}=${quantity}`],
    ],
    [
      'a third family is a part of the counts',
      'p1|n1|x1|p2|n2|x2',
      ['H-1|2|1|B-1|1|0', 'B-1|3|0|||'],
      [`p{n}=${sku}`, `n{n}=${quantity}`, 'x{n}=minus'],
    ],
    [
      'neither count is a part of the other',
      'p1|n1|x1|p2|n2|x2',
      ['H-1|2|5|B-1|1|0', 'B-1|3|1|||'],
      [`p{n}=${sku}`, `n{n}=${quantity}`],
    ],
  ])('are asked about when %s', (_, names, rows, expected) => {
    const { isSettled, wide } = wideOf(names, ...rows);
    expect(isSettled).toBe(false);
    expect(wide).toContainEqual(expected);
  });

  it.each([
    ['phones', 'tel 1|n 1|tel 2|n 2', ['99112233|2|99112234|1']],
    ['parts of an address', 'D / 1|D / 2|D / 3', ['БЗД|26 хороо|129 байр', 'СХД|2 хороо|12 байр']],
    ['one line only', 'p1|n1', ['H-1|2']],
    ['amounts', 'p1|a1|p2|a2', ['H-1|25000|B-1|3000', 'B-1|4000||']],
  ])('are not %s', (_, names, rows) => {
    expect(
      propose(names, ...rows).found?.choices.filter(({ lines }) => lines.wide !== undefined) ?? [],
    ).toEqual([]);
  });

  it('lose no piece, whatever their headers are', () => {
    const goods = fc.constantFrom('HAT-1', 'BOOT-22', 'МАЛ-3', 'Wool hat', '帽子');
    const line = fc.record({
      goods,
      ordered: fc.integer({ min: 1, max: 9 }),
      gone: fc.integer({ min: 0, max: 9 }),
    });
    let read = 0;
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom('a', 'qq', 'эд ', '品', 'No. '), { minLength: 3, maxLength: 3 }),
        fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 9 }),
        fc.boolean(),
        ([one = '', two = '', three = ''], orders, hasGone) => {
          const width = [1, 2, 3];
          const names = width.flatMap((n) => [
            `${one}${n}`,
            `${two}${n}`,
            ...(hasGone ? [`${three}${n}`] : []),
          ]);
          const rows = orders.map((lines) =>
            width.flatMap((n) => {
              const { goods = '', ordered = '', gone = 0 } = lines[n - 1] ?? {};
              const less = ordered === '' ? '' : Math.min(gone, ordered);
              return [goods, `${ordered}`, ...(hasGone ? [`${less}`] : [])];
            }),
          );
          const { header, below, found } = propose(names.join('|'), ...rows.map((cells) => cells.join('|')));
          const [best] = found?.choices ?? [];
          if (best === undefined) return;
          read += 1;
          const problems: never[] = [];
          const reader = createLineReader({ header, isPreset: false, problems }, best.lines as LinesMapping);
          const counts = reader?.columns.find(({ path }) => path.at(-1) === 'quantity');
          const sum = below
            .flatMap((row) => reader?.read(row).rows ?? [])
            .reduce((total, { cells }) => total + Number(cells[counts?.index ?? -1]), 0);
          const ordered = orders.flat().reduce((total, each) => total + each.ordered, 0);
          const gone = orders.flat().reduce((total, each) => total + Math.min(each.gone, each.ordered), 0);
          expect([ordered, gone]).toContain(sum);
          if (!hasGone) expect(sum).toBe(ordered);
        },
      ),
      { numRuns: 200, seed: 7 },
    );
    expect(read).toBeGreaterThan(150);
  });
});

describe('a count in the text beside the codes of goods', () => {
  async function draft(...rows: string[]) {
    const path = join(temporaryDirectory(), 'orders.csv');
    writeFileSync(path, `${rows.join('\n')}\n`);
    const { stdout } = await runCli(['import', path, '--write-map', '-']);
    const { columns, lines } = JSON.parse(stdout);
    return { sku: columns[sku], name: columns[name], lines };
  }

  const rows = (texts: readonly string[], codes: readonly string[]) => [
    'Дугаар,Утас,Үз,Дотор',
    ...texts.map((text, index) => `A-${index},9911223${index},${codes[index]},${text}`),
  ];
  const codes = ['ВАЗ-1', 'СРВ-10', 'ВАЗ-1'];

  it.each<[why: string, texts: string[], codes: string[]]>([
    ['a cell has no count', ['Ваар 2 ширхэг', 'Сервиз 3', 'Ваар 1 ширхэг'], codes],
    ['the codes are not those of the names', ['Ваар 2ш', 'Сервиз 3ш', 'Таваг 1ш'], codes],
  ])('is asked about when %s', async (_, texts, own) => {
    const { lines } = await draft(...rows(texts, own));
    expect(JSON.stringify(lines)).toContain('"? ');
  });
});
