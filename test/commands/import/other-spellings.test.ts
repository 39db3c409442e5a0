import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { type CliOptions, errorIn, runCli, temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';
import { type Cells, fixRejects, noOrders, rowsOf } from './setup.ts';

const header = 'externalOrderId,customer.phone,items[].sku,collectionMode,collectionAmount';

/** The phone depends on the place alone: the same order in every file. */
const textOf = (ids: readonly string[]) =>
  `${[header, ...ids.map((id, index) => `${id},9900112${index},TEA-001,COLLECT,${5000 + index}`)].join('\n')}\n`;

/** Files in a folder, imported into the embedded sandbox, or into a service with these variables. */
function startFolder(env?: Record<string, string>) {
  const directory = temporaryDirectory();
  const configDirectory = join(temporaryDirectory(), 'configuration');
  const target = env === undefined ? ['--sandbox'] : [];
  const run = (args: string[], options: CliOptions = {}) =>
    runCli([...args, ...target], { configDirectory, ...(env === undefined ? {} : { env }), ...options });
  return {
    configDirectory,
    run,
    path: (name: string) => join(directory, name),
    importText: (text: string, flags: string[] = [], options: CliOptions = {}) => {
      writeFileSync(join(directory, 'orders.csv'), text);
      return run(['import', join(directory, 'orders.csv'), '--yes', '--json', ...flags], options);
    },
    listed: async (): Promise<string[]> => {
      const { stdout } = await run(['list', '--all', '--format', 'ndjson']);
      const lines = stdout.split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line).externalOrderId).sort();
    },
  };
}

const before = ['#2001', 'kh-7', '2002', 'UB-10', 'АВ-3'];
const after = ['02001', 'KH-7', '2002.0', 'ub 10', 'ＡＢ－３'];
const problem = (id: string) =>
  `it was imported before as ${id}, another spelling of the ID, and would be created again`;
const fix =
  'write the ID as it was before, or remove its rows; if it is another order, give it an ID that differs in more than that';

describe('orders that were imported under another spelling of their ID', () => {
  it('stop the import before anything is sent, and name the spelling of before', async () => {
    const { importText, listed, path } = startFolder();
    expect((await importText(textOf(before))).exitCode).toBe(0);
    const { stdout, stderr, exitCode } = await importText(textOf([...after, 'N-1']));
    expect(JSON.parse(stdout)).toMatchObject({
      orders: { ...noOrders, total: 6, invalid: 5, not_sent: 1 },
      warnings: [],
      exitCode: 2,
    });
    const error = errorIn(stderr);
    expect(error).toMatchObject({
      code: 'order_invalid',
      outcome: 'not_sent',
      issues: [{ code: 'id_known_otherwise', rows: [2, 3, 4, 5, 6], count: 5 }],
    });
    expect(stderr).toContain(
      `row 2  order 02001  externalOrderId  id_known_otherwise\n  problem  ${problem('#2001')}\n`,
    );
    expect(exitCode).toBe(2);
    expect(rowsOf(path('orders.rejects.csv')).map(rejectOf)).toEqual(
      after.map((id, index) => [
        id,
        'id_known_otherwise',
        `externalOrderId: ${problem(before[index] ?? '')}`,
        fix,
      ]),
    );
    expect(await listed()).toEqual(before.toSorted());
  });

  it('are skipped with --on-invalid skip, and their fixed rejects exist already', async () => {
    const { importText, run, listed, path } = startFolder();
    await importText(textOf(before));
    const skipped = await importText(textOf([...after, 'N-1']), ['--on-invalid', 'skip']);
    expect(JSON.parse(skipped.stdout).orders).toEqual({ ...noOrders, total: 6, created: 1, invalid: 5 });
    expect(rowsOf(path('orders.results.csv')).map(({ outcome, code }) => `${outcome} ${code}`)).toEqual([
      ...Array<string>(5).fill('invalid id_known_otherwise'),
      'created ',
    ]);
    const rejects = path('orders.rejects.csv');
    fixRejects(
      rejects,
      Object.fromEntries(after.map((id, index) => [id, { externalOrderId: before[index] ?? '' }])),
    );
    const again = await run(['import', rejects, '--yes', '--json']);
    expect(JSON.parse(again.stdout).orders).toEqual({ ...noOrders, total: 5, already_exists: 5 });
    expect(await listed()).toEqual([...before, 'N-1'].sort());
  });

  it.each([
    ['json', ['--json']],
    ['ndjson', ['--format', 'ndjson']],
  ])('are the same errors in a dry run, in %s', async (_, format) => {
    const { importText, run, path } = startFolder();
    await importText(textOf(before));
    writeFileSync(path('next.csv'), textOf([...after, 'N-1']));
    const { stdout, stderr, exitCode } = await run(['import', path('next.csv'), '--dry-run', ...format]);
    const summary = format[0] === '--json' ? stdout : (stdout.trimEnd().split('\n').at(-1) ?? '');
    expect(JSON.parse(summary).orders).toEqual({ ...noOrders, total: 6, invalid: 5, not_sent: 1 });
    expect(stderr.split('id_known_otherwise\n')).toHaveLength(2);
    expect(exitCode).toBe(2);
    if (format[0] === '--json') return;
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({
      outcome: 'invalid',
      code: 'id_known_otherwise',
      message: `externalOrderId: ${problem('#2001')}`,
    });
  });

  it('are created again with --recreate-cancelled once they are cancelled', async () => {
    const { importText, run, listed } = startFolder();
    await importText(textOf(['#2001']));
    await run(['cancel', '#2001', '--reason', 'wrong ID', '--yes']);
    const { stdout, stderr } = await importText(textOf(['2001']));
    expect(JSON.parse(stdout).orders).toMatchObject({ invalid: 1 });
    expect(stderr).toContain('to create it again, add --recreate-cancelled\n');
    const again = await importText(textOf(['2001']), ['--recreate-cancelled']);
    expect(JSON.parse(again.stdout).orders).toMatchObject({ created: 1 });
    expect(await listed()).toEqual(['#2001', '2001']);
  });

  it('are found when they were sent with another key of the merchant, and not with one of another merchant', async () => {
    const { sandbox, env } = await startService({ anySku: true });
    const newKey = async (client: string) => {
      const { body } = await request(`${sandbox.baseUrl}/_sandbox/keys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.adminToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ client }),
      });
      const { apiKey } = (await body.json()) as { apiKey: string };
      return { env: { ...env, MERCHANT_ORDERS_API_KEY: apiKey } };
    };
    const { importText } = startFolder(env);
    await importText(textOf(before));
    const ofMerchant = await importText(textOf(after), [], await newKey('other'));
    expect(JSON.parse(ofMerchant.stdout).orders).toEqual({ ...noOrders, total: 5, invalid: 5 });
    const ofOther = await importText(textOf(after), [], await newKey('of_other_merchant'));
    expect(JSON.parse(ofOther.stdout).orders).toEqual({ ...noOrders, total: 5, created: 5 });
  });
});

const rejectOf = ({ externalOrderId, _code, _error, _fix }: Cells) => [externalOrderId, _code, _error, _fix];

describe('honest orders', () => {
  it.each<[string, string[], string[]]>([
    ['only share digits', ['A-1001', '10-01', 'A-1'], ['B-1001', '1001', 'A-11']],
    ['have other zeros in a code', ['A-1'], ['A-01']],
  ])('are created when their IDs %s', async (_, first, second) => {
    const { importText, listed } = startFolder();
    await importText(textOf(first));
    const { stdout, exitCode } = await importText(textOf(second));
    expect(JSON.parse(stdout).orders).toEqual({ ...noOrders, total: second.length, created: second.length });
    expect([exitCode, await listed()]).toEqual([0, [...first, ...second].sort()]);
  });

  it('are created when the service rejected the other spelling', async () => {
    const { importText, listed } = startFolder();
    const rejected = await importText(textOf(['#2001']).replace('TEA-001', 'SEA-001'));
    expect(JSON.parse(rejected.stdout).orders).toMatchObject({ rejected: 1 });
    const { stdout } = await importText(textOf(['2001']));
    expect([JSON.parse(stdout).orders.created, await listed()]).toEqual([1, ['2001']]);
  });

  it('are created when their file has both spellings, for two customers, also after an interruption', async () => {
    const { importText, listed } = startFolder();
    await importText(textOf(['#2001', '2001']), ['--limit', '1']);
    expect(await listed()).toEqual(['#2001']);
    const { stdout } = await importText(textOf(['#2001', '2001']));
    expect(JSON.parse(stdout)).toMatchObject({
      orders: { already_exists: 1, created: 1 },
      warnings: [{ code: 'ids_alike', count: 1 }],
    });
    const again = await importText(textOf(['#2001', '2001']));
    expect(JSON.parse(again.stdout).orders).toMatchObject({ already_exists: 2 });
    const alone = await importText(textOf(['#2001']));
    expect(JSON.parse(alone.stdout).orders).toMatchObject({ already_exists: 1 });
  });
});
