import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.ts';
import { folderWith, noOrders, rowsOf, start } from './setup.ts';

const rules = ['--leave-out', 'Status=cancelled', '--leave-out', 'Status=delivered'];
const source = 'import/states.csv';
const implausible = {
  code: 'phone_implausible',
  path: 'customer.phone',
  message: 'does not look like a phone number of Mongolia; check it; it is sent as it is',
};
const ndjson = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('orders that are left out', () => {
  it('have a line in the results, and are counted by reason outside the total', async () => {
    const shop = await start(source);
    const { stdout, stderr, exitCode } = await shop.import([...rules, '--yes', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      orders: { ...noOrders, total: 2, created: 2 },
      leftOut: { total: 3, byReason: { cancelled: 2, fulfilled: 1 } },
      warnings: [{ code: 'phone_implausible', count: 1, rows: [5] }],
      rejects: null,
    });
    expect(stderr).toContain('\n3 left out: 2 cancelled, 1 fulfilled.\n');
    expect(
      rowsOf(shop.results).map(({ row, outcome, code, order_id, idempotency_key }) =>
        [row, outcome, code, order_id && 'id', idempotency_key && 'key'].join(' '),
      ),
    ).toEqual([
      '2 created  id key',
      '3 left_out cancelled  ',
      '4 left_out fulfilled  ',
      '5 created phone_implausible id key',
      '6 left_out cancelled  ',
    ]);
    expect(existsSync(shop.rejects)).toBe(false);
    expect((await shop.listed()).map(({ externalOrderId }) => externalOrderId).sort()).toEqual([
      'S-1',
      'S-4',
    ]);
  });

  it('are lines of ndjson, also in a dry run', async () => {
    const { csv, configDirectory } = folderWith(source);
    const args = ['import', csv, ...rules, '--dry-run', '--format', 'ndjson'];
    const { stdout, exitCode } = await runCli(args, { configDirectory });
    const lines = ndjson(stdout);
    expect(exitCode).toBe(0);
    expect(lines).toHaveLength(6);
    expect(lines[1]).toEqual({
      row: 3,
      externalOrderId: 'S-2',
      outcome: 'left_out',
      code: 'cancelled',
      attempts: 0,
    });
    expect(lines[3]).toMatchObject({ row: 5, outcome: 'not_sent', warnings: [implausible] });
    expect(lines[5]).toMatchObject({
      dryRun: true,
      orders: { total: 2, not_sent: 2 },
      leftOut: { total: 3, byReason: { cancelled: 2, fulfilled: 1 } },
      warnings: [{ code: 'phone_implausible', count: 1, rows: [5] }],
    });
  });
});

describe('orders that are left out although they were created', () => {
  const imported = async () => {
    const shop = await start(source);
    await shop.import([...rules, '--yes']);
    const [first, , , fourth] = rowsOf(shop.results);
    const text = readFileSync(shop.csv, 'utf8');
    writeFileSync(
      shop.csv,
      text.replace(/^(S-1,.*)new$/m, '$1cancelled').replace(/^(S-4,.*)new$/m, '$1delivered'),
    );
    return { ...shop, first, fourth };
  };

  it('keep their results line, and are warnings with the command that cancels', async () => {
    const shop = await imported();
    const cancel = `merchant-orders cancel ${shop.first?.order_number} --reason 'cancelled in the shop'`;
    const message = `it is left out (cancelled), but it was created before (${shop.first?.order_number}); so that it is not delivered, run: ${cancel}`;
    const { stdout, stderr, exitCode } = await shop.import([...rules, '--yes', '--format', 'ndjson']);
    const [first] = ndjson(stdout);
    expect(exitCode).toBe(0);
    expect(first).toMatchObject({
      outcome: 'already_exists',
      orderId: shop.first?.order_id,
      warnings: [{ code: 'left_out_but_created', message }],
    });
    expect(ndjson(stdout).at(-1)).toMatchObject({
      orders: { ...noOrders },
      leftOut: { total: 5, byReason: { cancelled: 3, fulfilled: 2 } },
      warnings: [{ code: 'left_out_but_created', count: 2, rows: [2, 5] }],
    });
    expect(stderr).toContain(`fix      so that it is not delivered, run: ${cancel}\n`);
    const [kept, , , delivered] = rowsOf(shop.results);
    expect(kept).toEqual({
      ...shop.first,
      outcome: 'already_exists',
      code: 'left_out_but_created',
      delivery: '',
      attempts: '0',
      message: expect.stringMatching(/^created \S+ by run \w+; warning: it is left out \(cancelled\), but/),
    });
    expect(kept?.message).toContain(message);
    expect(delivered?.message).toMatch(/; nothing needs to be done if this service delivered it$/);
    // One list and two creates, all of them of the first import.
    expect(shop.sandbox.requestCount()).toBe(3);
  });

  it('are warnings in a dry run too', async () => {
    const shop = await imported();
    const { stdout, stderr, exitCode } = await shop.import([...rules, '--dry-run', '--json']);
    expect(JSON.parse(stdout).warnings).toEqual([{ code: 'left_out_but_created', count: 2, rows: [2, 5] }]);
    expect(stderr).toContain('warning: row 2  order S-1  left_out_but_created\n');
    expect(exitCode).toBe(0);
  });

  it('are not known without a key, which is no error of its own', async () => {
    const shop = await imported();
    shop.edit('S-2,99112234,TEA-001,2,NONE,,cancelled', 'S-2,99112234,TEA-001,0,NONE,,new');
    const { configDirectory } = shop;
    const args = ['import', shop.csv, ...rules, '--yes', '--json'];
    const { stdout, stderr, exitCode } = await runCli(args, { configDirectory });
    expect(JSON.parse(stdout)).toMatchObject({ warnings: [], rejects: shop.rejects });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('"code":"order_invalid"')]);
  });
});
