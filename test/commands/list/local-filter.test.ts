import { describe, expect, it } from 'vitest';
import { idOf, type ListService, listService } from '../../api/list-services.ts';
import { startStubService } from '../../api/stub-service.ts';
import { type CliOptions, runCli } from '../../support/cli.ts';

const noon = Date.parse('2026-11-20T12:00:00Z');

/** Newest first, one a minute. */
function orders(count: number, fieldsOf: (place: number) => object) {
  return Array.from({ length: count }, (_, place) => ({
    id: idOf(place),
    createdAt: new Date(noon - place * 60_000).toISOString(),
    status: 'CONFIRMED',
    ...fieldsOf(place),
  }));
}

async function startList(all: object[], service: Partial<ListService> = {}) {
  const respond = listService({ envelope: 'items, limit', count: all.length, orders: all, ...service });
  const { env, received } = await startStubService(respond);
  const list = (args: string[], options: CliOptions = {}) => runCli(['list', ...args], { env, ...options });
  const ids = async (...args: string[]) => {
    const { stdout, stderr, exitCode } = await list([...args, '--columns', 'id', '--no-header']);
    return { ids: stdout.split('\n').filter((line) => line !== ''), stderr, exitCode };
  };
  return { list, ids, received };
}

describe('list --search', () => {
  it.each([
    ['бат', ['S-000000', 'S-000003']],
    ['  БАТ ', ['S-000000', 'S-000003']],
    // й in one character and in two.
    ['\u0439\u0434', ['S-000001']],
    ['ｔｅａ-001', ['S-000002']],
    ['99112233', ['S-000003']],
    ['0001', ['S-000001']],
    ['customer', []],
  ])('finds a text in any field: %j', async (text, found) => {
    const fields = [
      { customer: { name: 'Батбаяр' } },
      { note: 'оройн и\u0306д' },
      { items: [{ sku: 'TEA-001' }] },
      { customer: { name: 'БАТ', phone: '99112233' } },
    ];
    const { ids } = await startList(orders(4, (place) => fields[place] ?? {}));
    const matches = found.length === 0 ? 'No match in' : `${found.length} of`;
    const stderr = `${matches} 4 orders looked through.\n`;
    expect(await ids('--search', text)).toEqual({ ids: found, stderr, exitCode: 0 });
  });

  it.each([
    [['--search', 'gift'], '1 of 1 order looked through.\n'],
    [['--search', 'none'], 'No match in 1 order looked through.\n'],
    [
      ['--deliver-on', '2026-11-21', '--created-from', '2026-11-20'],
      '1 order for Saturday 21 November 2026, of 1 created since 2026-11-20.\n',
    ],
  ])('says of one order that it is one: %j', async (args, stderr) => {
    const { ids } = await startList(orders(1, () => ({ note: 'gift', requestedDeliveryDate: '2026-11-21' })));
    expect(await ids(...args)).toMatchObject({ stderr, exitCode: 0 });
  });

  const every500th = (place: number) => (place % 500 === 499 ? { note: 'gift' } : {});

  it('looks through the first 1,000 orders, or all', async () => {
    const { ids, list, received } = await startList(orders(1600, every500th));
    expect(await ids('--search', 'gift')).toEqual({
      ids: ['S-000499', 'S-000999'],
      stderr:
        '2 of 1,000 orders looked through, the newest of the list. Add --all to look through all 1,600.\n',
      exitCode: 0,
    });
    expect(received.length).toBe(10);
    expect(await ids('--search', 'gift', '--all')).toMatchObject({
      ids: ['S-000499', 'S-000999', 'S-001499'],
      stderr: '3 of 1,600 orders looked through.\n',
    });
    expect(await ids('--search', 'gift', '--all', '--limit', '1')).toMatchObject({
      ids: ['S-000499'],
      stderr: '1 of 500 orders looked through. There may be more matches.\n',
    });
    const { stdout } = await list(['--search', 'gift', '--json']);
    const { orders: found, ...page } = JSON.parse(stdout);
    expect([found.length, page]).toEqual([2, { page: null, pageSize: null, total: null, nextPage: null }]);
  });

  it.each([
    ['says that it waits when no page shows orders', ['--search', 'gift'], ['waiting for the service… 8 s']],
    ['does not say so when each page does', ['--all'], []],
  ])('at a terminal %s', async (_, args, waits) => {
    const clock = { ahead: 0 };
    const tasks = new Set<() => void>();
    const respond = listService({ envelope: 'items, limit', count: 1000, orders: orders(1000, () => ({})) });
    const { env } = await startStubService((request) => {
      clock.ahead += 1000;
      for (const task of tasks) task();
      return respond(request);
    });
    const repeat = (task: () => void) => {
      tasks.add(task);
      return () => tasks.delete(task);
    };
    const { stderr } = await runCli(['list', ...args], { clock, repeat, answers: [], env });
    expect(stderr.match(/waiting for the service… 8 s/g) ?? []).toEqual(waits);
    expect(stderr).toMatch(/(?:^|\[J)(?:No match in )?1,000 .*\.\n$/);
  });

  it('exits with 7 when the list is not complete', async () => {
    const { ids } = await startList(orders(45, every500th), { total: () => 50 });
    expect(await ids('--search', 'gift')).toMatchObject({
      ids: [],
      stderr: expect.stringContaining('The service counts 50 orders, but its pages contain only 45.'),
      exitCode: 7,
    });
  });
});

describe('list --deliver-on', () => {
  const days = [
    { requestedDeliveryDate: '2026-11-21', collectionMode: 'COLLECT', collectionAmount: '25000' },
    { requestedDeliveryDate: '2026-11-22' },
    {
      requestedDeliveryDate: '2026-11-21T00:00:00.000Z',
      collectionMode: 'COLLECT',
      collectionAmount: '500.50',
    },
    { requestedDeliveryDate: '2026-11-21T23:00:00Z' },
    { requestedDeliveryDate: null },
    {},
    {
      requestedDeliveryDate: '2026-11-21',
      collectionMode: 'COLLECT',
      collectionAmount: '9000',
      status: 'CANCELLED',
    },
    { requestedDeliveryDate: '2026-11-20', collectionMode: 'NONE', collectionAmount: '0' },
  ];
  const summary = '3 orders for Saturday 21 November 2026, of 8 created since 2026-11-20.\n';
  const missed = 'Delivery dates that are not a day are left out, such as 2026-11-21T23:00:00Z.\n';

  it('lists the orders of a day, whatever their status, and says which were read', async () => {
    const { ids, list, received } = await startList(orders(8, (place) => days[place] ?? {}));
    const forDay = (...args: string[]) => ids('--created-from', '2026-11-20', ...args);
    expect(await forDay('--deliver-on', '2026-11-21')).toEqual({
      ids: ['S-000000', 'S-000002', 'S-000006'],
      stderr: summary + missed,
      exitCode: 0,
    });
    const startOfDay = new Date(2026, 10, 20).toISOString().replace('.000', '');
    expect(received[0]?.query.createdFrom).toBe(startOfDay);
    expect((await forDay('--deliver-on', 'today')).ids).toEqual(['S-000007']);
    expect(await forDay('--deliver-on', '2026-11-21', '--search', 'cancel')).toMatchObject({
      ids: ['S-000006'],
    });
    const args = ['--deliver-on', '2026-11-21', '--created-from', '2026-11-20', '--no-color'];
    const { stderr } = await list(args, { width: 100 });
    expect(stderr).toBe(`${summary}To collect: 25,500.50 ₮, without 1 cancelled order.\n${missed}`);
  });

  it.each([
    ['saturday', '2026-11-21'],
    ['маргааш', '2026-11-21'],
    ['11 сарын 19', '2026-11-19'],
    ['Nov 1', '2026-11-01'],
    ['7/1', '2026-07-01'],
    ['19', '2026-11-19'],
  ])('takes what create takes, and the nearest day without a year: %s', async (text, day) => {
    const { ids } = await startList(orders(1, () => ({ requestedDeliveryDate: day })));
    const found = await ids('--deliver-on', text, '--created-from', '2026-11-20');
    expect(found).toMatchObject({ ids: ['S-000000'], exitCode: 0 });
  });

  it('reads the orders of 60 days, all of them', async () => {
    const { ids, received } = await startList(orders(250, () => ({ requestedDeliveryDate: '2026-11-21' })));
    const before = new Date(Date.now() - 60 * 86_400_000);
    const found = await ids('--deliver-on', '2026-11-21');
    expect([found.ids.length, found.exitCode]).toEqual([250, 0]);
    expect(found.stderr).toMatch(
      /^250 orders for Saturday 21 November 2026, of 250 created since 20\d\d-\d\d-\d\d\.\n/,
    );
    const { createdFrom = '' } = received[0]?.query ?? {};
    expect(Math.abs(Date.parse(createdFrom) - before.getTime())).toBeLessThan(1.1 * 86_400_000);
  });

  it('reads all orders where the service takes no range, and leaves out those before it', async () => {
    const all = orders(150, () => ({ requestedDeliveryDate: '2026-11-21' }));
    const respond = listService({ envelope: 'items, limit', count: 150, orders: all });
    const { env } = await startStubService((request) => {
      if (request.query.createdFrom === undefined) return respond(request);
      return { status: 400, json: { message: 'There is no createdFrom.' } };
    });
    const args = ['--deliver-on', '2026-11-21', '--created-from', '2026-11-20T11:00:00Z'];
    const { stderr, exitCode } = await runCli(['list', ...args], { env });
    expect(stderr).toMatch(/^61 orders for Saturday 21 November 2026, of 61 created since \S+ \S+\.\n$/);
    expect(exitCode).toBe(0);
  });

  it.each<[string, Partial<ListService>]>([
    ['counts more orders than it lists', { total: () => 50 }],
    ['has one page only', { envelope: 'bare array', ignores: ['page', 'pageSize'] }],
  ])('exits with 7 when the service %s', async (_, service) => {
    const { ids } = await startList(
      orders(45, () => ({ requestedDeliveryDate: '2026-11-21' })),
      service,
    );
    const { exitCode, stderr } = await ids('--deliver-on', '2026-11-21', '--created-from', '2026-11-01');
    expect([exitCode, stderr]).toEqual([7, expect.stringContaining('error: The service ')]);
  });
});

it.each([
  [['--page', '1', '--search', 'x'], '--page cannot be used with --search.'],
  [['--page', '1', '--deliver-on', 'today'], '--page cannot be used with --deliver-on.'],
  [['--page', '1', '--limit', '5'], '--page cannot be used with --limit.'],
  [['--deliver-on', 'today', '--limit', '5'], '--deliver-on cannot be used with --limit.'],
  [['--for', 'packing', '--search', 'x', '--limit', '5'], '--for cannot be used with --limit.'],
  [['--deliver-on', '2026-02-30'], '--deliver-on is not a day.'],
  [['--deliver-on', 'soon'], '--deliver-on is not a day.'],
  [['--search', ' '], 'The value of --search is not valid.'],
])('list refuses %j, and asks nothing', async (args, sentence) => {
  const { list, received } = await startList([]);
  const { stdout, stderr, exitCode } = await list(args);
  expect([stdout, exitCode, received.length]).toEqual(['', 2, 0]);
  expect(stderr).toContain(`error: ${sentence}`);
});
