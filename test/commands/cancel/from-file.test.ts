import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { openDatabase } from '../../../src/system/sqlite.ts';
import { orders, type ReceivedRequest, type Reply, startStubService } from '../../api/stub-service.ts';
import { admin } from '../../sandbox/admin/admin-client.ts';
import { errorIn, runCli, temporaryDirectory } from '../../support/cli.ts';
import { startProgram } from '../../support/program.ts';
import { countBy, rowsOf, start } from '../import/setup.ts';

const withReason = ['--reason', 'imported by mistake'];

type Shop = Awaited<ReturnType<typeof startWithImport>>;

/** Starts a service and imports the first `count` orders of a file. */
async function startWithImport(count: number, options: Parameters<typeof start>[1] = {}) {
  const shop = await start('orders.csv', options);
  const importSome = (limit: number) => shop.import(['--limit', `${limit}`, '--yes', '--json']);
  expect((await importSome(count)).exitCode).toBe(0);
  return { ...shop, importSome };
}

function undo({ run, results }: Pick<Shop, 'run' | 'results'>, flags: string[] = [], more = {}) {
  return run(['cancel', '--from', results, ...withReason, '--yes', '--json', ...flags], more);
}

function outcomesOf(stdout: string): Record<string, number> {
  return countBy(JSON.parse(stdout).orders, 'outcome');
}

/** The IDs of the orders whose cancellation was sent, once for each request; the service rejects a second one. */
async function sent(sandbox: Sandbox): Promise<string[]> {
  const { attempts } = (await admin(sandbox).get('/ledger')).json;
  return attempts
    .filter(({ route }: Record<string, unknown>) => route === 'cancel')
    .map(({ subject }: Record<string, string>) => subject);
}

/** The IDs of the orders whose cancellation the service accepted, once for each accepted request. */
async function accepted(sandbox: Sandbox): Promise<string[]> {
  const { attempts } = (await admin(sandbox).get('/ledger')).json;
  return attempts
    .filter(({ route, status }: Record<string, unknown>) => route === 'cancel' && status === 200)
    .map(({ subject }: Record<string, string>) => subject);
}

const createdIds = (results: string) =>
  rowsOf(results)
    .filter(({ created_by_run }) => created_by_run !== '')
    .map(({ order_id }) => order_id);

describe('cancel --from with the results of an import', () => {
  it('cancels each order once, and the import does not create them again', async () => {
    const shop = await startWithImport(30);
    const { stdout, stderr, exitCode } = await undo(shop);
    const { orders: cancelled } = JSON.parse(stdout);
    expect([cancelled.length, outcomesOf(stdout), exitCode]).toEqual([30, { cancelled: 30 }, 0]);
    expect(cancelled.map(({ order }: { order: { id: string } }) => order.id)).toEqual(
      createdIds(shop.results),
    );
    expect(stderr).toMatch(/ {2}UB-10003 {2}\d+ {2}already paid {2}CONFIRMED\n(?:.*\n){27}\norders {6}30\n/);
    expect(stderr.endsWith('\nCancelled 30 orders (SANDBOX).\n')).toBe(true);
    expect(countBy(await shop.listed(), 'status')).toEqual({ CANCELLED: 30 });

    const requests = shop.sandbox.requestCount();
    const again = await undo(shop);
    expect([again.exitCode, outcomesOf(again.stdout), again.stderr]).toEqual([
      0,
      { already_cancelled: 30 },
      'All 30 orders were already cancelled.\n',
    ]);
    expect(JSON.parse(again.stdout).orders[0]).toEqual({
      order: {
        id: cancelled[0].order.id,
        orderNumber: cancelled[0].order.orderNumber,
        externalOrderId: 'UB-10001',
      },
      outcome: 'already_cancelled',
    });
    expect(shop.sandbox.requestCount()).toBe(requests);

    const imported = await shop.importSome(30);
    expect([imported.exitCode, JSON.parse(imported.stdout).orders.conflict]).toEqual([6, 30]);
    expect(countBy(rowsOf(shop.results).slice(0, 30), 'code')).toEqual({ order_cancelled: 30 });
  });

  it('does not cancel orders that existed before the import', async () => {
    const shop = await start('orders.csv');
    const colleague = await shop.import(['--limit', '4', '--yes'], { configDirectory: temporaryDirectory() });
    expect(colleague.exitCode).toBe(0);
    expect((await shop.import(['--limit', '10', '--yes'])).exitCode).toBe(0);
    const { stdout, exitCode } = await undo(shop);
    expect([outcomesOf(stdout), exitCode]).toEqual([{ cancelled: 6 }, 0]);
    expect(countBy(await shop.listed(), 'status')).toEqual({ CANCELLED: 6, CONFIRMED: 4 });
  });

  it('shows the orders and asks for confirmation at a terminal', async () => {
    const shop = await startWithImport(2);
    const ask = (answers: boolean[]) =>
      shop.run(['cancel', '--from', shop.results, ...withReason], { answers });
    const { asked, stderr, exitCode } = await ask([false]);
    expect([asked, exitCode]).toEqual([['SANDBOX: cancel these 2 orders?'], 2]);
    expect(stderr).toMatch(/^orders +2$/m);
    expect(stderr).toMatch(/^by status +CONFIRMED 2$/m);
    expect(countBy(await shop.listed(), 'status')).toEqual({ CONFIRMED: 2 });
    expect((await ask([true])).exitCode).toBe(0);
    expect((await ask([])).asked).toEqual([]);
  });

  it('requires --run when the results contain several runs', async () => {
    const shop = await startWithImport(3);
    await shop.importSome(8);
    const created = rowsOf(shop.results).slice(0, 8);
    const [first = '', second = ''] = new Set(created.map((row) => row.created_by_run ?? ''));
    const requests = shop.sandbox.requestCount();
    const command = `merchant-orders cancel --from ${shop.results} --reason 'imported by mistake' --yes --run`;
    const rows = rowsOf(shop.results).map(({ row }, index) => ({ row, line: index + 2 }));
    const list = [
      `  run ${first}: 3 orders (rows ${rows
        .slice(0, 3)
        .map(({ line }) => line)
        .join(', ')})`,
      `  run ${second}: 5 orders (rows ${rows
        .slice(3, 6)
        .map(({ line }) => line)
        .join(', ')}, ...)`,
    ];
    const withoutRun = await shop.run(['cancel', '--from', shop.results, ...withReason, '--yes']);
    expect([withoutRun.stdout, withoutRun.stderr, withoutRun.exitCode]).toEqual([
      '',
      [
        `error: ${shop.results} has orders of 2 runs. Choose the runs to cancel.`,
        ...list,
        `Nothing was cancelled. To cancel the orders of the first run, run:\n  ${command} ${first}`,
        `To cancel the orders of all runs, run:\n  ${command} ${first},${second}`,
        '',
      ].join('\n'),
      2,
    ]);
    for (const [unknown, named] of [
      ['none', 'run none'],
      ['none,other', 'runs none, other'],
    ]) {
      const runs = ['--run', `${first},${unknown}`];
      const refused = await shop.run(['cancel', '--from', shop.results, ...withReason, '--yes', ...runs]);
      expect([refused.stderr, refused.exitCode]).toEqual([
        [`error: ${shop.results} has no order of ${named}.`, ...list, 'Nothing was cancelled.', ''].join(
          '\n',
        ),
        2,
      ]);
    }
    expect(shop.sandbox.requestCount()).toBe(requests);

    expect(outcomesOf((await undo(shop, ['--run', second])).stdout)).toEqual({ cancelled: 5 });
    expect(countBy(await shop.listed(), 'status')).toEqual({ CONFIRMED: 3, CANCELLED: 5 });
    const rest = await undo(shop, ['--run', `${first},${second}`]);
    expect(outcomesOf(rest.stdout)).toEqual({ cancelled: 3, already_cancelled: 5 });
  });

  it('warns that more orders of the import may exist', async () => {
    const shop = await start('orders.csv');
    const rule = { match: { route: 'create', externalOrderId: 'UB-10002' }, when: 'before_commit' };
    await admin(shop.sandbox).put('/faults', { rules: [{ ...rule, do: { kind: 'close' } }] });
    expect((await shop.import(['--limit', '3', '--yes'])).exitCode).toBe(8);
    const { stdout, stderr } = await undo(shop);
    expect(outcomesOf(stdout)).toEqual({ cancelled: 2 });
    expect(stderr).toContain(
      '1 more order of the file may have been created. To find out, import it again; then cancel again with the new results.\n',
    );
  });

  it('shows the requests and changes nothing with --dry-run', async () => {
    const shop = await startWithImport(3);
    const [id = ''] = createdIds(shop.results);
    await shop.run(['cancel', id, ...withReason, '--yes']);
    const { stdout, exitCode } = await undo(shop, ['--dry-run']);
    expect([JSON.parse(stdout).length, exitCode]).toEqual([2, 0]);
    expect(countBy(await shop.listed(), 'status')).toEqual({ CONFIRMED: 2, CANCELLED: 1 });
  });
});

describe('cancel --from that fails or is interrupted', () => {
  const lose = (sandbox: Sandbox, when: 'before_commit' | 'after_commit') => {
    const rule = { match: { route: 'cancel', attempt: 1 }, when, do: { kind: 'close' } };
    return admin(sandbox).put('/faults', { rules: [rule] });
  };

  it('looks the orders up when the response was lost', async () => {
    const shop = await startWithImport(12);
    await lose(shop.sandbox, 'after_commit');
    const { stdout, exitCode } = await undo(shop);
    expect([outcomesOf(stdout), exitCode]).toEqual([{ already_cancelled: 12 }, 0]);
    expect((await accepted(shop.sandbox)).sort()).toEqual(createdIds(shop.results).sort());
  });

  it('reports an unknown outcome when the request was lost, and the same command settles it', async () => {
    const shop = await startWithImport(12);
    await lose(shop.sandbox, 'before_commit');
    const { stdout, stderr, exitCode } = await undo(shop);
    expect([outcomesOf(stdout), exitCode]).toEqual([{ unknown: 12 }, 8]);
    expect(errorIn(stderr)).toMatchObject({
      code: 'outcome_unknown',
      outcome: 'unknown',
      message: 'It is not known whether 12 of the orders were cancelled.',
    });
    const again = await undo(shop);
    expect([outcomesOf(again.stdout), again.exitCode]).toEqual([{ cancelled: 12 }, 0]);
    expect((await accepted(shop.sandbox)).sort()).toEqual(createdIds(shop.results).sort());
  });

  /** Also returns `after`, which calls a function once the service has received that many more requests. */
  async function startWithTrigger(count: number) {
    let isDue = () => false;
    let act = () => {};
    const now = () => {
      if (isDue()) {
        isDue = () => false;
        act();
      }
      return Date.now();
    };
    const shop = await startWithImport(count, { now });
    const after = (requests: number, then: () => void) => {
      const until = shop.sandbox.requestCount() + requests;
      isDue = () => shop.sandbox.requestCount() >= until;
      act = then;
    };
    return { ...shop, after };
  }

  it('continues after a kill when the command is run again', async () => {
    const shop = await startWithTrigger(30);
    const { env, configDirectory } = shop;
    let kills = 0;
    // The first run is killed while it reads the orders, the others while they cancel.
    for (const requests of [20, 37, 33, 30]) {
      const { child, ended } = startProgram(['cancel', '--from', shop.results, ...withReason, '--yes'], {
        env,
        configDirectory,
      });
      shop.after(requests, () => child.kill('SIGKILL'));
      if ((await ended).exitCode === null) kills += 1;
    }
    expect(kills).toBeGreaterThan(1);
    const { stdout, exitCode } = await undo(shop);
    expect([Object.keys(outcomesOf(stdout)).filter((name) => !name.endsWith('cancelled')), exitCode]).toEqual(
      [[], 0],
    );
    expect((await sent(shop.sandbox)).sort()).toEqual(createdIds(shop.results).sort());
    await shop.importSome(30);
    expect(countBy(rowsOf(shop.results).slice(0, 30), 'code')).toEqual({ order_cancelled: 30 });
  });
});

describe('cancel --from at another service', () => {
  const ids = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
  const stored = (id: string, status: string) => ({ id, status });

  async function cancel(
    text: string,
    respond: (request: ReceivedRequest) => Reply | undefined = () => undefined,
    flags = ['--yes'],
  ) {
    const { env, received, requests } = await startStubService((one) => {
      const id = one.path.slice(orders.length + 1, orders.length + 37);
      return respond(one) ?? { json: stored(id, one.method === 'GET' ? 'OPEN' : 'VOID') };
    });
    const [directory, configDirectory] = [temporaryDirectory(), temporaryDirectory()];
    const file = join(directory, 'names.csv');
    writeFileSync(file, text);
    const run = (args: string[], directory = configDirectory) =>
      runCli(args, { env, configDirectory: directory });
    const again = () => run(['cancel', '--from', file, ...withReason, ...flags]);
    return {
      ...(await again()),
      again,
      run,
      file,
      configDirectory,
      received,
      posts: () => requests('POST').length,
    };
  }

  const file = ['id', ...ids, ''].join('\n');

  it('does not cancel again what this machine cancelled, whatever the status is called', async () => {
    const { exitCode, again, posts, received } = await cancel(file);
    expect([exitCode, posts()]).toEqual([0, 3]);
    const before = received.length;
    const { exitCode: second, stderr } = await again();
    expect([second, stderr]).toEqual([0, 'All 3 orders were already cancelled.\n']);
    expect(received.slice(before).map(({ path }) => path)).toEqual(['/']);
  });

  it('stops after the key is rejected', async () => {
    const many = Array.from({ length: 150 }, (_, index) => `00000000-0000-4000-8000-000000001${100 + index}`);
    const { stdout, exitCode, posts } = await cancel(
      ['id', ...many, ''].join('\n'),
      ({ method }) => (method === 'POST' ? { status: 401 } : undefined),
      ['--yes', '--json'],
    );
    expect([outcomesOf(stdout), exitCode, posts() < 100]).toEqual([{ not_sent: 150 }, 4, true]);
  });

  it.each([
    [401, 4, 1],
    [307, 8, 2],
  ])(
    'after an unknown outcome and a %d, stops and exits with the code of higher priority',
    async (status, expected, unknown) => {
      const { run, posts } = await cancel(file, ({ method, path }) => {
        if (method === 'GET') return undefined;
        return { status: path.includes(ids[0] ?? '') ? 502 : status };
      });
      const before = posts();
      const { stdout, stderr, exitCode } = await run(['cancel', ...ids, ...withReason, '--yes', '--json']);
      expect([outcomesOf(stdout), exitCode, posts() - before]).toEqual([
        { unknown, not_sent: ids.length - unknown },
        expected,
        2,
      ]);
      if (status === 307) {
        expect(stderr).toContain(
          '2 of the orders were cancelled. Stopped: The merchant orders API is not at this address: it redirects.',
        );
      }
    },
  );

  it('stops reading when an order cannot be read', async () => {
    const { run, received } = await cancel('id\n', () => ({ json: {} }));
    const { exitCode } = await run(['cancel', ...ids, ...withReason, '--yes']);
    expect([exitCode, new Set(received.map(({ path }) => path))]).toEqual([
      7,
      new Set([`${orders}/${ids[0]}`, orders]),
    ]);
  });

  it('cancels nothing when the ledger cannot be used', async () => {
    const { run, file: path, posts, received } = await cancel(file, undefined, ['--dry-run']);
    const configDirectory = temporaryDirectory();
    writeFileSync(join(configDirectory, 'ledger.db'), 'no database'.repeat(1000));
    for (const named of [['--from', path], ids, ids.slice(0, 1)]) {
      const { stderr, exitCode } = await run(['cancel', ...named, ...withReason, '--yes'], configDirectory);
      expect([stderr.split(':').slice(0, 2).join(':'), exitCode]).toEqual([
        'error: The ledger of past imports cannot be used',
        7,
      ]);
    }
    expect([posts(), received.length > 0]).toEqual([0, true]);
  });

  it.each([3, 1])(
    'with %d orders, reports a cancellation that could not be recorded and sends no other',
    async (count) => {
      let configDirectory = '';
      let isDamaged = false;
      const named = await cancel(['id', ids[0], ''].join('\n'), undefined, ['--dry-run']);
      configDirectory = named.configDirectory;
      const { env, requests } = await startStubService(({ path, method }) => {
        const status = method === 'GET' ? 'OPEN' : 'VOID';
        const json = stored(path.slice(orders.length + 1, orders.length + 37), status);
        if (method === 'GET' || isDamaged) return { json };
        isDamaged = true;
        return (response) => {
          void openDatabase(join(configDirectory, 'ledger.db')).then((database) => {
            database.exec('DROP TABLE cancellations');
            database.close();
            response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json));
          });
        };
      });
      const { stdout, stderr, exitCode } = await runCli(
        ['cancel', ...ids.slice(0, count), ...withReason, '--yes', '--json'],
        {
          env,
          configDirectory,
        },
      );
      if (count === 1) expect(JSON.parse(stdout)).toMatchObject(stored(ids[0] ?? '', 'VOID'));
      else expect(outcomesOf(stdout)).toEqual({ cancelled: 1, not_sent: 2 });
      expect(errorIn(stderr)).toMatchObject({
        code: 'ledger_not_writable',
        message: expect.stringMatching(
          /^00000000-0000-4000-8000-000000000001 was cancelled, but this could not be recorded\. /,
        ),
      });
      expect([exitCode, requests('POST').length]).toEqual([7, 1]);
    },
  );

  it.each<[string, string, string]>([
    ['order_id', `order_id,id,order_number\n${ids[0]},x,y\n`, `${orders}/${ids[0]}`],
    ['order_number', `id,external_order_id,order_number\nx,y,ORD-2026-1\n`, 'orderNumber=ORD-2026-1'],
    ['orderNumber', `orderNumber;externalOrderId\nORD-2026-1;y\n`, 'orderNumber=ORD-2026-1'],
    ['external_order_id', `id,external_order_id\nx,"'0012"\n`, 'externalOrderId=0012'],
    ['externalOrderId', `\uFEFFexternalOrderId\tid\nUB 1\tx\n`, 'externalOrderId=UB 1'],
    ['id', `status,id\nOPEN,${ids[0]}\n`, `${orders}/${ids[0]}`],
    ['a file that is not the results of an import', `id,outcome\n${ids[0]},created\n`, `${orders}/${ids[0]}`],
  ])('reads the orders from %s', async (_, text, expected) => {
    const { received } = await cancel(text, ({ method, query }) => {
      const name = query.orderNumber === undefined ? {} : { orderNumber: query.orderNumber };
      const externalId =
        query.externalOrderId === undefined ? {} : { externalOrderId: query.externalOrderId };
      return method === 'GET' && Object.keys(query).length > 0
        ? { json: [{ ...stored(ids[0] ?? '', 'OPEN'), ...name, ...externalId }] }
        : undefined;
    });
    const [first] = received.filter(({ path }) => path !== '/');
    const [[key, value] = []] = Object.entries(first?.query ?? {});
    expect(key === undefined ? first?.path : `${key}=${value}`).toBe(expected);
    expect(received.at(-1)?.path).toBe(`${orders}/${ids[0]}/cancel`);
  });

  it.each<[string, string, string]>([
    ['is empty', '', ' is empty.\nExport it again with a header line.\n'],
    ['has only a header', 'id\n', ' has no orders.\nNothing was cancelled.\n'],
    [
      'has no column that names orders',
      'number,status\n1,OPEN\n',
      ' has no column that names orders.\nIt needs one of these headers: order_id, order_number, orderNumber, external_order_id, externalOrderId, id\n',
    ],
    [
      'has two such columns',
      `id,id\n${ids[0]},${ids[0]}\n`,
      ' has two columns named id.\nRename one of the two.\n',
    ],
    [
      'is the results file of an import that created nothing',
      'order_id,outcome,created_by_run\n,rejected,\n',
      ' has no order that an import on this machine created.\nNothing was cancelled.\n',
    ],
    [
      'has invalid rows',
      `order_id,note\n${ids[0]},\n,blank\n1013,\n${ids[0]?.toUpperCase()},again\n`,
      [
        ' does not say which order is meant in 3 rows.',
        '  row 3, order_id: is blank',
        '  row 4, order_id "1013": is not a UUID; external order IDs belong under external_order_id',
        `  row 5, order_id "${ids[0]}": is already in row 2`,
        'Fix or remove these rows. Nothing was cancelled.',
        '',
      ].join('\n'),
    ],
  ])('sends nothing when the file %s', async (_, text, message) => {
    const { stdout, stderr, exitCode, file: path, received } = await cancel(text);
    expect([stdout, stderr, exitCode, received]).toEqual(['', `error: ${path}${message}`, 2, []]);
  });

  it('rejects ambiguous flags and a missing --yes', async () => {
    const { run, file: path, received } = await cancel(file, undefined, ['--by', 'id']);
    const from = ['--from', path, ...withReason];
    const cases: [string[], string][] = [
      [[ids[0] ?? '', ...from, '--yes'], 'Orders are named both on the command line and by --from.'],
      [[...from, '--by', 'id', '--yes'], '--by does not work with --from: the name of the column decides.'],
      [[...from, '--run', 'x', '--yes'], `${path} is not the results file of an import, so it has no runs.`],
      [[...withReason, '--yes'], 'Please name the order.'],
      [[ids[0] ?? '', ...withReason, '--run', 'x', '--yes'], '--run works only with --from.'],
    ];
    for (const [args, sentence] of cases) {
      const { stdout, stderr, exitCode } = await run(['cancel', ...args]);
      expect([stderr.split('\n')[0], stdout, exitCode]).toEqual([`error: ${sentence}`, '', 2]);
    }
    const live = { MERCHANT_ORDERS_BASE_URL: 'http://127.0.0.1:9', MERCHANT_ORDERS_API_KEY: 'mk_live_1' };
    const { stderr, exitCode } = await runCli(['cancel', ...from], { env: live });
    expect([stderr.split('\n')[0], exitCode]).toEqual([
      'error: --yes is required when the program cannot ask questions.',
      2,
    ]);
    expect(received).toEqual([]);
  });
});
