import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { parseSeed } from '../../../src/sandbox/rules/seed.ts';
import { packageRoot, temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';
import { sheetOf, workbookOf } from '../../support/workbook.ts';

const fixtures = fileURLToPath(new URL('fixtures/status', packageRoot));
async function post(url: string, key: string, content: object) {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': 'twice',
  };
  const { body, statusCode } = await request(url, { method: 'POST', headers, body: JSON.stringify(content) });
  expect(statusCode).toBe(201);
  return (await body.json()) as Record<string, string>;
}

/** The service of the fixtures, where another client of the merchant has an order with the ID of SU-3. */
async function startFixtures() {
  const seed = parseSeed(readFileSync(join(fixtures, 'service.json'), 'utf8'), 'service.json');
  const { sandbox, cli } = await startService({
    anySku: true,
    // SU-11 has none, so it is not shown what is to be collected.
    behaviour: { orders: { required: ['items'] } },
    seed,
    now: () => Date.parse('2026-11-20T04:00:00Z'),
  });
  const { baseUrl, adminToken } = sandbox;
  const { apiKey = '' } = await post(`${baseUrl}/_sandbox/keys`, adminToken, { client: 'other' });
  const order = { ...seed.orders.find(({ externalOrderId }) => externalOrderId === 'SU-3'), total: '1' };
  await post(`${baseUrl}/api/v1/merchant/orders`, apiKey, order);
  const folder = temporaryDirectory();
  cpSync(fixtures, folder, { recursive: true });
  const inFolder = (name: string) => join(folder, name);
  const read = (name: string) => readFileSync(inFolder(name), 'utf8').replaceAll(`${folder}/`, '');
  return { cli, inFolder, read };
}

const expected = (name: string) => readFileSync(join(fixtures, name), 'utf8');

describe('status of the files in fixtures/status', () => {
  it.each<[string, string, string, string[]]>([
    ['each difference', 'orders.csv', 'orders.status.csv', ['--map', 'orders.map.json']],
    ['a results file', 'orders.results.csv', 'orders.results.status.csv', []],
    ['a list without a header', 'list.csv', 'list.status.csv', []],
    ['an export of Odoo', 'shop.csv', 'shop.status.csv', []],
    [
      'two lists of couriers',
      'orders.csv',
      'orders.cash.csv',
      ['--map', 'orders.map.json', '--cash', 'monday.csv', '--cash', 'tuesday.csv'],
    ],
  ])('writes %s as a person reads it', async (_, file, result, flags) => {
    const { cli, inFolder, read } = await startFixtures();
    const args = flags.map((flag) => (/\.(?:csv|json)$/.test(flag) ? inFolder(flag) : flag));
    const output = inFolder('written.csv');
    const { stderr, exitCode } = await cli(['status', inFolder(file), '--output', output, ...args]);
    expect(read('written.csv'), stderr).toBe(expected(result));
    expect(exitCode).toBe(6);
  });

  it('writes a workbook as a person reads it', async () => {
    const { cli, inFolder, read } = await startFixtures();
    const rows = expected('sheet.csv').trimEnd().split('\n');
    const cells = rows.map((row) => row.split(',').map((cell) => (/^\d+$/.test(cell) ? Number(cell) : cell)));
    writeFileSync(inFolder('sheet.xlsx'), workbookOf({ sheets: [sheetOf(cells)] }));
    const { stderr, exitCode } = await cli(['status', inFolder('sheet.xlsx')]);
    expect(read('sheet.status.csv'), stderr).toBe(expected('sheet.status.csv'));
    expect(exitCode).toBe(6);
  });
});
