import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startStubService } from '../../api/stub-service.ts';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';
import { cellsOf, countBy, noOrders } from './setup.ts';

const header = 'externalOrderId,customer.phone,items[].sku,collectionMode\n';

type Answer = 'created' | 'refused' | 'lost';

/** An import whose folder and configuration directory are gone as soon as the service has seen the first order. */
async function importWithoutFolders(answers: Answer[], flags: string[] = []) {
  const directory = temporaryDirectory();
  const [folder, configDirectory] = [join(directory, 'data'), join(directory, 'configuration')];
  const shop = temporaryDirectory();
  renameSync(shop, folder);
  const csv = join(folder, 'orders.csv');
  writeFileSync(csv, header + answers.map((_, index) => `A-${index},99112233,TEA-1,NONE\n`).join(''));
  const away = (path: string) => `${path}.away`;
  const removeFolders = () => {
    for (const path of [folder, configDirectory]) {
      renameSync(path, away(path));
      // Nothing can be created below a file.
      writeFileSync(path, '');
    }
  };
  let hasOrders = false;
  const { baseUrl } = await startStubService(({ method, body }) => {
    if (method !== 'POST') return { json: { orders: [], total: 0 } };
    if (!hasOrders) removeFolders();
    hasOrders = true;
    const { externalOrderId } = JSON.parse(body);
    const answer = answers[Number(externalOrderId.slice(2))];
    if (answer === 'refused') return { status: 422, json: { code: 'INVALID_ORDER', message: 'No.' } };
    if (answer === 'lost') return (response) => response.destroy();
    return { status: 201, json: { id: `id-${externalOrderId}`, externalOrderId } };
  });
  const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: 'live_key' };
  const result = await runCli(['import', csv, '--yes', ...flags], { env, configDirectory });
  const restore = () => {
    for (const path of [folder, configDirectory]) {
      renameSync(path, join(directory, `${Math.random()}`));
      renameSync(away(path), path);
    }
  };
  const run = (args: string[]) => runCli(args, { env, configDirectory });
  return { ...result, csv, configDirectory, restore, run };
}

describe('results that can be written nowhere', () => {
  it('do not hide what was created', async () => {
    const shop = await importWithoutFolders(['created', 'created']);
    const run = /imports show (\w{8}) --format csv$/m.exec(shop.stderr)?.[1] ?? '';
    const results = join(dirname(shop.csv), 'orders.results.csv');
    expect([shop.stdout, shop.stderr, shop.exitCode]).toEqual([
      'outcome\torders\ncreated\t2\ntotal\t2\n',
      `error: 2 orders were created, but the results could not be written. ${results} cannot be written: its folder is not a folder. ${shop.configDirectory} cannot be written: a file has the name of its folder.\n` +
        `Free some space, or check the folder. To print the results then, run:\n  merchant-orders imports show ${run} --format csv\n`,
      7,
    ]);
  });

  it('are printed by the command that is named, and the list of imports agrees', async () => {
    const shop = await importWithoutFolders(['created', 'created'], ['--json']);
    expect(JSON.parse(shop.stdout)).toMatchObject({
      orders: { ...noOrders, total: 2, created: 2 },
      results: null,
      rejects: null,
      exitCode: 7,
    });
    const { error } = JSON.parse(shop.stderr);
    expect([error.code, error.exitCode]).toEqual(['results_not_written', 7]);
    shop.restore();
    const { imports } = JSON.parse((await shop.run(['imports', '--json'])).stdout);
    expect(imports).toMatchObject([
      { orders: { ...noOrders, total: 2, created: 2 }, exitCode: 7, ended: 'all sent, not all written' },
    ]);
    const command = /merchant-orders (.*)$/.exec(error.hint)?.[1]?.split(' ') ?? [];
    const { stdout, exitCode } = await shop.run(command);
    expect(exitCode).toBe(0);
    expect(countBy(cellsOf(stdout), 'outcome')).toEqual({ created: 2 });
  });

  it('come after an unknown outcome', async () => {
    const shop = await importWithoutFolders(['created', 'lost'], ['--json', '--timeout', '3']);
    expect(JSON.parse(shop.stdout)).toMatchObject({ orders: { created: 1, unknown: 1 }, exitCode: 8 });
    const { error } = JSON.parse(shop.stderr.split('\n').at(-2) ?? '');
    expect([error.code, error.message, error.hint]).toEqual([
      'outcome_unknown',
      expect.stringMatching(
        /^It is not known whether 1 order was created: A-1\. 1 order was created, but the results could not be written\. /,
      ),
      expect.stringMatching(
        /^Run the same command again; .*:\n {2}merchant-orders import .*\n.*run:\n {2}merchant-orders imports show \w{8} --format csv$/,
      ),
    ]);
  });
});

describe('a name that no file can have', () => {
  const long = `${'r'.repeat(300)}.csv`;
  const fileNamed = (name: string) => {
    const file = join(temporaryDirectory(), name);
    writeFileSync(file, `${header}A-1,99112233,TEA-1,NONE\n`);
    return file;
  };

  it.each([
    ['results', long],
    ['rejects', long],
    ['results', join(...Array(100).fill('r'.repeat(50)), 'a.csv')],
  ])('of the %s is an error before anything is sent', async (what, name) => {
    const { cli, sandbox } = await startService();
    const file = fileNamed('orders.csv');
    const path = join(dirname(file), name);
    const { stdout, stderr, exitCode } = await cli(['import', file, `--${what}`, path, '--yes']);
    expect([stdout, sandbox.requestCount(), exitCode]).toEqual(['', 0, 2]);
    expect(stderr).toContain(`${path} cannot be written: its name is too long.`);
    expect(readdirSync(dirname(file))).toEqual(['orders.csv']);
  });
});
