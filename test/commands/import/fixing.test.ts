import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.ts';
import { fixRejects, folderWith, rowsOf, start } from './setup.ts';

describe('a file in place of the results', () => {
  it('is kept under another name when no import wrote it, and replaced when one did', async () => {
    const shop = await start('orders.csv');
    const notes = 'row,external_order_id,my notes\n2,UB-10001,call first\n';
    writeFileSync(shop.results, notes);
    const first = await shop.import(['--yes', '--limit', '1', '--json']);
    const kept = shop.path(`orders.results.before-${JSON.parse(first.stdout).run}.csv`);
    expect(first.stderr).toContain(`The earlier ${shop.results} is kept as ${kept}.\n`);
    expect([readFileSync(kept, 'utf8'), rowsOf(shop.results).length]).toEqual([notes, 264]);
    const second = await shop.import(['--yes', '--limit', '2']);
    expect([second.exitCode, second.stderr.includes('is kept as')]).toEqual([0, false]);
    expect(shop.files().filter((name) => name.includes('.before-'))).toHaveLength(1);
  });
});

describe('a file whose quotes are text', () => {
  it('has rejects that import with the same flags, cell for cell', async () => {
    const shop = await start('import/unquoted-inches.csv');
    shop.edit('99112233', 'утас');
    const flags = shop.mapping({ quote: 'none' });
    const { exitCode, stderr } = await shop.import([...flags, '--yes']);
    expect({ exitCode, hint: stderr.includes(`import ${shop.rejects} ${flags.join(' ')} --yes`) }).toEqual({
      exitCode: 2,
      hint: true,
    });
    const rejects = readFileSync(shop.rejects, 'utf8');
    expect(rejects.split('\n')[1]).toContain('A-1,утас,TEA-001,"24 inch,NONE,2,phone_invalid,');
    expect(rejects.trimEnd().split('\n')).toHaveLength(2);
    writeFileSync(shop.rejects, rejects.replace('утас', '99112233'));
    const again = await shop.run(['import', shop.rejects, ...flags, '--yes']);
    expect(again).toMatchObject({ exitCode: 0, stdout: 'outcome\torders\ncreated\t1\ntotal\t1\n' });
    expect(await shop.listed()).toMatchObject([{ externalOrderId: 'A-1', items: [{ sku: 'TEA-001' }] }]);
  });

  it('is read with the draft of a mapping, and the next file is judged by itself', async () => {
    const { csv, path, configDirectory } = folderWith('import/unquoted-inches.csv');
    const run = (...args: string[]) => runCli(args, { configDirectory });
    const refused = await run('import', csv, '--dry-run');
    expect([refused.stderr, refused.exitCode]).toEqual([
      [
        `error: ${csv} has a quoted cell that contains the rows below it in row 2 (line 2), column D.`,
        'If quotes are ordinary text in this file, add --map FILE with "quote": "none", which --write-map FILE writes: every row is then as wide as the header. Otherwise fix the quotes there.\n',
      ].join('\n'),
      2,
    ]);
    const map = path('map.json');
    expect((await run('import', csv, '--write-map', map)).exitCode).toBe(0);
    expect(JSON.parse(readFileSync(map, 'utf8'))).toMatchObject({ quote: 'none' });
    const requests = async (...flags: string[]) => {
      const { stdout } = await run('import', csv, '--dry-run', '--format', 'ndjson', ...flags);
      return stdout.trimEnd().split('\n').slice(0, -1);
    };
    const mapped = await requests('--map', map);
    expect([mapped.length, JSON.parse(mapped[0] ?? '').request.items[0].name]).toEqual([4, '"24 inch']);
    expect((await run('mappings', 'add', csv, map)).exitCode).toBe(0);
    expect(await run('import', csv, '--dry-run')).toEqual(refused);
  });
});

describe('rows of another width', () => {
  const lines = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');
  const error = (row: number, count: number, before = 6) =>
    `${row},row_width,"row ${row} has ${count} cells, but the header has ${before}","`;

  it('are written to the rejects as they are, and stay invalid until they are fixed', async () => {
    const shop = await start('import/rows-of-other-widths.csv');
    const { exitCode } = await shop.import(['--on-invalid', 'skip', '--yes']);
    expect([exitCode, (await shop.listed()).length]).toEqual([6, 2]);
    const [header, ...rows] = lines(shop.rejects);
    expect(header).toBe(
      '\uFEFFexternalOrderId,customer.phone,items[].sku,collectionMode,total,x.note,_row,_code,_error,_fix',
    );
    expect(rows.map((row) => row.slice(0, row.lastIndexOf('"', row.length - 2) + 1))).toEqual([
      `A-2,99112234,TEA-001,NONE,25,'000,call,${error(3, 7)}`,
      `A-3,99112235,TEA-002,NONE,300,${error(4, 5)}`,
      expect.stringContaining('A-4,99112236'),
      `A-4,,MLK-001,,,${error(7, 5)}`,
    ]);
    const again = await shop.run(['import', shop.rejects, '--yes']);
    expect(again).toMatchObject({ exitCode: 2, stdout: 'outcome\torders\ninvalid\t3\ntotal\t3\n' });
    const second = shop.rejects.replace('.rejects.csv', '.rejects.2.csv');
    expect(lines(second)[2]).toBe(
      `A-3,99112235,TEA-002,NONE,300,${error(3, 9, 10)}add the delimiter that is missing in the row, or the cells at its end"`,
    );
  });

  it('are valid when they are fixed there, and not when a spreadsheet fills them up', async () => {
    const shop = await start('import/rows-of-other-widths.csv');
    await shop.import(['--on-invalid', 'skip', '--yes']);
    const [header = '', wide = '', narrow = ''] = lines(shop.rejects);
    writeFileSync(shop.rejects, [header, wide.replace("25,'000", '25000'), `${narrow},`].join('\n'));
    const filled = await shop.run(['import', shop.rejects, '--yes', '--on-invalid', 'skip']);
    expect(filled.stdout).toBe('outcome\torders\ncreated\t1\ninvalid\t1\ntotal\t2\n');
    writeFileSync(shop.rejects, [header, narrow.replace(',300,', ',300,,')].join('\n'));
    const fixed = await shop.run(['import', shop.rejects, '--yes']);
    expect(fixed).toMatchObject({ exitCode: 0, stdout: 'outcome\torders\ncreated\t1\ntotal\t1\n' });
  });
});

describe('a file with invalid orders', () => {
  it('is reported with the row numbers of a spreadsheet, and nothing is sent', async () => {
    const shop = await start('orders-invalid.csv');
    const { stdout, stderr, exitCode } = await shop.import();
    expect(stderr.split('\n').filter((line) => /^(?:warning: )?row /.test(line))).toEqual([
      'row 3  order bad-customer-missing  customer  customer_missing',
      'row 4  order bad-phone-letters  column C customer.phone  phone_invalid',
      'row 5  order bad-phone-damaged  column C customer.phone  phone_damaged',
      'row 8  order bad-items-missing  items  items_missing',
      'row 9  order bad-collection-mode-lower-case  column I collectionMode  collection_mode_invalid',
      'row 10  order bad-collection-mode-missing  collectionMode  collection_mode_missing',
      'row 12  order bad-collection-amount-not-allowed  column J collectionAmount  collection_amount_not_allowed',
      'row 13  order bad-collection-amount-absent  collectionAmount  collection_amount_required',
      'row 16  order bad-decimal-exponent  column K total  decimal_invalid',
      'row 18  order bad-decimal-sign  column J collectionAmount  decimal_invalid',
      'row 21  order bad-date-feb-29  column L requestedDeliveryDate  date_invalid',
      'warning: row 23  order warn-phone-implausible  column C customer.phone  phone_implausible',
      'warning: row 24  order warn-date-past  column L requestedDeliveryDate  date_past',
      'row 30  externalOrderId  external_order_id_missing',
    ]);
    expect(stderr.split('\n').filter((line) => line.includes('same in'))).toEqual([
      '           same in 1 more row: 26',
      '           same in 2 more rows: 14, 25',
      '           same in 2 more rows: 17, 19',
      '           same in 2 more rows: 22, 25',
    ]);
    expect(stderr.slice(stderr.indexOf('To fix: '))).toBe(
      [
        `To fix: ${shop.rejects}`,
        `error: ${shop.csv}: 26 orders, 18 need fixing. Nothing was sent.`,
        `Send the 8 good ones now:\n  merchant-orders import ${shop.csv} --on-invalid skip`,
        `Then fix the others in ${shop.rejects} and run:\n  merchant-orders import ${shop.rejects}`,
        '',
      ].join('\n'),
    );
    expect({ stdout, exitCode, requests: shop.sandbox.requestCount(), files: shop.files() }).toEqual({
      stdout: 'outcome\torders\ninvalid\t18\nnot_sent\t8\ntotal\t26\n',
      exitCode: 2,
      requests: 0,
      files: ['orders-invalid.csv', 'orders-invalid.rejects.csv'],
    });
  });

  it('is imported without them, and the fixed rejects file is imported completely', async () => {
    const shop = await start('orders-invalid.csv');
    const { stdout, stderr, exitCode } = await shop.import(['--on-invalid', 'skip', '--yes']);
    expect({ stdout, exitCode }).toEqual({
      stdout: 'outcome\torders\ncreated\t8\ninvalid\t18\ntotal\t26\n',
      exitCode: 6,
    });
    expect(stderr.slice(stderr.indexOf('Results'))).toBe(
      [
        `Results: ${shop.results}`,
        `To fix: ${shop.rejects}`,
        'error: 18 of 26 orders failed.',
        `Fix them in ${shop.rejects} and run:\n  merchant-orders import ${shop.rejects} --on-invalid skip --yes`,
        '',
      ].join('\n'),
    );
    const rejects = rowsOf(shop.rejects);
    expect(rejects.map(({ _row, externalOrderId, _code }) => [_row, externalOrderId, _code])).toEqual([
      ['3', 'bad-customer-missing', 'customer_missing'],
      ['4', 'bad-phone-letters', 'phone_invalid'],
      ['5', 'bad-phone-damaged', 'phone_damaged'],
      ['8', 'bad-items-missing', 'items_missing'],
      ['9', 'bad-collection-mode-lower-case', 'collection_mode_invalid'],
      ['10', 'bad-collection-mode-missing', 'collection_mode_missing'],
      ['12', 'bad-collection-amount-not-allowed', 'collection_amount_not_allowed'],
      ['13', 'bad-collection-amount-absent', 'collection_amount_required'],
      ['14', 'bad-collection-amount-zero', 'collection_amount_required'],
      ['16', 'bad-decimal-exponent', 'decimal_invalid'],
      ['17', 'bad-decimal-separator', 'decimal_invalid'],
      ['18', 'bad-decimal-sign', 'decimal_invalid'],
      ['19', 'bad-decimal-no-digit', 'decimal_invalid'],
      ['21', 'bad-date-feb-29', 'date_invalid'],
      ['22', 'bad-date-april-31', 'date_invalid'],
      ['25', 'bad-two-problems', 'collection_amount_required date_invalid'],
      ['26', 'bad-three-rows', 'collection_mode_invalid'],
      ['27', 'bad-three-rows', ''],
      ['28', 'bad-three-rows', ''],
      ['30', '', 'external_order_id_missing'],
    ]);
    fixRejects(shop.rejects, {
      'bad-customer-missing': { 'customer.phone': '99112234' },
      'bad-phone-letters': { 'customer.phone': '99112234' },
      'bad-phone-damaged': { 'customer.phone': '99112234' },
      'bad-items-missing': { 'items[].sku': 'TEA-001' },
      'bad-collection-mode-lower-case': { collectionMode: 'COLLECT' },
      'bad-collection-mode-missing': { collectionMode: 'NONE' },
      'bad-collection-amount-not-allowed': { collectionAmount: '' },
      'bad-collection-amount-absent': { collectionAmount: '17800' },
      'bad-collection-amount-zero': { collectionMode: 'NONE' },
      'bad-decimal-exponent': { total: '100000' },
      'bad-decimal-separator': { total: '25000' },
      'bad-decimal-sign': { collectionAmount: '5' },
      'bad-decimal-no-digit': { total: '100.50' },
      'bad-date-feb-29': { requestedDeliveryDate: '2032-02-29' },
      'bad-date-april-31': { requestedDeliveryDate: '2030-04-30' },
      'bad-two-problems': { collectionAmount: '5', requestedDeliveryDate: '2030-06-30' },
      'bad-three-rows': { collectionMode: 'COLLECT' },
      '': { externalOrderId: 'found-again' },
    });
    const fixed = await shop.run(['import', shop.rejects, '--on-invalid', 'skip', '--yes']);
    expect({ stdout: fixed.stdout, exitCode: fixed.exitCode }).toEqual({
      stdout: 'outcome\torders\ncreated\t18\ntotal\t18\n',
      exitCode: 0,
    });
    const listed = await shop.listed();
    const ids = listed.map(({ externalOrderId }) => externalOrderId);
    expect([ids.length, new Set(ids).size]).toEqual([26, 26]);
    expect(listed.find(({ externalOrderId }) => externalOrderId === 'bad-three-rows')?.items).toHaveLength(3);
    expect(listed[0]).not.toHaveProperty('_row');
  });

  it.each<[string, object, string[], number]>([
    ['rejects repeated rows', {}, ['5 duplicate_row', '6 duplicate_row'], 2],
    ['accepts repeated rows as lines with repeated_rows', { repeated_rows: 'lines' }, [], 0],
    [
      'rejects repeated IDs with one_row_per_order',
      { one_row_per_order: true },
      ['3 external_order_id_missing', '5 duplicate_row', '6 external_order_id_missing'],
      2,
    ],
  ])('%s', async (_, mapping, codes, exitCode) => {
    const shop = await start('import/overlapping-exports.csv');
    const result = await shop.import([...shop.mapping(mapping), '--yes']);
    expect(result.exitCode).toBe(exitCode);
    const found =
      exitCode === 0 ? [] : rowsOf(shop.rejects).filter(({ _row }) => codes.join().includes(`${_row} `));
    expect(found.map(({ _row, _code }) => `${_row} ${_code?.split(' ')[0]}`)).toEqual(codes);
    const lines = exitCode === 0 ? (await shop.listed()).map(({ items }) => items.length).sort() : [];
    expect(lines).toEqual(exitCode === 0 ? [1, 1, 4] : []);
  });
});

describe('one round of fixing', () => {
  const header = 'externalOrderId,customer.phone,items[].sku,Pays,Amount,deliveryAddress.street';
  const mapping = {
    columns: { total: 'Amount' },
    amount_due: 'Amount',
    values: { Pays: { cash: 'collect' } },
  };

  it('names all problems of an order at once, and a cell that fills two fields once', async () => {
    const shop = await start('orders.csv');
    const orders = [
      'A-1,утас,TEA-001,cash,abc,',
      'A-2,99112233,TEA-001,cash,45000,Peace 1',
      'A-3,99112234,,cash,x1,',
    ];
    writeFileSync(shop.csv, `${[header, ...orders].join('\n')}\n`);
    const flags = [...shop.mapping(mapping), '--yes'];
    expect((await shop.import(flags)).exitCode).toBe(2);
    expect(rowsOf(shop.rejects).map(({ _code }) => _code)).toEqual([
      'phone_invalid decimal_invalid address_missing',
      'items_missing decimal_invalid address_missing',
    ]);
    expect(rowsOf(shop.rejects)[0]?._error).toBe(
      'customer.phone: is not a phone number; Amount: is not an amount in the format of the service; ' +
        'deliveryAddress.street: it has no address, but other orders of the file have one',
    );
    fixRejects(shop.rejects, {
      'A-1': { 'customer.phone': '99112235', Amount: '8900', 'deliveryAddress.street': 'Peace 2' },
      'A-3': { 'items[].sku': 'TEA-001', Amount: '8900', 'deliveryAddress.street': 'Peace 3' },
    });
    expect((await shop.run(['import', shop.rejects, ...flags])).exitCode).toBe(0);
  });

  it('counts the phones of a customer ID in orders with other problems too', async () => {
    const shop = await start('orders.csv');
    const header = 'externalOrderId,customer.phone,customer.externalCustomerId,items[].sku,collectionMode';
    const orders = [1, 2, 3].map((n) => `A-${n},9911000${n},walk-in,${n === 3 ? '' : 'TEA-001'},NONE`);
    writeFileSync(shop.csv, `${[header, ...orders].join('\n')}\n`);
    await shop.import(['--yes']);
    expect(rowsOf(shop.rejects).map(({ _code }) => _code)).toEqual([
      'customer_id_shared',
      'customer_id_shared',
      'items_missing customer_id_shared',
    ]);
  });

  it.each([['new', 'on_hold'], ['on_hold']])('asks about on_hold beside %s', async (...states) => {
    const shop = await start('orders.csv');
    const orders = states.map((state, n) => `A-${n},9911000${n},TEA-001,NONE,${state}`);
    const header = 'externalOrderId,customer.phone,items[].sku,collectionMode,Delivery';
    writeFileSync(shop.csv, `${[header, ...orders].join('\n')}\n`);
    const { stdout } = await shop.import(['--write-map', '-', '--ignore-rest']);
    expect(JSON.parse(stdout).values.Delivery.on_hold).toBe('? (choose) | deliver | leave_out');
    expect(await shop.import(['--ignore-rest', '--yes'])).toMatchObject({ exitCode: 2 });
  });
});

describe('what is wrong with the rows to fix', () => {
  const rowsIn = async (args: string[], more: Parameters<typeof runCli>[1]) => {
    const shop = await start('orders-invalid.csv');
    await shop.import([...args, '--on-invalid', 'skip', '--yes'], more);
    return rowsOf(shop.rejects).map(({ _error = '', _fix = '' }) => `${_error} ${_fix}`);
  };
  const atTerminal = { answers: [], env: { MERCHANT_ORDERS_LANG: 'mn' } };

  it('is said in the language of the terminal, in English elsewhere, or as --lang has it', async () => {
    const isMongolian = (text: string) => text.includes('бичнэ үү');
    const [mongolian = [], piped = [], asked = [], english = []] = await Promise.all([
      rowsIn([], atTerminal),
      rowsIn([], {}),
      rowsIn(['--lang', 'mn'], {}),
      rowsIn(['--lang', 'en'], atTerminal),
    ]);
    expect(mongolian.some(isMongolian)).toBe(true);
    expect(asked).toEqual(mongolian);
    expect(piped.some(isMongolian)).toBe(false);
    expect(english).toEqual(piped);
  });

  it('is in the language of the terminal where the service says it', async () => {
    const shop = await start('orders.csv');
    const row = 'A-1,99110001,NO-SUCH,NONE';
    writeFileSync(shop.csv, `externalOrderId,customer.phone,items[].sku,collectionMode\n${row}\n`);
    await shop.import(['--yes'], atTerminal);
    expect(rowsOf(shop.rejects)[0]).toMatchObject({
      _code: 'PRODUCT_SKU_NOT_FOUND',
      _fix: expect.stringMatching(/[а-яөү]{4}/),
    });
  });
});

it('names the command that creates a cancelled batch again', async () => {
  const shop = await start('orders.csv');
  await shop.import(['--yes', '--limit', '2']);
  await shop.run(['cancel', '--from', shop.results, '--reason', 'wrong day', '--yes']);
  const { exitCode, stderr } = await shop.import(['--yes', '--limit', '2']);
  expect([exitCode, stderr]).toEqual([
    6,
    expect.stringContaining(
      `To create the 2 cancelled orders again, run:\n  merchant-orders import ${shop.csv} --yes --limit 2 --recreate-cancelled\n`,
    ),
  ]);
});

it('asks nothing about a file while there is no key', async () => {
  const { csv } = folderWith('mappings/pedidos.csv');
  const { exitCode, asked, stderr } = await runCli(['import', csv], { answers: [] });
  expect([exitCode, asked, stderr]).toEqual([4, [], expect.stringContaining('There is no API key')]);
});
