import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.ts';
import { fixRejects, folderWith, noOrders, rowsOf, start } from './setup.ts';

describe('a rejects file that was edited', () => {
  it('is kept under another name, not overwritten', async () => {
    const shop = await start('orders-invalid.csv');
    await shop.import(['--yes']);
    const fixed = readFileSync(shop.rejects, 'utf8').replace('утасгүй', '99112233');
    writeFileSync(shop.rejects, fixed);
    const { stderr } = await shop.import(['--on-invalid', 'skip', '--yes']);
    const kept = /^The earlier .*\/orders-invalid.rejects.csv is kept as (.*)\.$/m.exec(stderr)?.[1] ?? '';
    expect(readFileSync(kept, 'utf8')).toBe(fixed);
    expect(readFileSync(shop.rejects, 'utf8')).toContain('утасгүй');
  });
});

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
        `Fix them in ${shop.rejects} and run:\n  merchant-orders import ${shop.rejects}`,
        `or send the 8 good ones now:\n  merchant-orders import ${shop.csv} --on-invalid skip`,
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

  it('is fixed with the flags of the original import, except those for its rows and files', async () => {
    const shop = await start('import/semicolons.csv');
    shop.edit('total', 'customer.phone');
    const flags = ['--delimiter', ';', '--set', 'collectionMode=NONE', '--set', 'items[0].name=Gift'];
    const rowAndFileFlags = [
      '--rows',
      '2-9',
      '--limit=5',
      '--results',
      shop.path('r.csv'),
      `--rejects=${shop.path('m.csv')}`,
    ];
    const { stderr, exitCode } = await shop.import([...flags, ...rowAndFileFlags, '--yes']);
    expect(exitCode).toBe(2);
    const command = `merchant-orders import ${shop.path('m.csv')} --delimiter ';' --set collectionMode=NONE --set 'items[0].name=Gift' --yes`;
    expect(stderr).toContain(`Fix them in ${shop.path('m.csv')} and run:\n  ${command}\n`);
    const [reject] = rowsOf(shop.path('m.csv'), ';');
    expect(reject).toMatchObject({ externalOrderId: 'A-1', 'deliveryAddress.note': 'a;b, c' });
    const fixed = await shop.run([
      ...['import', shop.path('m.csv'), ...flags, '--yes', '--set', 'customer.phone=99112233'],
    ]);
    expect({ stdout: fixed.stdout, exitCode: fixed.exitCode }).toEqual({
      stdout: 'outcome\torders\ncreated\t1\ntotal\t1\n',
      exitCode: 0,
    });
    expect((await shop.listed())[0]).toMatchObject({ deliveryAddress: { note: 'a;b, c' } });
  });

  it.each<[string, object, string[], number]>([
    ['rejects repeated rows', {}, ['5 duplicate_row', '6 duplicate_row'], 2],
    ['accepts repeated rows as lines with repeated_rows', { repeated_rows: 'lines' }, [], 0],
    [
      'rejects repeated IDs with one_row_per_order',
      { one_row_per_order: true },
      ['3 external_order_id_missing', '5 duplicate_order', '6 external_order_id_missing'],
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

  it('is checked only by the service with --no-checks', async () => {
    const shop = await start('orders-invalid.csv');
    const { stdout, exitCode } = await shop.import(['--no-checks', '--rows', '12', '--yes', '--json']);
    expect(JSON.parse(stdout).orders).toEqual({ ...noOrders, total: 1, rejected: 1 });
    expect(exitCode).toBe(6);
    expect(rowsOf(shop.rejects).map(({ _code }) => _code)).toEqual(['MERCHANT_API_INVALID_ORDER']);
  });
});
