import { describe, expect, it, onTestFinished } from 'vitest';
import { orders, type ReceivedRequest, type Reply, startStubService } from '../../api/stub-service.ts';
import {
  createInterruption,
  errorIn,
  runCli,
  type TestInterruption,
  temporaryDirectory,
} from '../../support/cli.ts';
import { startPlainService } from '../../support/plain-service.ts';
import { startService } from '../../support/service.ts';

async function startWithOrders(...externalOrderIds: string[]) {
  const service = await startService();
  for (const externalOrderId of externalOrderIds) {
    await service.cli([
      ...['create', '--external-order-id', externalOrderId, '--phone', '99112233', '--item', 'TEA-1'],
      ...['--collect', '25000', '--total', '30000'],
    ]);
  }
  const statusOf = async (externalOrderId: string) => {
    const { stdout } = await service.cli(['get', externalOrderId, '--columns', 'status', '--no-header']);
    return stdout.trim();
  };
  return { ...service, statusOf };
}

const isQuestion = expect.stringMatching(/^SANDBOX: cancel ORD-\d{4}-000001, 99112233, 30,000 ₮\?$/);

const withReason = ['--reason', 'the customer changed her mind'];

describe('cancel one order', () => {
  it('sends the reason and prints the cancelled order', async () => {
    const { cli } = await startWithOrders('UB-1');
    const { stdout, exitCode } = await cli(['cancel', 'UB-1', ...withReason, '--yes', '--json']);
    const order = JSON.parse(stdout);
    expect(order).toMatchObject({
      externalOrderId: 'UB-1',
      status: 'CANCELLED',
      cancelReason: withReason[1],
      _outcome: 'cancelled',
    });
    expect(order.delivery.status).toBe('CANCELLED');
    expect(exitCode).toBe(0);
  });

  it('shows the customer, the amounts and the statuses, and asks for confirmation', async () => {
    const { cli, statusOf } = await startWithOrders('UB-1');
    const { stderr, exitCode, asked } = await cli(['cancel', 'UB-1', ...withReason], { answers: [false] });
    for (const line of [
      /^number +ORD-\d{4}-000001$/m,
      /^own id +UB-1$/m,
      /^customer +99112233$/m,
      /^total +30,000 ₮$/m,
      /^to collect +25,000 ₮$/m,
      /^status +CONFIRMED$/m,
      /^delivery +PENDING$/m,
    ]) {
      expect(stderr).toMatch(line);
    }
    expect(asked).toEqual([isQuestion]);
    expect(stderr).toContain('Nothing was cancelled.');
    expect({ exitCode, status: await statusOf('UB-1') }).toEqual({ exitCode: 2, status: 'CONFIRMED' });
  });

  it.each(['цуцал', 'cancel', 'үгүй'])('asks whether to stop when the reason is %s', async (typed) => {
    const { cli, statusOf } = await startWithOrders('UB-1');
    const stopped = await cli(['cancel', 'UB-1'], { answers: [typed, ''] });
    expect(stopped.asked).toEqual(['Reason', 'Stop, and cancel nothing?']);
    expect(stopped.stderr).toContain('Nothing was cancelled.');
    expect([stopped.exitCode, await statusOf('UB-1')]).toEqual([2, 'CONFIRMED']);
    const meant = await cli(['cancel', 'UB-1', '--json'], { answers: [typed, false, true] });
    expect(JSON.parse(meant.stdout)).toMatchObject({ status: 'CANCELLED', cancelReason: typed });
  });

  it('takes Enter for no', async () => {
    const { cli, statusOf } = await startWithOrders('UB-1');
    const { exitCode, stderr } = await cli(['cancel', 'UB-1', ...withReason], { answers: [''] });
    expect(stderr).toContain('Nothing was cancelled.');
    expect({ exitCode, status: await statusOf('UB-1') }).toEqual({ exitCode: 2, status: 'CONFIRMED' });
  });

  it('requires --yes and --reason for a live service when it cannot ask', async () => {
    const { env, received } = await startStubService(() => ({ json: { data: [] } }));
    const live = { ...env, MERCHANT_ORDERS_API_KEY: 'mk_live_1' };
    const cases: [string[], string][] = [
      [withReason, '--yes is required when the program cannot ask questions.'],
      [['--yes'], '--reason TEXT is required when the program cannot ask questions.'],
      [[], '--reason TEXT, --yes are required when the program cannot ask questions.'],
      [['--yes', '--reason', '  '], 'The reason is blank.'],
    ];
    for (const [flags, sentence] of cases) {
      const { stdout, stderr, exitCode } = await runCli(['cancel', 'UB-1', ...flags], { env: live });
      expect([stderr.split('\n')[0], stdout, exitCode]).toEqual([`error: ${sentence}`, '', 2]);
    }
    expect(received).toEqual([]);
  });

  it('says when and why an order was already cancelled, asks nothing and sends nothing', async () => {
    const { cli, sandbox } = await startWithOrders('UB-1');
    await cli(['cancel', 'UB-1', '--reason', 'out of stock', '--yes']);
    const reads = sandbox.requestCount();
    const { stdout, stderr, asked, exitCode } = await cli(['cancel', 'UB-1', '--json'], { answers: [] });
    expect(stderr).toMatch(
      /^ORD-\d{4}-000001 is already cancelled \(today \d\d:\d\d: out of stock\)\. Nothing was sent\.\n$/,
    );
    expect(JSON.parse(stdout)).toMatchObject({
      externalOrderId: 'UB-1',
      status: 'CANCELLED',
      _outcome: 'already_cancelled',
    });
    expect([asked, exitCode]).toEqual([[], 0]);
    // The list, then the order.
    expect(sandbox.requestCount()).toBe(reads + 2);
  });

  it('exits with 3 when the order does not exist', async () => {
    const { cli } = await startWithOrders();
    const { exitCode, stderr } = await cli(['cancel', 'UB-9', ...withReason, '--yes']);
    expect(stderr).toBe(
      'error: There is no order UB-9.\nCheck the number, or search with: merchant-orders list --search UB-9\n',
    );
    expect(exitCode).toBe(3);
  });

  it('shows the request and changes nothing with --dry-run', async () => {
    const { cli, statusOf, sandbox } = await startWithOrders('UB-1');
    const { stdout, exitCode } = await cli(['cancel', 'UB-1', ...withReason, '--dry-run', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      method: 'POST',
      url: expect.stringMatching(
        new RegExp(`^${sandbox.baseUrl}/api/v1/merchant/orders/[0-9a-f-]{36}/cancel$`),
      ),
      headers: {},
      body: { reason: withReason[1] },
    });
    expect({ exitCode, status: await statusOf('UB-1') }).toEqual({ exitCode: 0, status: 'CONFIRMED' });
  });
});

describe('cancel several orders', () => {
  it('cancels each and lists the outcomes', async () => {
    const { cli } = await startWithOrders('UB-1', 'UB-2', 'UB-3');
    await cli(['cancel', 'UB-2', ...withReason, '--yes']);
    const { stdout, stderr, exitCode } = await cli([
      ...['cancel', 'UB-1', 'UB-2', 'UB-9', 'UB-3', ...withReason, '--yes', '--quiet', '--json'],
    ]);
    const { orders } = JSON.parse(stdout);
    const outcomes = orders.map(({ order, outcome, status, code }: Record<string, never>) => {
      const { externalOrderId, reference } = order as unknown as Record<string, string>;
      return [externalOrderId ?? reference, outcome, status, code];
    });
    expect(new Set(outcomes.map(String))).toEqual(
      new Set([
        'UB-1,cancelled,CANCELLED,',
        'UB-2,already_cancelled,CANCELLED,',
        'UB-3,cancelled,CANCELLED,',
        'UB-9,not_found,,order_not_found',
      ]),
    );
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'some_orders_failed', exitCode: 6 });
    expect(exitCode).toBe(6);
  });

  it('cancels an order once when it is named twice', async () => {
    const { cli } = await startWithOrders('UB-1');
    const { stdout } = await cli(['get', 'UB-1', '--columns', 'orderNumber', '--no-header']);
    const { stdout: result, exitCode } = await cli([
      'cancel',
      'UB-1',
      stdout.trim(),
      ...withReason,
      '--yes',
      '--json',
    ]);
    expect({ count: JSON.parse(result).orders.length, exitCode }).toEqual({ count: 1, exitCode: 0 });
  });
});

describe('cancel at another service', () => {
  const uuids = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
  const stored = (id: string, status: string) => ({ id, orderNumber: `ORD-2026-00000${id.at(-1)}`, status });

  /** A GET returns an open order and a POST a cancelled one, unless `respond` returns another reply. */
  async function cancel(
    count: number,
    respond: (request: ReceivedRequest) => Reply | undefined,
    interruption?: TestInterruption,
  ) {
    const { env, requests } = await startStubService((request) => {
      const id = request.path.slice(orders.length + 1, orders.length + 37);
      return respond(request) ?? { json: stored(id, request.method === 'GET' ? 'OPEN' : 'CANCELLED') };
    });
    const command = ['cancel', ...uuids.slice(0, count), ...withReason, '--yes', '--json'];
    const result = await runCli(command, { env, ...(interruption ? { interruption } : {}) });
    return { ...result, posts: requests('POST').map(({ path }) => path) };
  }
  const outcomesOf = (stdout: string) =>
    JSON.parse(stdout).orders.map(({ outcome }: { outcome: string }) => outcome);

  it('continues after an order that no longer exists', async () => {
    const { stdout, stderr, exitCode } = await cancel(3, ({ path }) =>
      path === `${orders}/${uuids[1]}/cancel` ? { status: 404 } : undefined,
    );
    expect(outcomesOf(stdout)).toEqual(['cancelled', 'not_found', 'cancelled']);
    expect([errorIn(stderr).code, exitCode]).toEqual(['some_orders_failed', 6]);
  });

  it.each([1, 2])('reports what the service rejects: %i', async (count) => {
    const { stdout, stderr, exitCode } = await cancel(count, ({ method }) =>
      method === 'POST' ? { status: 409, json: { code: 'ORDER_NOT_CANCELLABLE' } } : undefined,
    );
    const error = errorIn(stderr);
    if (count === 1) {
      const rejected = { code: 'cancellation_refused', serviceCode: 'ORDER_NOT_CANCELLABLE', status: 409 };
      expect(error).toMatchObject({ ...rejected, outcome: 'rejected' });
      expect(error.hint).not.toMatch(/again|merchant-orders/);
      expect([stdout, exitCode]).toEqual(['', 5]);
    } else {
      expect(outcomesOf(stdout)).toEqual(['refused', 'refused']);
      expect([error.code, exitCode]).toEqual(['some_orders_failed', 6]);
    }
  });

  it.each([1, 2])('exits with 8 and the words of a success response that is a failure: %i', async (count) => {
    const { stdout, stderr, exitCode, posts } = await cancel(count, ({ method }) =>
      method === 'POST' ? { json: { status: 'ERROR', message: 'Already picked up' } } : undefined,
    );
    const error = errorIn(stderr);
    const { message, code } = count === 1 ? error : JSON.parse(stdout).orders[1];
    expect([exitCode, error.code, error.outcome, code]).toEqual([
      8,
      'outcome_unknown',
      'unknown',
      'outcome_unknown',
    ]);
    expect(message).toContain('Its status is now OPEN. The last response was: Already picked up.');
    expect(posts.length).toBe(count);
  });

  it('reports the cancellation when the response was lost but the order is cancelled', async () => {
    let isSent = false;
    const { stdout, stderr, exitCode } = await cancel(1, ({ method, path }) => {
      if (method === 'GET') return { json: stored(path.slice(-36), isSent ? 'Canceled' : 'OPEN') };
      isSent = true;
      return (response) => response.socket?.destroy();
    });
    expect(JSON.parse(stdout).status).toBe('Canceled');
    expect(stderr).toContain(
      'The service did not respond properly, but ORD-2026-000001 is cancelled now (SANDBOX).\n',
    );
    expect(exitCode).toBe(0);
  });

  it('exits with 8 and prints the get command when the outcome is unknown', async () => {
    const { stdout, stderr, exitCode } = await cancel(1, ({ method }) =>
      method === 'POST' ? { status: 502 } : undefined,
    );
    const error = errorIn(stderr);
    expect([stdout, exitCode, error.code, error.outcome, error.status]).toEqual([
      '',
      8,
      'outcome_unknown',
      'unknown',
      502,
    ]);
    expect(error.hint).toContain('merchant-orders get ORD-2026-000001');
  });

  it('cancels no more orders after Ctrl-C', async () => {
    const interruption = createInterruption();
    const { stdout, exitCode, posts } = await cancel(
      3,
      ({ method }) => {
        if (method === 'POST') interruption.send('SIGINT');
        return undefined;
      },
      interruption,
    );
    expect(outcomesOf(stdout)).toEqual(['cancelled', 'not_sent', 'not_sent']);
    expect([posts, exitCode]).toEqual([[`${orders}/${uuids[0]}/cancel`], 130]);
  });

  it('does not cancel a single order after Ctrl-C', async () => {
    const interruption = createInterruption();
    const { stdout, stderr, exitCode, posts } = await cancel(
      1,
      ({ method }) => {
        if (method === 'GET') interruption.send('SIGINT');
        return undefined;
      },
      interruption,
    );
    const error = errorIn(stderr);
    expect([stdout, error.code, posts, exitCode]).toEqual(['', 'interrupted', [], 130]);
  });

  it.each(['', '  '])('sends nothing for a blank reference', async (name) => {
    const { env, received } = await startStubService(() => ({ json: {} }));
    const { stderr, exitCode } = await runCli(['cancel', 'UB-1', name, ...withReason, '--yes'], { env });
    expect(stderr).toContain('Please name the order.');
    expect([exitCode, received]).toEqual([2, []]);
  });

  it('sends nothing for a reference that is not an ID', async () => {
    for (const name of ['..', '.', '/', `../${uuids[0]}`, `${uuids[0]}/cancel`, 'x\ny', `..\\${uuids[0]}`]) {
      const { env, received } = await startStubService(() => ({ json: stored(uuids[0] ?? '', 'OPEN') }));
      const { exitCode } = await runCli(['cancel', name, '--by', 'id', ...withReason, '--yes'], { env });
      expect([name, exitCode, received]).toEqual([name, 3, []]);
    }
  });
});

describe('a cancellation that is accepted and changes nothing', () => {
  const create = (id: string) => [
    ...['create', '--external-order-id', id, '--phone', '99112233', '--item', 'TEA-1', '--prepaid', '--yes'],
  ];
  async function startWith(...ids: string[]) {
    const service = await startPlainService({ ignoresCancellations: true });
    onTestFinished(() => service.stop());
    const configDirectory = temporaryDirectory();
    const run = (...words: string[]) => runCli(words, { env: service.env, configDirectory });
    for (const id of ids) await run(...create(id));
    const errorOf = (stderr: string) => errorIn(stderr);
    return { service, run, errorOf };
  }

  it('is pending, and the order is not taken for cancelled', async () => {
    const { service, run, errorOf } = await startWith('UB-1');
    const cancel = ['cancel', 'UB-1', ...withReason, '--yes'];
    const { stdout, stderr, exitCode } = await run(...cancel, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ status: 'CONFIRMED', _outcome: 'cancel_pending' });
    expect(errorOf(stderr)).toEqual({
      code: 'cancel_pending',
      message:
        'The service accepted the cancellation of order ORD-2026-000001, but has not cancelled it yet: its status is still CONFIRMED.',
      hint: 'Check it later with: merchant-orders get ORD-2026-000001',
      outcome: 'unknown',
      exitCode: 8,
    });
    expect(exitCode).toBe(8);
    for (const format of ['table', 'csv', 'ndjson', 'tsv']) {
      const other = await run(...cancel, '--format', format);
      expect([other.exitCode, other.stderr]).toEqual([
        8,
        expect.stringContaining('merchant-orders get ORD-2026-000001'),
      ]);
    }
    const again = await run(...create('UB-1'), '--json');
    expect([JSON.parse(again.stdout)._outcome, again.exitCode]).toEqual(['already_exists', 0]);
    for (const order of service.orders) order.status = 'CANCELLED';
    expect((await run(...cancel)).exitCode).toBe(0);
    expect((await run(...create('UB-1'))).stderr).toContain('is cancelled');
  });
});
