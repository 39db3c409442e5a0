import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createInterruption, runCli, temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';
import { sheetOf, workbookOf } from '../../support/workbook.ts';
import { added, header, imported, rowOf, shop } from './shop.ts';

describe('status', () => {
  it('writes the state of each order beside its rows', async () => {
    const { cli, file, read, rows, find } = await imported([
      header,
      rowOf('UB-1'),
      rowOf('UB-2', '31000.50'),
      'UB-2,,TEA-2,,,',
      'UB-3,99112233,TEA-1,NONE,,7000',
    ]);
    Object.assign(find('UB-2'), { status: 'IN_DELIVERY', delivery: { status: 'ON_THE_WAY' } });
    for (const id of ['UB-1', 'UB-2', 'UB-3']) Object.assign(find(id), { createdAt: '2026-11-20T08:00:00Z' });
    const { stdout, stderr, exitCode } = await cli(['status', file]);
    expect(read().startsWith('\ufeff')).toBe(true);
    expect(rows()).toEqual([
      `${header},${added}`,
      `${rowOf('UB-1')},ORD-2026-000001,CONFIRMED,,5000,5000,2026-11-20,`,
      `UB-2,99112233,TEA-1,COLLECT,31000.50,31000.50,ORD-2026-000002,IN_DELIVERY,ON_THE_WAY,31000.5,31000.5,2026-11-20,`,
      `UB-2,,TEA-2,,,,ORD-2026-000002,IN_DELIVERY,ON_THE_WAY,,,2026-11-20,`,
      `UB-3,99112233,TEA-1,NONE,,7000,ORD-2026-000003,CONFIRMED,,,7000,2026-11-20,`,
    ]);
    expect(stdout).toBe(
      'status\tdelivery\torders\ttoCollect\nCONFIRMED\t\t2\t5000\nIN_DELIVERY\tON_THE_WAY\t1\t31000.50\n',
    );
    expect(stderr).toBe(
      `3 orders, 3 found; to collect in all, without those that are cancelled: 36,000.50 ₮.\nWrote ${file.replace('.csv', '.status.csv')}.\n`,
    );
    expect(exitCode).toBe(0);
  });

  it('says what differs, and ends with 6', async () => {
    const ids = ['UB-1', 'UB-2', 'UB-3', 'UB-4', 'UB-5', 'UB-6', 'UB-7'];
    const { cli, file, orders, find, differences } = await imported([header, ...ids.map((id) => rowOf(id))]);
    orders.splice(orders.indexOf(find('UB-2')), 1);
    find('UB-3').status = 'Canceled';
    find('UB-4').collectionAmount = '4000';
    orders.push({ ...find('UB-5'), id: 'another', orderNumber: 'ORD-2026-000099' });
    Object.assign(find('UB-6'), { status: 'CANCELLED', total: '1', customer: { phone: '88112233' } });
    orders.unshift({ ...find('UB-7'), id: 'older', status: 'CANCELLED', total: '1' });
    const { stderr, exitCode } = await cli(['status', file]);
    expect(differences()).toEqual({
      'UB-1': '',
      'UB-2': 'missing',
      'UB-3': 'cancelled',
      'UB-4': 'collectionAmount',
      'UB-5': 'twice',
      'UB-6': 'cancelled; total; customer.phone',
      'UB-7': '',
    });
    expect(stderr).toContain(
      [
        'error: 5 orders of 7 are not at the service as in the file.',
        '  row 3 "UB-2": missing',
        '  row 4 "UB-3": cancelled',
        '  row 5 "UB-4": collectionAmount',
        '  row 6 "UB-5": twice',
        '  row 7 "UB-6": cancelled; total; customer.phone',
      ].join('\n'),
    );
    expect(exitCode).toBe(6);
    const json = await cli(['status', file, '--json']);
    expect(JSON.parse(json.stdout)).toEqual({
      file,
      orders: {
        total: 7,
        found: 6,
        missing: 1,
        differs: 3,
        twice: 1,
        leftOut: 0,
      },
      byStatus: [
        { status: 'CONFIRMED', delivery: '', orders: 4, toCollect: '19000' },
        { status: 'Canceled', delivery: '', orders: 1, toCollect: '0' },
        { status: 'CANCELLED', delivery: '', orders: 1, toCollect: '0' },
      ],
      toCollect: '19000',
      exitCode: 6,
    });
  });

  it('finds the same without the ledger, by single lookups', async () => {
    const ids = ['UB-1', 'UB-2', 'UB-3', 'UB-4'];
    const { cli, file, find, orders, rows, env } = await imported([header, ...ids.map((id) => rowOf(id))]);
    orders.splice(orders.indexOf(find('UB-2')), 1);
    Object.assign(find('UB-3'), { total: '1', collectionAmount: '4000' });
    const known = await cli(['status', file]);
    const ofLedger = rows();
    const { exitCode } = await runCli(['status', file], { env });
    expect([known.exitCode, exitCode]).toEqual([6, 6]);
    expect(rows()).toEqual(ofLedger);
    expect(rows().map((row) => row.split(',').at(-1))).toEqual([
      '_difference',
      '',
      'missing',
      'collectionAmount; total',
      '',
    ]);
  });

  it('shows an order that is left out now, but was created before', async () => {
    const { cli, file, folder, rows, find, env } = await imported([
      `${header},State`,
      `${rowOf('UB-1')},open`,
    ]);
    const map = join(folder, 'map.json');
    writeFileSync(map, JSON.stringify({ values: { State: { cancelled: 'leave_out' } } }));
    writeFileSync(file, `${header},State\n${rowOf('UB-1')},cancelled\n`);
    const { stderr, exitCode } = await cli(['status', file, '--map', map]);
    expect(rows()[1]).toMatch(/,ORD-2026-000001,CONFIRMED,,5000,5000,.*,left_out; at_service$/);
    expect(stderr).toContain('to collect in all, without those that are cancelled: 5,000 ₮.');
    expect(stderr).toContain('1 order is left out, as an import would.\n');
    expect(stderr).toContain('  row 2 "UB-1": left_out; at_service\n');
    expect(exitCode).toBe(6);
    const elsewhere = await runCli(['status', file, '--map', map, '--json'], { env });
    expect(JSON.parse(elsewhere.stdout)).toMatchObject({
      orders: { total: 0, leftOut: 1, differs: 1 },
      byStatus: [{ status: 'CONFIRMED', orders: 1, toCollect: '5000' }],
      toCollect: '5000',
    });
    writeFileSync(join(folder, 'cash.csv'), 'order,amount\n');
    const { stdout } = await cli([
      'status',
      file,
      '--map',
      map,
      '--cash',
      join(folder, 'cash.csv'),
      '--json',
    ]);
    expect(JSON.parse(stdout).cash).toMatchObject({ orders: { not_in_lists: 1 } });
    find('UB-1').status = 'CANCELLED';
    const cancelled = await cli(['status', file, '--map', map]);
    expect(rows()[1]).toMatch(/,CANCELLED,.*,left_out$/);
    expect(cancelled.exitCode, cancelled.stderr).toBe(0);
  });

  it('reports another content whoever created the order, but no other form of it', async () => {
    const { cli, file, find, differences, env } = await imported([
      `${header},customer.externalCustomerId,customer.name`,
      ...['UB-1', 'UB-2', 'UB-3', 'UB-4', 'UB-6', 'UB-5'].map((id) => `${rowOf(id)},C-1,Бат`),
      'UB-5,,TEA-1,,,,,',
    ]);
    const customer = { phone: '99112233', externalCustomerId: 'C-1', name: 'Бат' };
    Object.assign(find('UB-1'), { customer: { ...customer, phone: '88112233' } });
    Object.assign(find('UB-2'), { customer: { ...customer, externalCustomerId: 'C-2', name: 'Дорж' } });
    Object.assign(find('UB-3'), { total: '8000', items: [{ sku: 'TEA-1' }, { sku: 'FEE' }] });
    Object.assign(find('UB-4'), { customer: { ...customer, phone: '9911****', name: 'БАТ' } });
    Object.assign(find('UB-5'), { items: [{ sku: 'tea-1' }] });
    Object.assign(find('UB-6'), { items: [{ sku: 'TEA-1' }, { sku: 'TEA-1' }] });
    const expected = {
      'UB-1': 'customer.phone',
      'UB-2': 'customer.externalCustomerId',
      'UB-3': 'total; items',
      'UB-4': '',
      'UB-5': '',
      'UB-6': 'items',
    };
    await cli(['status', file]);
    expect(differences()).toEqual(expected);
    await runCli(['status', file], { env });
    expect(differences()).toEqual(expected);
  });

  it('says what the service does not show, and gives no sum without it', async () => {
    const { cli, file, find, orders, differences } = await imported([header, rowOf('UB-1'), rowOf('UB-2')]);
    for (const order of orders) order.total = undefined;
    Object.assign(find('UB-2'), { collectionAmount: undefined, customer: undefined });
    const { stderr, stdout, exitCode } = await cli(['status', file]);
    expect(differences()).toEqual({ 'UB-1': '', 'UB-2': '' });
    expect(stderr).toBe(
      [
        '2 orders, 2 found; to collect in all, without those that are cancelled: not shown for 1 order.',
        'Not compared where the service does not show it: total, collectionAmount, customer.',
        `Wrote ${file.replace('.csv', '.status.csv')}.`,
        '',
      ].join('\n'),
    );
    expect(stdout).toBe('status\tdelivery\torders\ttoCollect\nCONFIRMED\t\t2\t\n');
    expect(exitCode).toBe(0);
    const json = await cli(['status', file, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ toCollect: null });
  });

  it('collects nothing from an order with the mode NONE', async () => {
    const { cli, file, find } = await imported([header, rowOf('UB-1'), 'UB-2,99112233,TEA-1,NONE,,7000']);
    find('UB-2').collectionAmount = '7000';
    const { stdout } = await cli(['status', file, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ toCollect: '5000' });
  });

  it.each(['pages', 'lookups'])('shows the order that is equal to the file by %s', async (by) => {
    const { cli, file, find, orders, rows, env } = await imported([header, rowOf('UB-1')]);
    orders.unshift({ ...find('UB-1'), id: 'another', orderNumber: 'ORD-2026-000099', total: '1' });
    orders.unshift({ ...find('UB-1'), id: 'third', orderNumber: 'ORD-2026-000098', collectionAmount: '1' });
    await (by === 'pages' ? cli(['status', file]) : runCli(['status', file], { env }));
    expect(rows()[1]).toMatch(/,ORD-2026-000001,.*,twice$/);
  });

  it('looks up orders that an import would refuse', async () => {
    const { cli, file, rows } = await imported([header, rowOf('UB-1'), rowOf('UB-2')]);
    writeFileSync(
      file,
      [header, 'UB-1,99112233,TEA-1,COLLECT,5 thousand,5000', 'UB-2,99112233,TEA-1,COLLECT,x,7000', ''].join(
        '\n',
      ),
    );
    const { stderr, exitCode } = await cli(['status', file]);
    expect(rows().map((row) => row.split(',').at(-1))).toEqual([
      '_difference',
      'collectionAmount',
      'collectionAmount; total',
    ]);
    expect(stderr).toContain('An import would not accept 2 orders as they are in the file.\n');
    expect(exitCode).toBe(6);
  });

  it('replaces the columns of an earlier status', async () => {
    const { cli, file, folder, read } = await imported([header, rowOf('UB-1')]);
    await cli(['status', file]);
    const first = read();
    const again = await cli(['status', join(folder, 'orders.status.csv')]);
    expect(again.exitCode, again.stderr).toBe(0);
    expect(read('orders.status.status.csv')).toBe(first);
  });

  it('prints one order a line as NDJSON, then the counts', async () => {
    const { cli, file } = await imported([header, rowOf('UB-1'), rowOf('UB-2')]);
    const { stdout } = await cli(['status', file, '--format', 'ndjson']);
    const [one, two, summary, ...others] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(one).toMatchObject({
      order: 'UB-1',
      row: 2,
      orderNumber: 'ORD-2026-000001',
      status: 'CONFIRMED',
      collectionAmount: '5000',
      difference: [],
    });
    expect(two).toMatchObject({ order: 'UB-2', row: 3 });
    expect(summary).toMatchObject({ orders: { total: 2 }, exitCode: 0 });
    expect(others).toEqual([]);
  });

  it('needs a key that may only read, and sends nothing', async () => {
    const { sandbox, cli } = await startService();
    const { file } = shop([header, rowOf('UB-1')]);
    await cli(['import', file, '--yes']);
    const env = { MERCHANT_ORDERS_API_KEY: sandbox.readOnlyApiKey };
    const { exitCode, stderr } = await cli(['status', file], { env });
    expect(exitCode, stderr).toBe(0);
  });
});

describe('the file that status reads', () => {
  it('may have order numbers, UUIDs or own IDs in any column', async () => {
    const { cli, orders, find } = await imported([header, rowOf('UB-1'), rowOf('UB-2')]);
    const list = shop(
      [
        'Дэлгүүр,Юу',
        'A,ORD-2026-000001',
        `B,${find('UB-2').id}`,
        'C,UB-2',
        'D,ORD-2026-000009',
        'E,UB-9',
        'A,ORD-2026-000001',
        'Нийт,',
        ',Нийт',
      ],
      'list.csv',
    );
    expect(orders).toHaveLength(2);
    const { exitCode, stderr } = await cli(['status', list.file, '--id-column', 'Юу']);
    expect(list.rows('list.status.csv').map((row) => row.split(',').slice(2).join())).toEqual([
      added,
      expect.stringMatching(/^ORD-2026-000001,CONFIRMED,,5000,5000,.*,$/),
      expect.stringMatching(/^ORD-2026-000002,CONFIRMED,,5000,5000,.*,$/),
      // The order of the row above, by another name.
      expect.stringMatching(/^ORD-2026-000002,CONFIRMED,,,,.*,$/),
      ',,,,,,missing',
      ',,,,,,missing',
      expect.stringMatching(/^ORD-2026-000001,CONFIRMED,,,,.*,$/),
      ',,,,,,left_out',
      ',,,,,,left_out',
    ]);
    expect(stderr).toContain('4 orders, 2 found;');
    expect(exitCode, stderr).toBe(6);
  });

  it.each(['Юу', 'X'])('may have order numbers in a column %s without a flag', async (name) => {
    const { cli } = await imported([header, rowOf('UB-1'), rowOf('UB-2')]);
    const list = shop([`Курьер,${name}`, 'Бат,ORD-2026-000002', 'Болд,ORD-2026-000001'], 'list.csv');
    const { exitCode, stderr } = await cli(['status', list.file]);
    expect(exitCode, stderr).toBe(0);
    expect(list.rows('list.status.csv')[1]).toMatch(/^Бат,ORD-2026-000002,ORD-2026-000002,CONFIRMED,/);
  });

  it('is asked about at a terminal only when no column is known', async () => {
    const { cli } = await imported([header, rowOf('UB-1')]);
    const list = shop(['Курьер,Юу', 'Бат,UB-1'], 'list.csv');
    const unasked = await cli(['status', list.file]);
    expect(unasked.exitCode).toBe(2);
    expect(unasked.stderr).toBe(
      [
        `error: ${list.file} does not say which column has the order IDs.`,
        'Its columns are: Курьер, Юу. Name the one that is meant, such as:',
        `  merchant-orders status ${list.file} --id-column 'Курьер'`,
        '',
      ].join('\n'),
    );
    const wrong = await cli(['status', list.file, '--id-column', 'Order']);
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain('does not say which column has the order IDs.');
    const beside = shop([`${header},Код`, `${rowOf('UB-1')},X-1`]);
    const typo = await cli(['status', beside.file, '--id-column', 'Kod']);
    expect(typo.stderr).toContain('does not say which column has the order IDs.');
    expect(typo.exitCode).toBe(2);
    const asked = await cli(['status', list.file], { answers: [{ pick: 'Юу' }] });
    expect(asked.asked).toEqual(['Which column has the order IDs or order numbers?']);
    expect(asked.exitCode, asked.stderr).toBe(0);
  });

  it('may be the list of this program', async () => {
    const { cli, folder } = await imported([header, rowOf('UB-1'), rowOf('UB-2')]);
    const file = join(folder, 'all.csv');
    await cli(['list', '--all', '--output', file]);
    const { exitCode, stderr } = await cli(['status', file]);
    expect(exitCode, stderr).toBe(0);
    expect(readFileSync(join(folder, 'all.status.csv'), 'utf8')).toContain('ORD-2026-000002,CONFIRMED');
  });

  it('comes from standard input too', async () => {
    const { cli } = await imported([header, rowOf('UB-1')]);
    const output = join(temporaryDirectory(), 'out.csv');
    const { exitCode, stderr } = await cli(['status', '-', '--output', output], {
      stdin: `${header}\n${rowOf('UB-1')}\n`,
    });
    expect(exitCode, stderr).toBe(0);
    expect(readFileSync(output, 'utf8')).toContain('ORD-2026-000001');
  });

  it('is no order: get shows one', async () => {
    const { stderr, exitCode } = await runCli(['status', 'ORD-2026-000001']);
    expect(stderr).toBe(
      'error: There is no file ORD-2026-000001.\nCheck the name. To look at one order, run: merchant-orders get ORD-2026-000001\n',
    );
    expect(exitCode).toBe(2);
  });

  it.each([
    ['', 'is empty'],
    ['<html><body>no</body></html>', 'is a web page, not CSV'],
    [`${header}\n"UB-1,99112233`, 'has a quote'],
  ])('is refused as an import refuses it: %j', async (text, problem) => {
    const { file, folder } = shop([]);
    writeFileSync(file, text);
    const { stderr, exitCode } = await runCli(['status', file]);
    expect(stderr).toContain(problem);
    expect(exitCode).toBe(2);
    expect(existsSync(join(folder, 'orders.status.csv'))).toBe(false);
  });
});

describe('the file that status writes', () => {
  it('is never one that it reads', async () => {
    const { cli, file, read } = await imported([header, rowOf('UB-1')]);
    const before = read('orders.csv');
    const { stderr, exitCode } = await cli(['status', file, '--output', file]);
    expect(stderr).toContain(`error: The states would overwrite ${file}.`);
    expect(exitCode).toBe(2);
    expect(read('orders.csv')).toBe(before);
    const printed = await cli(['status', file, '--output', '-']);
    expect(printed.stderr).toContain('error: The states would overwrite -.');
    expect(printed.exitCode).toBe(2);
  });

  it('replaces an earlier one, and keeps any other file', async () => {
    const { cli, file, folder, find, read } = await imported([header, rowOf('UB-1')]);
    await cli(['status', file]);
    find('UB-1').status = 'DONE';
    const replaced = await cli(['status', file]);
    expect(replaced.stderr).not.toContain('is kept as');
    expect(read()).toContain(',DONE,');
    writeFileSync(join(folder, 'orders.status.csv'), 'my notes\n');
    const kept = await cli(['status', file]);
    const [, backup = ''] = /is kept as (.*)\.\n/.exec(kept.stderr) ?? [];
    expect(readFileSync(backup, 'utf8')).toBe('my notes\n');
  });

  it('replaces an earlier one with a long header', async () => {
    const { cli, file, find } = await imported([`${header},${'Тайлбар'.repeat(400)}`, `${rowOf('UB-1')},-`]);
    await cli(['status', file]);
    find('UB-1').status = 'DONE';
    const { stderr, exitCode } = await cli(['status', file]);
    expect(stderr).not.toContain('is kept as');
    expect(exitCode, stderr).toBe(0);
  });

  it('is not begun when it cannot be written', async () => {
    const { cli, file, seen } = await imported([header, rowOf('UB-1')]);
    const { lists } = seen;
    const { stderr, exitCode } = await cli(['status', file, '--output', '/nowhere/x.csv']);
    expect(stderr).toContain('/nowhere/x.csv cannot be written');
    expect(exitCode).toBe(2);
    expect(seen.lists).toBe(lists);
  });

  it('runs no formula of the file or of the service', async () => {
    const { cli, file, find, rows } = await imported([header, rowOf('UB-1')]);
    Object.assign(find('UB-1'), { status: '=1+1', delivery: { status: '@SUM(1)' } });
    await cli(['status', file]);
    expect(rows()[1]).toContain(",'=1+1,'@SUM(1),");
  });

  it('is not written when the work is stopped, or the service is away', async () => {
    const { cli, file, folder, stop } = await imported([header, rowOf('UB-1')]);
    const interruption = createInterruption();
    interruption.send('SIGINT');
    const stopped = await cli(['status', file], { interruption });
    expect(stopped.exitCode).toBe(130);
    await stop();
    const away = await cli(['status', file]);
    expect(away.exitCode).toBe(7);
    expect(existsSync(join(folder, 'orders.status.csv'))).toBe(false);
  });
});

describe('status reads a file as import does', () => {
  it('reads a workbook, with its titles above and the sheet that is asked for', async () => {
    const { cli, folder } = await imported([header, rowOf('UB-1'), rowOf('UB-2')]);
    const cells = [['Хүргэлт'], [], header.split(','), ...['UB-1', 'UB-2'].map((id) => rowOf(id).split(','))];
    const book = workbookOf({ sheets: [sheetOf(cells, 'A'), sheetOf(cells.slice(0, 4), 'B')] });
    const file = join(folder, 'book.xlsx');
    writeFileSync(file, book);
    const unasked = await cli(['status', file]);
    expect(unasked.exitCode).toBe(2);
    expect(unasked.stderr).toContain('--sheet');
    const asked = await cli(['status', file], {
      answers: [{ pick: 'B' }, ({ choices }) => choices[0]?.value ?? ''],
    });
    expect(asked.exitCode, asked.stderr).toBe(0);
    const given = await cli(['status', file, '--sheet', 'A', '--header-row', '3']);
    expect(given.exitCode, given.stderr).toBe(0);
    const text = readFileSync(join(folder, 'book.status.csv'), 'utf8');
    expect(text).toMatch(/^\ufeffХүргэлт/);
    expect(text).toMatch(/^UB-2,.*,ORD-2026-000002,CONFIRMED,/m);
  });

  it('reads it by the remembered mapping, without a question', async () => {
    const { cli, file, rows } = await imported([header, rowOf('UB-1')]);
    const map = join(temporaryDirectory(), 'map.json');
    const columns = {
      externalOrderId: 'Код',
      'customer.phone': 'Утас',
      'items[].sku': 'Бараа',
      collectionAmount: 'Авах',
    };
    writeFileSync(map, JSON.stringify({ columns, constants: { collectionMode: 'COLLECT' } }));
    writeFileSync(file, 'Код,Утас,Бараа,Авах\nUB-1,99112233,TEA-1,4000\n');
    const added = await cli(['mappings', 'add', file, map]);
    expect(added.exitCode, added.stderr).toBe(0);
    const { stderr, exitCode } = await cli(['status', file]);
    expect(stderr).toContain('Read with the remembered mapping orders.');
    expect(rows()[1]).toMatch(/,collectionAmount$/);
    expect(exitCode).toBe(6);
  });

  it('takes the prefix that the IDs had', async () => {
    const { cli, file } = await imported([header, rowOf('K-1'), rowOf('K-2')]);
    writeFileSync(file, `${header}\n${rowOf('1')}\n${rowOf('2')}\n`);
    const { exitCode, stderr } = await cli(['status', file, '--id-prefix', 'K-']);
    expect(exitCode, stderr).toBe(0);
  });

  it('keeps delimiter and encoding marks of the file', async () => {
    const { cli, file, rows } = await imported([header, rowOf('UB-1')]);
    writeFileSync(file, `${header.replaceAll(',', ';')}\n${rowOf('UB-1').replaceAll(',', ';')}\n`);
    const { exitCode, stderr } = await cli(['status', file]);
    expect(exitCode, stderr).toBe(0);
    expect(rows()[1]).toMatch(/^UB-1;99112233;TEA-1;COLLECT;5000;5000;ORD-2026-000001;CONFIRMED;;5000;5000;/);
  });
});
