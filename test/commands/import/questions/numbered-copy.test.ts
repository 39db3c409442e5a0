import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemFiles } from '../../../../src/system/files.ts';
import type { Answering, CliOptions } from '../../../support/cli.ts';
import { sheetOf, workbookOf } from '../../../support/workbook.ts';
import { start } from '../setup.ts';

const header = 'Утас,Бараа,Тоо,Нийт';
const rows = ['99112233,Цай,2,25000', '99112244,Сүү,1,8900'];
const added = '99112255,Элсэн чихэр,3,12000';
const noIds = 'none';
const collect = { pick: 'Нийт of every order' };
const isQuestion = /create (\d+ orders?)/;

async function shopWith(lines: readonly string[], name = 'orders.csv') {
  const shop = await start('orders.csv');
  const file = shop.path(name);
  const write = (...all: string[]) => writeFileSync(file, `${all.join('\n')}\n`);
  write(...lines);
  const copy = shop.path('orders.numbered.csv');
  const run = async (answers: Answering[], flags: string[] = [], more: CliOptions = {}) => {
    const result = await shop.run(['import', file, ...flags], { answers: [...answers, true], ...more });
    const created = result.asked.map((question) => isQuestion.exec(question)?.[1]).filter((text) => text);
    return { ...result, created };
  };
  return {
    ...shop,
    file,
    write,
    copy,
    /** Answers the questions of a first import, and sends. */
    first: (...flags: string[]) => run([noIds, collect, 'write', 'right'], flags),
    run,
    offTerminal: (...flags: string[]) => shop.run(['import', file, ...flags]),
    /** The lines of the copy, with the tokens of its IDs in the order of the file as A, B, …. */
    copied: (): string[] => {
      const text = readFileSync(copy, 'utf8');
      expect(text.startsWith('\uFEFF')).toBe(true);
      const tokens = [...new Set(text.match(/n[0-9a-f]{8}(?=-)/g))];
      const named = tokens.reduce(
        (all, token, place) => all.replaceAll(token, String.fromCharCode(65 + place)),
        text,
      );
      return named.slice(1).trimEnd().split('\n');
    },
    /** What was created, by the customer. */
    orders: async () => {
      const all = await shop.listed();
      const shown = all.map(({ customer, items }) => [
        (customer as unknown as { phone: string }).phone,
        items.map((line) => `${line.quantity ?? 1} ${line.name}`).join(', '),
      ]);
      return shown.map((texts) => texts.join(': ')).sort();
    },
  };
}

const tea = '99112233: 2 Цай';
const milk = '99112244: 1 Сүү';
const sugar = '99112255: 3 Элсэн чихэр';

describe('a sheet without order IDs', () => {
  it('is imported as a copy that has an ID for each order in front', async () => {
    const shop = await shopWith([header, ...rows]);
    const before = readFileSync(shop.file);
    const { asked, exitCode, stderr } = await shop.first();
    expect({ exitCode, asked: asked.map((text) => text.replace(/\s+/g, ' ')) }).toEqual({
      exitCode: 0,
      asked: [
        'Which column is the order ID?',
        'No column is known to say who pays. What does the courier collect?',
        `Write ${shop.copy}? It is a copy of ${shop.file} with an ID for each of its 2 orders in front, and is imported in its place, today and later. ${shop.file} is not changed.`,
        'Are these orders right?',
        expect.stringContaining('create 2 orders'),
      ],
    });
    expect(shop.copied()).toEqual([`externalOrderId,${header}`, `A-001,${rows[0]}`, `A-002,${rows[1]}`]);
    expect(readFileSync(shop.file)).toEqual(before);
    expect(await shop.orders()).toEqual([tea, milk]);
    expect(shop.files()).toEqual([
      'orders.csv',
      ...['csv', 'map.json', 'results.csv'].map((end) => `orders.numbered.${end}`),
    ]);
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      `Change orders there from now on, not in ${shop.file}. The first`,
    );
  });

  it('creates no order twice when the same command runs again, which asks for the order ID alone', async () => {
    const shop = await shopWith([header, ...rows]);
    await shop.first();
    const before = readFileSync(shop.copy);
    const { asked, exitCode, stderr } = await shop.run([noIds]);
    expect({ exitCode, asked }).toEqual({ exitCode: 0, asked: ['Which column is the order ID?'] });
    expect(stderr).toContain('All 2 orders exist already');
    expect(await shop.orders()).toEqual([tea, milk]);
    expect(readFileSync(shop.copy)).toEqual(before);
  });

  it('that gets a row has only the order of that row created, under an ID of its own', async () => {
    const shop = await shopWith([header, ...rows]);
    await shop.first();
    shop.write(header, added, ...rows);
    const { asked, created } = await shop.run([noIds, 'write']);
    expect({ asked: asked[1]?.replace(/\s+/g, ' '), created }).toEqual({
      asked: `${shop.copy} lacks 1 order of ${shop.file} (row 2). Add what it lacks with new IDs, and import it? The others keep their IDs.`,
      created: ['1 order'],
    });
    expect(shop.copied()).toEqual([
      `externalOrderId,${header}`,
      `A-001,${rows[0]}`,
      `A-002,${rows[1]}`,
      `B-001,${added}`,
    ]);
    expect(await shop.orders()).toEqual([tea, milk, sugar]);
  });

  it('with an order that was corrected in the copy and in the file has nothing to add', async () => {
    const shop = await shopWith([header, ...rows]);
    await shop.first();
    shop.edit('99112244,Сүү,1', '99112245,Сүү,1');
    writeFileSync(shop.copy, readFileSync(shop.copy, 'utf8').replace('99112244,Сүү', '99112245,Сүү'));
    const { asked, exitCode, stderr } = await shop.run([noIds]);
    expect({ exitCode, asked }).toEqual({ exitCode: 6, asked: ['Which column is the order ID?'] });
    expect(stderr).toContain('content_changed');
  });

  it('has two orders in two equal rows, and a third one in a third', async () => {
    const [row = ''] = rows;
    const shop = await shopWith([header, row, row]);
    await shop.first();
    expect(shop.copied().slice(1)).toEqual([`A-001,${row}`, `A-002,${row}`]);
    expect(await shop.orders()).toEqual([tea, tea]);
    shop.write(header, row, row, row);
    expect((await shop.run([noIds, 'write'])).created).toEqual(['1 order']);
    expect(shop.copied().slice(1)).toEqual([`A-001,${row}`, `A-002,${row}`, `B-001,${row}`]);
  });

  it('has an order over two rows under one ID, and keeps its lines together when others are added above', async () => {
    const shop = await shopWith([header, `${rows[0]}`, ',Сүү,1,', `${rows[1]}`]);
    await shop.first();
    expect(shop.copied().slice(1)).toEqual([`A-001,${rows[0]}`, ',,Сүү,1,', `A-002,${rows[1]}`]);
    shop.write(header, added, ',Сүү,1,', `${rows[1]}`, '99112266,Цай,1,500', `${rows[0]}`, ',Сүү,1,');
    await shop.run([noIds, 'write']);
    expect(shop.copied().slice(4)).toEqual([`B-001,${added}`, ',,Сүү,1,', 'B-002,99112266,Цай,1,500']);
    expect(await shop.orders()).toEqual([`${tea}, 1 Сүү`, milk, `${sugar}, 1 Сүү`, '99112266: 1 Цай']);
  });

  it('has no order of its own in a row without a phone, when the payment in it is blank', async () => {
    const shop = await shopWith(['Утас,Бараа,Төлбөр', '99112233,Цай,төлсөн', ',Сүү,', '99112244,Цай,төлсөн']);
    const { exitCode, asked } = await shop.run([noIds, 'write', 'right']);
    expect({ exitCode, asked: asked.length }).toEqual({ exitCode: 0, asked: 4 });
    expect(await shop.orders()).toEqual(['99112233: 1 Цай, 1 Сүү', '99112244: 1 Цай']);
  });

  it('is copied without footers, totals and repeated headers, which are named', async () => {
    const [first = '', second = ''] = rows;
    const shop = await shopWith([header, first, header, second, 'Нийт,,,33900', '2 records downloaded']);
    const flags = ['Нийт=total', 'Тоо=items[].quantity:number'].flatMap((flag) => ['--map-column', flag]);
    const answers = [noIds, 'write', 'right'];
    const { stderr } = await shop.run(answers, [...flags, '--set', 'collectionMode=NONE']);
    expect(stderr).toContain('Not in the copy, since they are not orders: rows 3, 5, 6.');
    expect(shop.copied().slice(1)).toEqual([`A-001,${first}`, `A-002,${second}`]);
    expect(await shop.orders()).toEqual([tea, milk]);
  });

  it('may be a workbook with titles above its header', async () => {
    const cells = [
      ['11 сарын хүргэлт', '', '', ''],
      ['', '', '', ''],
      header.split(','),
      [99_112_233, 'Цай', 2, 25_000],
      ['99112244', '=Сүү', 1, 8900],
    ];
    const shop = await shopWith([], 'orders.xlsx');
    const xlsx = workbookOf({ sheets: [sheetOf(cells), { ...sheetOf(cells.slice(2)), name: 'Other' }] });
    writeFileSync(shop.file, xlsx);
    const answers = ['0', '3', noIds, collect, 'write', 'right'];
    const { asked, exitCode } = await shop.run(answers);
    expect({ exitCode, asked: asked.slice(0, 2) }).toEqual({
      exitCode: 0,
      asked: ['Which sheet has the orders?', expect.stringContaining('Row 3 looks like the header')],
    });
    expect(shop.copied()).toEqual([
      `externalOrderId,${header}`,
      `A-001,${rows[0]}`,
      "A-002,99112244,'=Сүү,1,8900",
    ]);
    expect(await shop.orders()).toEqual([tea, '99112244: 1 =Сүү']);
    const again = await shop.run(['0', '3', noIds]);
    expect({ exitCode: again.exitCode, asked: again.asked.length }).toEqual({ exitCode: 0, asked: 3 });
    expect(readFileSync(shop.file)).toEqual(xlsx);
  });

  it('keeps a file of that name that is no copy of it', async () => {
    const shop = await shopWith([header, ...rows]);
    const other = `№,${header}\n1,${rows[0]}\n`;
    writeFileSync(shop.copy, other);
    const { asked, exitCode, stderr } = await shop.run([noIds]);
    expect({ exitCode, asked: asked.length }).toEqual({ exitCode: 2, asked: 1 });
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      `${shop.copy} is not a numbered copy of ${shop.file}: its first column is not externalOrderId.`,
    );
    expect(readFileSync(shop.copy, 'utf8')).toBe(other);
    expect(shop.files()).toEqual(['orders.csv', 'orders.numbered.csv']);
  });

  it('that gets a column is not copied anew, which would create its orders again', async () => {
    const shop = await shopWith([header, ...rows]);
    await shop.first();
    const before = readFileSync(shop.copy);
    shop.write(`${header},Цаг`, ...rows.map((row) => `${row},10:00`));
    const { asked, exitCode, stderr } = await shop.run([noIds]);
    expect({ exitCode, asked: asked.length }).toEqual({ exitCode: 2, asked: 1 });
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      `${shop.copy} has other columns than ${shop.file}. Give it`,
    );
    expect(readFileSync(shop.copy)).toEqual(before);
  });

  it.each(['orders.csv', 'orders.numbered.csv'])(
    'is copied whole or not at all: %s is written to meanwhile',
    async (name) => {
      const shop = await shopWith([header, ...rows]);
      if (name !== 'orders.csv') await shop.first();
      shop.write(header, ...rows, added);
      const before = shop.files();
      const copy = before.includes('orders.numbered.csv') ? readFileSync(shop.copy) : undefined;
      const stampOf: typeof systemFiles.stampOf = async (path) => {
        const found = await systemFiles.stampOf(path);
        return path.endsWith(`/${name}`) ? { ...found, stamp: `${Math.random()}` } : found;
      };
      const answers = copy === undefined ? [noIds, collect, 'write'] : [noIds, 'write'];
      const { exitCode, stderr } = await shop.run(answers, [], { files: { stampOf } });
      const files = shop.files().filter((file) => !file.startsWith('orders.map.'));
      expect({ exitCode, files }).toEqual({
        exitCode: 2,
        files: before.filter((file) => !file.startsWith('orders.map.')),
      });
      expect(stderr.replace(/\s+/g, ' ')).toMatch(/ was (changed, replaced|written, changed) or removed /);
      if (copy !== undefined) expect(readFileSync(shop.copy)).toEqual(copy);
    },
  );

  it('is known again in a copy that a spreadsheet has saved, and with characters that are not copied', async () => {
    const shop = await shopWith([`${header},`, `${rows[0]},`, '99112244,\u001b[31mСүү,1,8900,']);
    await shop.first();
    writeFileSync(shop.copy, readFileSync(shop.copy, 'utf8').replaceAll(',\n', '\n'));
    const { asked, exitCode } = await shop.run([noIds]);
    expect({ exitCode, asked: asked.length }).toEqual({ exitCode: 0, asked: 1 });
    expect(await shop.listed()).toHaveLength(2);
  });

  it('may not be imported by its rows, which the copy has under other numbers', async () => {
    const shop = await shopWith([header, ...rows]);
    const { exitCode, stderr } = await shop.run([noIds], ['--rows', '2']);
    expect({ exitCode, files: shop.files() }).toEqual({ exitCode: 2, files: ['orders.csv'] });
    expect(stderr).toContain('--rows names rows of');
  });

  it('is an error off a terminal, which names the copy, and what it lacks', async () => {
    const shop = await shopWith([header, ...rows]);
    await shop.first();
    for (const [lines, said] of [
      [[header, ...rows], ''],
      [[header, '99112233,Цай,3,25000', rows[1], added], ' Row 2: Тоо 2 → 3. Not in it: row 4.'],
      [[header, rows[1]], ''],
    ] as const) {
      shop.write(...lines.map(String));
      const before = readFileSync(shop.copy);
      const { exitCode, stderr } = await shop.offTerminal('--yes');
      expect([exitCode, stderr]).toEqual([
        2,
        `error: ${shop.file} has no order IDs. ${shop.copy} is its copy with IDs.${said} Nothing was sent.
Make the changes in the copy and run:
  merchant-orders import ${shop.copy} --yes
or run the import of ${shop.file} at a terminal, which adds new rows to the copy and says what to do about edited ones.
`,
      ]);
      expect(readFileSync(shop.copy)).toEqual(before);
    }
    expect(await shop.orders()).toEqual([tea, milk]);
  });
});
