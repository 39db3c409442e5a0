import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Answering, type CliOptions, temporaryDirectory } from '../../../support/cli.ts';
import { start } from '../setup.ts';

const header = 'Утас,Юу,Хэд,Хаяг,Дүн';
const rows = [
  '99110001,Цамц,2,БЗД 3-р хороо,55000',
  '99110002,Малгай,1,СБД 1-р хороо,20000',
  '99110003,Цамц,1,ЧД 5-р хороо,45000',
];

/** A sheet without order IDs that was imported, of which these lines are then written. */
async function edited(lines: readonly string[], { isSent = true } = {}) {
  const shop = await start('orders.csv', { anySku: true });
  const write = (all: readonly string[]) => writeFileSync(shop.csv, `${[header, ...all].join('\n')}\n`);
  write(rows);
  const copy = shop.path('orders.numbered.csv');
  const collect = { pick: 'Дүн of every order' };
  const run = (answers: Answering[], flags: string[] = []) =>
    shop.run(['import', shop.csv, ...flags], { answers });
  const first = await run(['none', { pick: 'Юу' }, collect, 'write', 'right', isSent]);
  expect(first.exitCode, first.stderr + first.asked).toBe(isSent ? 0 : 2);
  const token = /n[0-9a-f]{8}/.exec(readFileSync(copy, 'utf8'))?.[0] ?? '';
  write(lines);
  const orders = async () =>
    (await shop.listed())
      .map(({ externalOrderId, customer, items, status, ...order }) => {
        const { phone } = customer as unknown as { phone: string };
        const lines = items.map(({ quantity, name }) => `${quantity} ${name}`).join(' + ');
        return `${externalOrderId?.replace(/n[0-9a-f]{8}/, (found) => (found === token ? 'A' : 'B'))} ${phone} ${lines} ${order.collectionAmount} ${status}`;
      })
      .sort();
  return {
    ...shop,
    write,
    copy,
    token,
    run,
    program: (args: string[], more: CliOptions = {}) => shop.run(args, more),
    orders,
    copied: () =>
      readFileSync(copy, 'utf8')
        .replaceAll(token, 'A')
        .replaceAll(/n[0-9a-f]{8}/g, 'B')
        .trimEnd()
        .split('\n')
        .slice(1),
  };
}

const flat = (text: string) => text.replace(/\s+/g, ' ');
const existing = [
  'A-001 99110001 2 Цамц 55000 CONFIRMED',
  'A-002 99110002 1 Малгай 20000 CONFIRMED',
  'A-003 99110003 1 Цамц 45000 CONFIRMED',
];
const three = '99110001,Цамц,3,БЗД 3-р хороо,82500';
const added = '99110004,Шарф,1,ХУД 2-р хороо,15000';

/** The words of the commands that are printed, which a shell takes apart. */
const printed = (stderr: string) =>
  [...stderr.matchAll(/^ {2}merchant-orders (.*)$/gm)].map(([, text = '']) =>
    [...text.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain),
  );

describe('a row that was edited beside its numbered copy', () => {
  it('is named with what changed, and sends nothing; a new row beside it is numbered', async () => {
    const shop = await edited([three, ...rows.slice(1), added]);
    const { asked, exitCode, stderr } = await shop.run(['none', 'write', true]);
    expect({ exitCode, asked: asked.slice(1).map(flat) }).toEqual({
      exitCode: 0,
      asked: [
        `Edited in ${shop.csv}, as it seems: row 2: Хэд 2 → 3, Дүн 55000 → 82500, the order exists. Is that so? New: 1 order (row 5), to be added to ${shop.copy} with new IDs.`,
        'SANDBOX: create 1 order, collect 15,000 ₮?',
      ],
    });
    expect(stderr).toContain(
      `  merchant-orders cancel ${shop.token}-001 --reason 'changed in the sheet'\n  merchant-orders create --external-order-id ${shop.token}-001-r2 --phone 99110001 --item 'name=Цамц,quantity:=3' --collect 82500 --set 'deliveryAddress.street=БЗД 3-р хороо'\n`,
    );
    expect(await shop.orders()).toEqual([...existing, 'B-001 99110004 1 Шарф 15000 CONFIRMED']);
    expect(shop.copied()).toEqual([...rows.map((row, index) => `A-00${index + 1},${row}`), `B-001,${added}`]);
  });

  it('has the order of the printed commands, which are then known', async () => {
    const shop = await edited([three, ...rows.slice(1)]);
    const { stderr } = await shop.run(['none', 'write']);
    for (const words of printed(stderr)) {
      const ended = await shop.program([...words, '--yes']);
      expect(ended.exitCode, ended.stderr).toBe(0);
    }
    const [first = '', ...others] = existing;
    const now = [
      first.replace('CONFIRMED', 'CANCELLED'),
      'A-001-r2 99110001 3 Цамц 82500 CONFIRMED',
      ...others,
    ];
    expect(await shop.orders()).toEqual(now);
    const again = await shop.run(['none', 'write']);
    expect([again.exitCode, printed(again.stderr)], again.stderr).toEqual([0, []]);
    expect(flat(again.stderr)).toContain('All 3 orders exist already.');
    expect(await shop.orders()).toEqual(now);
    expect(shop.copied()[0]).toBe(`A-001-r2,${three}`);
    expect((await shop.run(['none'])).exitCode).toBe(0);
  });

  it('is created by the import when its order was cancelled', async () => {
    const shop = await edited([three, ...rows.slice(1)]);
    const { stderr } = await shop.run(['none', 'write']);
    const [cancel = []] = printed(stderr);
    await shop.program([...cancel, '--yes']);
    const again = await shop.run(['none', 'write', true]);
    expect(flat(again.asked[1] ?? '')).toContain('the order does not exist as it was');
    expect([again.exitCode, await shop.orders()]).toEqual([
      0,
      [
        'A-001 99110001 2 Цамц 55000 CANCELLED',
        'A-001-r2 99110001 3 Цамц 82500 CONFIRMED',
        ...existing.slice(1),
      ],
    ]);
  });

  it('of an order that a colleague has sent is not sent', async () => {
    const shop = await edited([three, ...rows.slice(1)]);
    const configDirectory = temporaryDirectory();
    const answers = ['none', { pick: 'Юу' }, { pick: 'Дүн of every order' }, 'write', 'right'];
    const { stderr } = await shop.program(['import', shop.csv], { configDirectory, answers });
    expect(printed(stderr).map(([verb]) => verb)).toEqual(['cancel', 'create']);
    expect(await shop.orders()).toEqual(existing);
  });

  it.each([
    ['with a corrected phone', '99110009,Цамц,2,БЗД 3-р хороо,55000', 'Утас 99110001 → 99110009'],
    ['with another product', '99110001,Пальто,2,БЗД 3-р хороо,55000', 'Юу Цамц → Пальто'],
    ['with its address taken out', '99110001,Цамц,2,,55000', 'Хаяг БЗД 3-р хороо → (blank)'],
    ['moved to another place', three, 'Хэд 2 → 3, Дүн 55000 → 82500'],
  ])('is known %s', async (_name, row, changes) => {
    const shop = await edited([...rows.slice(1), row]);
    const { asked } = await shop.run(['none', 'stop']);
    expect(flat(asked[1] ?? '')).toContain(`row 4: ${changes}, the order exists. Is that so?`);
    expect(await shop.orders()).toEqual(existing);
  });

  it('is another order when the answer says so', async () => {
    const shop = await edited([three, ...rows.slice(1)]);
    const { exitCode } = await shop.run(['none', 'others', true]);
    expect([exitCode, await shop.orders()]).toEqual([
      0,
      [...existing, 'B-001 99110001 3 Цамц 82500 CONFIRMED'],
    ]);
  });

  it('that may be one of several stops the import, which names them', async () => {
    const shop = await edited(rows);
    const [first = ''] = rows;
    shop.write([...rows, first.replace(',2,', ',5,')]);
    await shop.run(['none', 'write', true]);
    const before = await shop.orders();
    shop.write([first.replace(',2,', ',9,'), ...rows.slice(1)]);
    const { exitCode, stderr, asked } = await shop.run(['none']);
    expect([exitCode, asked.length, await shop.orders()]).toEqual([2, 1, before]);
    expect(flat(stderr)).toMatch(
      /and it cannot be told of which orders in \S+ they are\. Nothing was sent\. Row 2 may be the edited row of: n\w{8}-001 \(row 2\), n\w{8}-001 \(row 5\)\./,
    );
  });

  it('is one of two equal orders', async () => {
    const [first = ''] = rows;
    const shop = await edited(rows);
    shop.write([first, ...rows]);
    await shop.run(['none', 'write', true]);
    shop.write([first, three, ...rows.slice(1)]);
    const { asked } = await shop.run(['none', 'stop']);
    expect(flat(asked[1] ?? '')).toContain('row 3: Хэд 2 → 3, Дүн 55000 → 82500, the order exists.');
  });

  it.each([
    ['the spaces around its cells', '  99110001 ,Цамц, 2,БЗД 3-р хороо ,55000'],
    ['the order of the rows', undefined],
  ])('is not asked about when only %s changed', async (_name, row) => {
    const shop = await edited(row === undefined ? rows.toReversed() : [row, ...rows.slice(1)]);
    const { asked, exitCode } = await shop.run(['none']);
    expect([exitCode, asked.length, await shop.orders()]).toEqual([0, 1, existing]);
  });

  it('is left when the row was removed, which is said beside a new one', async () => {
    const shop = await edited([...rows.slice(1), added]);
    const { asked, stderr } = await shop.run(['none', 'write', true]);
    expect(flat(stderr)).toContain(
      `${shop.copy} also has 1 order that ${shop.csv} no longer has: ${shop.token}-001 (${rows[0]?.split(',').join(', ')})`,
    );
    expect(flat(asked[1] ?? '')).toContain(`lacks 1 order of ${shop.csv} (row 4)`);
    expect(await shop.orders()).toEqual([...existing, 'B-001 99110004 1 Шарф 15000 CONFIRMED']);
  });

  it('that is left out now has its order cancelled by the printed command alone', async () => {
    const shop = await edited([three.replace(',3,', ',x,'), ...rows.slice(1)]);
    const { stderr } = await shop.run(['none', 'write']);
    expect(printed(stderr).map(([verb]) => verb)).toEqual(['cancel']);
    expect(flat(stderr)).toContain('nothing is sent for the row: the row needs fixing');
    expect(await shop.orders()).toEqual(existing);
  });
});

describe('an order of several rows beside its numbered copy', () => {
  it.each([
    ['gets a row', ['99110001,Цамц,2,БЗД 3-р хороо,55000', ',Шарф,1,,'], '1 → 2 rows'],
    ['has two rows swapped with those of another', [rows[1], rows[0]], undefined],
  ])('that %s', async (_name, lines, changes) => {
    const shop = await edited([
      ...(lines as string[]),
      ...(changes === undefined ? rows.slice(2) : rows.slice(1)),
    ]);
    const { asked } = await shop.run(changes === undefined ? ['none'] : ['none', 'stop']);
    if (changes === undefined) expect(asked).toHaveLength(1);
    else expect(flat(asked[1] ?? '')).toContain(`row 2: ${changes}, the order exists`);
    expect(await shop.orders()).toEqual(existing);
  });
});
