import { describe, expect, it } from 'vitest';
import { heavyPages } from '../../api/list-pages.ts';
import { idOf, type ListService, listService } from '../../api/list-services.ts';
import { type ReceivedRequest, type Reply, startStubService } from '../../api/stub-service.ts';
import { createInterruption, runCli } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';

async function startWithOrders(count: number) {
  const service = await startService();
  for (let number = 1; number <= count; number++) {
    const phone = number % 2 === 0 ? '99112233' : '88112233';
    await service.cli([
      'create',
      '--external-order-id',
      `UB-${number}`,
      '--phone',
      phone,
      '--item',
      'TEA-1',
      '--prepaid',
    ]);
  }
  const ids = async (...flags: string[]) => {
    const { stdout } = await service.cli(['list', ...flags, '--columns', 'externalOrderId', '--no-header']);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .sort();
  };
  return { ...service, ids };
}

describe('list', () => {
  it('sends each filter', async () => {
    const { cli, ids } = await startWithOrders(3);
    const { stdout } = await cli(['get', 'UB-2', '--json']);
    const { orderNumber } = JSON.parse(stdout);
    await cli(['cancel', 'UB-3', '--reason', 'test', '--yes']);
    expect(await ids('--external-order-id', 'UB-1')).toEqual(['UB-1']);
    expect(await ids('--order-number', orderNumber)).toEqual(['UB-2']);
    expect(await ids('--status', 'CANCELLED')).toEqual(['UB-3']);
    expect(await ids('--customer-phone', '+976 9911-2233')).toEqual(['UB-2']);
    expect(await ids('--created-from', '2000-01-01')).toEqual(['UB-1', 'UB-2', 'UB-3']);
    expect(await ids('--created-from', '2999-01-01')).toEqual([]);
    expect(await ids('--created-to', '2000-01-01T00:00:00Z')).toEqual([]);
    expect(await ids('--created-to', '2999-01-01')).toEqual(['UB-1', 'UB-2', 'UB-3']);
    expect(await ids('--created-from', '7d')).toEqual(['UB-1', 'UB-2', 'UB-3']);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('shows no further page after %s', async (signal, code) => {
    const { cli } = await startWithOrders(5);
    const list = async (format: string) => {
      const interruption = createInterruption();
      // Asked after each page that was shown.
      const isOutputClosed = () => {
        interruption.send(signal);
        return false;
      };
      const args = ['list', '--all', '--page-size', '2', '--format', format];
      const { stdout, stderr, exitCode } = await cli(args, { interruption, isOutputClosed });
      expect(exitCode).toBe(code);
      return { stdout, stderr };
    };
    const csv = await list('csv');
    expect(csv.stdout.trim().split('\n').length).toBe(3);
    expect(csv.stderr).toBe('Stopped after 2 orders.\n');
    const json = await list('json');
    expect(JSON.parse(json.stdout).orders).toHaveLength(2);
    expect(JSON.parse(json.stderr).error).toMatchObject({
      message: 'Stopped after 2 orders.',
      exitCode: code,
    });
  });

  it('says at a terminal how many of all orders it shows', async () => {
    const { cli } = await startWithOrders(3);
    const part = await cli(['list', '--page-size', '2', '--no-color'], { width: 100 });
    expect(part.stderr).toBe('2 of 3. Add --page 2 or --all.\n');
    expect(part.stdout).toMatch(
      /^created +number +own id +phone +to collect +deliver on +status +delivery\ntoday /,
    );
    expect((await cli(['list'], { width: 100 })).stderr).toBe('3 of 3.\n');
    expect((await cli(['list', '--limit', '2'], { width: 100 })).stderr).toBe('2 of 3.\n');
    expect((await cli(['list', '--all'], { width: 100 })).stderr).toBe('3 of 3.\n');
    expect((await cli(['list', '--all'])).stderr).toBe('');
    expect((await cli(['list', '--status', 'LOST'], { width: 100 })).stderr).toBe('No orders.\n');
  });

  it.each(['list', 'get'])(
    'rejects a column that orders do not have, and names those that they have: %s',
    async (name) => {
      const { cli } = await startWithOrders(1);
      const args = name === 'get' ? ['get', 'UB-1'] : ['list'];
      const { stdout, stderr, exitCode } = await cli([...args, '--columns', 'orderNumber,customer.phonee']);
      expect(stderr).toMatch(
        /^error: Orders have no field "customer\.phonee"\.\nThe fields .*customer\.phone, .* or all\./,
      );
      expect([stdout, exitCode]).toEqual(['', 2]);
      const known = await cli([...args, '--columns', 'orderNumber,collectionAmount,delivery.status,all']);
      expect(known.exitCode).toBe(0);
      const all = await cli([...args, '--columns', 'all']);
      expect(all.stdout).toContain('items[0].sku');
    },
  );

  it('prints the page and how to get the next one', async () => {
    const { cli } = await startWithOrders(3);
    const { stdout, stderr, exitCode } = await cli(['list', '--page-size', '2', '--json']);
    const { orders, ...page } = JSON.parse(stdout);
    expect(orders.map((order: { externalOrderId: string }) => order.externalOrderId)).toEqual([
      'UB-3',
      'UB-2',
    ]);
    expect(page).toEqual({ page: 1, pageSize: 2, total: 3, nextPage: 2 });
    expect(stderr).toBe('2 of 3. Add --page 2 or --all.\n');
    expect(exitCode).toBe(0);
  });

  it('lists all pages, each order once', async () => {
    const { ids } = await startWithOrders(5);
    expect(await ids('--all', '--page-size', '2')).toEqual(['UB-1', 'UB-2', 'UB-3', 'UB-4', 'UB-5']);
    expect(await ids('--limit', '3', '--page-size', '2')).toEqual(['UB-3', 'UB-4', 'UB-5']);
  });

  it('rejects contradictory flags before it sends a request', async () => {
    const { cli, sandbox } = await startService();
    const { exitCode } = await cli(['list', '--page', '1', '--all']);
    expect({ exitCode, requests: sandbox.requestCount() }).toEqual({ exitCode: 2, requests: 0 });
  });
});

describe('list of another service', () => {
  const runWith = async (respond: (request: ReceivedRequest) => Reply, ...flags: string[]) => {
    const { env, received } = await startStubService(respond);
    return { ...(await runCli(['list', ...flags, '--json'], { env })), received };
  };
  const listOf = async (respond: (request: ReceivedRequest) => Reply, ...flags: string[]) => {
    const { stdout, stderr, exitCode, received } = await runWith(respond, ...flags);
    const { orders, ...page } = JSON.parse(stdout);
    return {
      ids: orders.map(({ id }: { id: string }) => id),
      page,
      stderr,
      exitCode,
      requestCount: received.length,
    };
  };
  const spring: ListService = { envelope: 'Spring', count: 45, base: 0 };

  it('exits with 7 when every page is the same, since there may be more orders', async () => {
    const respond = listService({ envelope: 'bare array', count: 45, ignores: ['page', 'pageSize'] });
    const { ids, stderr, exitCode } = await listOf(respond, '--all');
    expect([exitCode, ids.length]).toEqual([7, 20]);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'list_incomplete',
      message:
        'The service returns the same page for every page number. If it has more than these 20 orders, they cannot be listed.',
    });
  });

  it.each([
    [[], 20, [undefined, '20']],
    [['--page-size', '60'], 60, ['60', '60', '30', '30']],
  ])('asks for less when a page is too large: %j', async (flags, count, requested) => {
    const { env, received } = await startStubService(heavyPages(Array(60).fill(190)));
    const { stdout, exitCode } = await runCli(['list', ...flags, '--json'], { env });
    expect([exitCode, JSON.parse(stdout).orders.length]).toEqual([0, count]);
    const sizes = received.filter(({ path }) => path !== '/').map(({ query }) => query.pageSize);
    expect(sizes).toEqual(requested);
  });

  it('exits with 7 and prints what it has when more orders cannot be reached', async () => {
    const respond = listService({ envelope: 'data, has_more', count: 45, ignores: ['page', 'pageSize'] });
    const { ids, stderr, exitCode } = await listOf(respond, '--all');
    expect(ids).toEqual(Array.from({ length: 20 }, (_, place) => idOf(place)));
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'search_incomplete', exitCode: 7 });
    expect(exitCode).toBe(7);
  });

  it('exits with 7 after the orders when the service counts more than it lists', async () => {
    const respond = listService({ envelope: 'items, limit', count: 45, total: () => 50 });
    const { ids, stderr, exitCode } = await listOf(respond, '--all');
    expect([ids.length, JSON.parse(stderr).error, exitCode]).toEqual([
      45,
      {
        code: 'list_incomplete',
        message: 'The service counts 50 orders, but its pages contain only 45.',
        hint: expect.stringContaining('merchant-orders list --all'),
        exitCode: 7,
      },
      7,
    ]);
    const ignoring = listService({ envelope: 'items, limit', count: 45, ignores: ['page', 'pageSize'] });
    const onePage = await listOf(ignoring, '--all');
    expect([onePage.ids.length, JSON.parse(onePage.stderr).error.code, onePage.exitCode]).toEqual([
      20,
      'list_incomplete',
      7,
    ]);
  });

  it('is complete although new orders arrived', async () => {
    let count = 3;
    const { stderr, exitCode } = await listOf(({ query }) => {
      const start = (Number(query.page ?? 1) - 1) * 3;
      const items = Array.from({ length: 3 }, (_, place) => ({ id: idOf(place), status: 'NEW' })).slice(
        start,
        start + 3,
      );
      return { json: { items, page: Number(query.page ?? 1), pageSize: 3, total: count++ } };
    }, '--all');
    expect([stderr, exitCode]).toEqual(['', 0]);
  });

  const sizes = async (service: ListService, ...flags: string[]) => {
    const requested: unknown[] = [];
    const respond = listService(service);
    const { ids, exitCode } = await listOf(
      (request) => {
        requested.push(request.query.pageSize);
        return respond(request);
      },
      ...flags,
    );
    return { count: ids.length, requested, exitCode };
  };

  it('requests 100 orders a page, or as many as the limit needs, and takes what it gets', async () => {
    const service = { ...spring, count: 250 };
    const thrice = ['100', '100', '100'];
    expect(await sizes(service, '--all')).toEqual({ count: 250, requested: thrice, exitCode: 0 });
    expect(await sizes(service, '-L', '30')).toEqual({ count: 30, requested: ['30'], exitCode: 0 });
    expect(await sizes(service, '-L', '101')).toEqual({ count: 101, requested: ['100', '100'], exitCode: 0 });
    const clamped = { ...service, count: 45, maxSize: 20 };
    expect(await sizes(clamped, '--all')).toEqual({ count: 45, requested: thrice, exitCode: 0 });
    expect(await sizes(clamped, '-L', '30')).toEqual({ count: 30, requested: ['30', '30'], exitCode: 0 });
    expect(await sizes(clamped, '--all', '--page-size', '15')).toMatchObject({
      count: 45,
      requested: ['15', '15', '15'],
    });
  });

  it.each([400, 422])('asks without a page size when the service rejects it: %i', async (status) => {
    const respond = listService({ ...spring, defaultSize: 10 });
    const requested: unknown[] = [];
    const strict = (request: ReceivedRequest): Reply => {
      requested.push(request.query.pageSize);
      const isRejected = Number(request.query.pageSize ?? 0) > 50;
      return isRejected ? { status, json: { message: 'pageSize must be at most 50' } } : respond(request);
    };
    expect((await listOf(strict, '--all')).ids.length).toBe(45);
    expect(requested).toEqual(['100', ...Array(5).fill(undefined)]);
    expect((await listOf(strict, '-L', '40')).ids.length).toBe(40);
    const given = await runWith(strict, '--all', '--page-size', '70');
    expect([given.stdout, given.exitCode]).toEqual(['', 5]);
    expect(given.stderr).toContain('pageSize must be at most 50');
  });

  it.each([404, 416, 400, 422])('shows an empty page beyond the last: %i', async (status) => {
    const pages = listService({ envelope: 'count, next, results', count: 45 });
    const respond = (request: ReceivedRequest): Reply =>
      Number(request.query.page ?? 1) > 3 ? { status, json: { detail: 'Invalid page.' } } : pages(request);
    const { ids, page, stderr, exitCode } = await listOf(respond, '--page', '99');
    expect({ ids, page, stderr, exitCode }).toEqual({
      ids: [],
      page: { page: 99, pageSize: null, total: 45, nextPage: null },
      stderr: 'No orders.\n',
      exitCode: 0,
    });
  });

  it('does not take a rejected filter for an empty page', async () => {
    const reply: Reply = { status: 422, json: { message: 'There is no status X.' } };
    const { stdout, stderr, exitCode } = await runWith(() => reply, '--status', 'X', '--page', '99');
    expect([stdout, exitCode]).toEqual(['', 5]);
    expect(JSON.parse(stderr).error.message).toContain('There is no status X');
  });

  it('does not print an error with a success status as a list', async () => {
    const { env } = await startStubService(() => ({
      json: { success: false, data: [], error: { code: 'BUSY' } },
    }));
    const { stdout, stderr, exitCode } = await runCli(['list', '--json'], { env });
    expect([stdout, exitCode]).toEqual(['', 7]);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'unreadable_answer', serviceCode: 'BUSY' });
  });
});
