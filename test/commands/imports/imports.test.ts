import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failList, loseRequests, loseResponses, outputOf, startShop } from './setup.ts';

const header =
  'run\tstartedAt\tfile\tservice\ttotal\tcreated\talready_exists\tto_fix\tunknown\tnot_sent\tended\n';

describe('imports', () => {
  it('shows nothing without a ledger and does not create one', async () => {
    const { run, configDirectory, requests } = await startShop();
    const none = { stderr: 'No imports.\n', exitCode: 0 };
    expect(outputOf(await run(['imports']))).toEqual({ ...none, stdout: header });
    expect(outputOf(await run(['imports', '--format', 'csv', '--columns', 'run,ended']))).toEqual({
      ...none,
      stdout: 'run,ended\n',
    });
    expect(outputOf(await run(['imports', '--json']))).toEqual({
      ...none,
      stdout: '{\n  "imports": []\n}\n',
    });
    expect(outputOf(await run(['imports', '--format', 'ndjson', '-q']))).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 0,
    });
    expect(outputOf(await run(['imports', 'show', 'ab']))).toEqual({
      stdout: '',
      stderr:
        'error: There is no import with the ID ab on this machine.\nTo list the imports, run: merchant-orders imports\n',
      exitCode: 2,
    });
    expect([existsSync(configDirectory), requests()]).toEqual([false, 0]);
  });

  it('needs neither a key nor a service', async () => {
    const { run, csv, sandbox, ...shop } = await startShop(2);
    await shop.import();
    await sandbox.stop();
    const env = { MERCHANT_ORDERS_API_KEY: '', MERCHANT_ORDERS_BASE_URL: '' };
    const { stdout, stderr, exitCode } = await run(['imports'], { env });
    const [first, second = '', ...rest] = stdout.split('\n');
    expect({ first: `${first}\n`, rest, stderr, exitCode }).toEqual({
      first: header,
      rest: [''],
      stderr: '',
      exitCode: 0,
    });
    const [id, at = '', ...others] = second.split('\t');
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(new Date(at).toISOString()).toBe(at);
    expect(others).toEqual([...[csv, `sandbox ${sandbox.identity}`, '2', '2', '0', '0', '0', '0', 'done']]);
  });

  it('shows the newest imports up to the limit', async () => {
    const { run, ...shop } = await startShop(1);
    for (let count = 0; count < 3; count += 1) await shop.import();
    const { stdout, stderr } = await run(['imports', '-L', '2', '--columns', 'created,already_exists']);
    expect({ stdout, stderr }).toEqual({
      stdout: 'created\talready_exists\n0\t1\n0\t1\n',
      stderr: 'There are more: add --limit 10.\n',
    });
    expect((await run(['imports', '-L', '3', '--format', 'ndjson'])).stdout.split('\n')).toHaveLength(4);
  });
});

describe('imports show', () => {
  it('finds an import by the beginning of its ID', async () => {
    const { run, newest, ...shop } = await startShop(1);
    await shop.import();
    const record = await newest();
    const { stdout, stderr, exitCode } = await run(['imports', 'show', record.run.slice(0, 4), '--json']);
    expect({ shown: JSON.parse(stdout), stderr, exitCode }).toEqual({
      shown: record,
      stderr: '',
      exitCode: 0,
    });
  });

  it('rejects an ambiguous ID', async () => {
    const { run, change, ...shop } = await startShop(1);
    await shop.import();
    await change("UPDATE runs SET id = 'abcd0001'");
    await shop.import();
    await change("UPDATE runs SET id = 'abcd0002' WHERE id <> 'abcd0001'");
    expect(outputOf(await run(['imports', 'show', 'abcd']))).toEqual({
      stdout: '',
      stderr: 'error: abcd matches several imports: abcd0002, abcd0001.\nUse more characters of the ID.\n',
      exitCode: 2,
    });
  });

  it.each([
    ['without an end', 'started_at = 0', 'died'],
    ['with an end', 'ended_at = 1, exit_code = 0', 'done'],
    ['with an end', 'ended_at = 1, exit_code = 4', 'key rejected'],
    ['with an end', 'ended_at = 1, exit_code = 6', 'some to fix'],
    ['with an end', 'ended_at = 1, exit_code = 7', 'all sent, not all written'],
    ['with an end', 'orders = 2, ended_at = 1, exit_code = 7', 'stopped, not all sent'],
    ['with an end', 'ended_at = 1, exit_code = 8', 'outcomes unknown'],
    ['with an end', 'ended_at = 1, exit_code = 130', 'stopped by Ctrl-C'],
    ['with an end', 'ended_at = 1, exit_code = 143', 'terminated'],
    ['with an end', 'ended_at = 1, exit_code = 1', 'exit code 1'],
  ])('shows how the import ended: %s, %s', async (_, state, ended) => {
    const { newest, change, ...shop } = await startShop(1);
    await shop.import();
    await change(`UPDATE runs SET ended_at = NULL, exit_code = NULL; UPDATE runs SET ${state}`);
    expect((await newest()).ended).toBe(ended);
  });

  it.each([
    ['unknown', 'To settle the unknown outcomes, run:\n  merchant-orders --profile shop settle abcd0001\n'],
    [
      'not_sent',
      'To send the others, run the same import again, with the same flags:\n  merchant-orders --profile shop import orders.csv\n',
    ],
    ['conflict', 'To fix: orders.rejects.csv, if the rejects file was written to its default path.\n'],
    ['created', ''],
  ])('suggests the next step for orders that are %s', async (outcome, next) => {
    const { run, change, ...shop } = await startShop(1);
    await shop.import();
    await change(`UPDATE runs SET id = 'abcd0001', file = 'orders.csv'; DELETE FROM orders;
      UPDATE run_orders SET run = 'abcd0001', outcome = '${outcome}'`);
    expect((await run(['--profile', 'shop', 'imports', 'show', 'abcd'])).stderr).toBe(next);
  });
});

describe('after a killed import', () => {
  it('an order counts as created in the import that began it', async () => {
    const { run, change, setFaults, clearFaults, ...shop } = await startShop(3);
    await setFaults(loseRequests('UB-2'), loseRequests('UB-3'), loseResponses('UB-1'), failList);
    await shop.import('--max-errors', '100%');
    await change(`DELETE FROM run_orders; UPDATE runs SET ended_at = NULL, exit_code = NULL;
      UPDATE orders SET state = 'intent'`);
    const killed = (await shop.newest()).run;
    await clearFaults();
    expect((await shop.import()).exitCode).toBe(0);
    const again = (await shop.newest()).run;
    const createdBy = readFileSync(shop.results, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      // A spreadsheet takes some IDs, such as 532e0849, for numbers: these are protected by an apostrophe.
      .map((line) => line.slice(line.lastIndexOf(',') + 1).replace(/^'/, ''));
    expect(createdBy).toEqual([killed, again, again]);
    const { imports } = JSON.parse((await run(['imports', '--json'])).stdout);
    const counts = imports.map(({ orders }: { orders: Record<string, number> }) => [
      orders.created,
      orders.not_sent,
    ]);
    expect(counts).toEqual([
      [2, 0],
      [1, 2],
    ]);
  });

  it.each<[string, boolean, string[][]]>([
    ['the first content', false, [['conflict'], ['already_exists']]],
    ['its content', true, [['already_exists'], ['conflict']]],
  ])(
    'an import that left other content unknown is compared with the order of %s',
    async (_, isOther, expected) => {
      const { run, csv, setFaults, clearFaults, letAnHourPass, ...shop } = await startShop(1);
      const content = readFileSync(csv, 'utf8');
      const other = content.replace('99112233', '99112234');
      const outcomes = async () => {
        const { imports } = JSON.parse((await run(['imports', '--json'])).stdout);
        return imports.map(({ orders }: { orders: Record<string, number> }) =>
          Object.keys(orders).filter((name) => name !== 'total' && orders[name] !== 0),
        );
      };
      const importOf = async (text: string) => {
        writeFileSync(csv, text);
        await shop.import();
        return outcomes();
      };
      await setFaults(loseRequests('UB-1'), failList);
      expect(await importOf(content)).toEqual([['unknown']]);
      expect(await importOf(other)).toEqual([['unknown'], ['unknown']]);
      await clearFaults();
      if (isOther) await letAnHourPass();
      expect(await importOf(isOther ? other : content)).toEqual([['created'], ...expected]);
    },
  );
});
