import process from 'node:process';
import { afterEach, describe, expect, it } from 'vitest';
import { ordersWithin, parseCreatedRange, widerDates } from '../../../src/api/pages/created-range.ts';
import { calendarDate, systemClock } from '../../../src/system/system.ts';
import { type ReceivedRequest, type Reply, startStubService } from '../../api/stub-service.ts';
import { runCli } from '../../support/cli.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

/** The clock of somebody at that moment. */
function clockAt(moment: string) {
  const now = Date.parse(moment);
  const today = (daysBefore = 0) => {
    const date = new Date(now);
    date.setDate(date.getDate() - daysBefore);
    return calendarDate(date);
  };
  return { ...systemClock, now: () => now, monotonic: () => now, today, sleep: async () => undefined };
}

interface Flags {
  createdFrom?: string;
  createdTo?: string;
}

const rangeAt = (moment: string, flags: Flags) => parseCreatedRange(flags, clockAt(moment));

describe('a day', () => {
  it.each([
    ['UTC', '2026-11-20', '2026-11-20T00:00:00Z', '2026-11-20T23:59:59.999Z'],
    ['Asia/Ulaanbaatar', '2026-11-20', '2026-11-19T16:00:00Z', '2026-11-20T15:59:59.999Z'],
    ['America/New_York', '2026-11-20', '2026-11-20T05:00:00Z', '2026-11-21T04:59:59.999Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-09T03:59:59.999Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T04:59:59.999Z'],
    // At midnight the clocks go forward, so that the day begins at 01:00.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z', '2026-04-24T20:59:59.999Z'],
    ['Pacific/Kiritimati', '2028-02-29', '2028-02-28T10:00:00Z', '2028-02-29T09:59:59.999Z'],
    ['Asia/Kathmandu', '2026-11-20', '2026-11-19T18:15:00Z', '2026-11-20T18:14:59.999Z'],
    ['UTC', '0099-12-31', '0099-12-31T00:00:00Z', '0099-12-31T23:59:59.999Z'],
    ['America/New_York', '9999-12-31', '9999-12-31T05:00:00Z', '9999-12-31T23:59:59.999Z'],
  ])('in %s, %s is sent as its first and last moment', (TZ, date, createdFrom, createdTo) => {
    process.env.TZ = TZ;
    const flags = { createdFrom: date, createdTo: date };
    expect(rangeAt('2026-11-25T08:00:00Z', flags).instants).toEqual({ createdFrom, createdTo });
  });

  it.each([
    ['UTC', 'today', '2026-11-20T00:00:00Z', '2026-11-20T23:59:59.999Z'],
    ['Asia/Ulaanbaatar', 'today', '2026-11-20T16:00:00Z', '2026-11-21T15:59:59.999Z'],
    ['Asia/Ulaanbaatar', 'yesterday', '2026-11-19T16:00:00Z', '2026-11-20T15:59:59.999Z'],
    ['Asia/Ulaanbaatar', '7d', '2026-11-13T16:00:00Z', '2026-11-14T15:59:59.999Z'],
    ['Asia/Ulaanbaatar', '0d', '2026-11-20T16:00:00Z', '2026-11-21T15:59:59.999Z'],
    ['America/New_York', 'today', '2026-11-20T05:00:00Z', '2026-11-21T04:59:59.999Z'],
    ['America/New_York', '20d', '2026-10-31T04:00:00Z', '2026-11-01T03:59:59.999Z'],
    ['Asia/Ulaanbaatar', '24h', '2026-11-19T20:30:00Z', '2026-11-19T20:30:00Z'],
    ['America/New_York', '1h', '2026-11-20T19:30:00Z', '2026-11-20T19:30:00Z'],
  ])('in %s, %s is reckoned from now', (TZ, text, createdFrom, createdTo) => {
    process.env.TZ = TZ;
    const flags = { createdFrom: text, createdTo: text };
    expect(rangeAt('2026-11-20T20:30:00Z', flags).instants).toEqual({ createdFrom, createdTo });
  });

  it.each([
    ...['', 'tomorrow', 'Today', '7', '7w', '-1d', '7 d', '99999d', '2026-02-30', '2026-11-5', '20/11/2026'],
    ...['2026-11-20 08:00', '2026-11-20T08:00', '2026-11-20T08:00:00', '2026-11-20T08:00Z', '1763625600'],
    ...['2026-11-20T24:00:00Z', '2026-02-30T08:00:00Z', '2026-11-20T08:00:00+8', '0000-01-01'],
  ])('is not %j', async (text) => {
    const { env, received } = await startStubService(() => ({ json: [] }));
    const { stdout, stderr, exitCode } = await runCli(['list', `--created-to=${text}`], { env });
    expect([stdout, exitCode, received.length]).toEqual(['', 2, 0]);
    for (const form of ['today', 'yesterday', '7d', '24h', '2026-11-20', '2026-11-20T08:00:00Z']) {
      expect(stderr).toContain(form);
    }
  });
});

describe('widerDates', () => {
  it.each([
    ['UTC', '2026-11-20', '2026-11-19', '2026-11-22'],
    ['Asia/Ulaanbaatar', '2026-11-20', '2026-11-19', '2026-11-22'],
    ['America/New_York', '2026-11-20', '2026-11-19', '2026-11-22'],
    ['Asia/Ulaanbaatar', '2026-03-01', '2026-02-28', '2026-03-03'],
    ['Asia/Ulaanbaatar', '2026-11-20T23:30:00Z', '2026-11-20', '2026-11-23'],
    ['UTC', '9999-12-31', '9999-12-30', '9999-12-31'],
  ])('in %s, %s: from %s to %s', (TZ, text, createdFrom, createdTo) => {
    process.env.TZ = TZ;
    const range = rangeAt('2026-11-25T08:00:00Z', { createdFrom: text, createdTo: text });
    expect(widerDates(range)).toEqual({ createdFrom, createdTo });
  });
});

describe('ordersWithin', () => {
  it('keeps both bounds, and orders that do not show a time with a zone', () => {
    process.env.TZ = 'Asia/Ulaanbaatar';
    const range = rangeAt('2026-11-25T08:00:00Z', { createdFrom: '2026-11-20', createdTo: '2026-11-20' });
    const kept = (...createdAt: unknown[]) => {
      const orders = createdAt.map((value) => ({ createdAt: value as string }));
      const within = ordersWithin(range, orders);
      return [within.orders.map((order) => order.createdAt), within.areDated];
    };
    const first = '2026-11-19T16:00:00Z';
    const last = '2026-11-20T23:59:59.999999+08:00';
    expect(kept('2026-11-19T15:59:59.999Z', first, last, '2026-11-20T16:00:00Z')).toEqual([
      [first, last],
      true,
    ]);
    expect(kept(first, '2026-11-20', '2026-11-25T08:00:00', 7, null)).toEqual([
      [first, '2026-11-20', '2026-11-25T08:00:00', 7, null],
      false,
    ]);
  });
});

interface Stored {
  id: string;
  createdAt?: string;
}

/** A service that compares times, or takes calendar dates only and reads them as midnight. */
function service(
  all: Stored[],
  { datesOnly = 0, shown = (order: Stored): object => order, size = 100 } = {},
) {
  return ({ query }: ReceivedRequest): Reply => {
    const isDate = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);
    const bounds = [query.createdFrom, query.createdTo].filter((text) => text !== undefined);
    if (datesOnly !== 0 && !bounds.every(isDate)) {
      return { status: datesOnly, json: { message: 'createdFrom: use YYYY-MM-DD' } };
    }
    const at = (text: string | undefined, open: number) => (text === undefined ? open : Date.parse(text));
    const orders = all.filter(({ createdAt = '' }) => {
      const moment = Date.parse(createdAt);
      return at(query.createdFrom, 0) <= moment && moment <= at(query.createdTo, Number.POSITIVE_INFINITY);
    });
    const page = Number(query.page ?? 1);
    const items = orders.slice((page - 1) * size, page * size);
    return { json: { data: items.map(shown), page, pageSize: size, total: orders.length } };
  };
}

describe('list --created-from and --created-to', () => {
  const moments = [
    '2026-11-19T15:59:59.999Z',
    '2026-11-19T16:00:00Z',
    '2026-11-20T03:00:00Z',
    '2026-11-20T15:59:59.999Z',
    '2026-11-20T16:00:00Z',
    '2026-11-21T03:00:00Z',
  ];
  const all = moments.map((createdAt, index) => ({ id: `S-${index}`, status: 'NEW', createdAt }));

  async function list(respond: (request: ReceivedRequest) => Reply, ...flags: string[]) {
    process.env.TZ = 'Asia/Ulaanbaatar';
    const { env, received } = await startStubService(respond);
    const { stdout, stderr, exitCode } = await runCli(['list', '--json', ...flags], {
      env,
      today: '2026-11-20',
    });
    const json = stdout === '' ? undefined : JSON.parse(stdout);
    return {
      ids: json?.orders.map(({ id }: { id: string }) => id),
      total: json?.total,
      stderr,
      exitCode,
      bounds: received.map(({ query: { createdFrom, createdTo } }) => [createdFrom, createdTo]),
    };
  }

  it.each([
    [
      ['--created-from', 'today'],
      ['S-1', 'S-2', 'S-3', 'S-4', 'S-5'],
    ],
    [
      ['--created-to', 'today'],
      ['S-0', 'S-1', 'S-2', 'S-3'],
    ],
    [
      ['--created-from', '2026-11-20', '--created-to', '2026-11-20'],
      ['S-1', 'S-2', 'S-3'],
    ],
    [['--created-from', '2026-11-20T03:00:00Z', '--created-to', '2026-11-20T03:00:00Z'], ['S-2']],
  ])('%j: the same orders, whatever the service takes', async (flags, ids) => {
    expect(await list(service(all), ...flags)).toMatchObject({ ids, total: ids.length, exitCode: 0 });
    for (const status of [400, 422]) {
      const dates = service(all, { datesOnly: status });
      for (const many of [['--all'], ['--limit', '10']]) {
        const found = await list(dates, ...flags, ...many);
        expect(found).toMatchObject({ ids, total: null, stderr: '', exitCode: 0 });
      }
      expect(await list(dates, ...flags)).toMatchObject({ ids, total: null, stderr: '', exitCode: 0 });
      const onePage = await list(dates, ...flags, '--page', '1');
      expect(onePage).toMatchObject({ ids: undefined, exitCode: 5 });
      expect(onePage.stderr).toContain('use YYYY-MM-DD');
    }
  });

  it.each([['of all pages', '--all'], ['of some orders', '--limit', '9'], ['of one page']])(
    'leaves out what a service that ignores the range lists, and says so, in a list %s',
    async (_name, ...many) => {
      const ignoring = (shown: (order: Stored) => object) => (request: ReceivedRequest) =>
        service(all, { shown })({ ...request, query: { page: request.query.page ?? '1' } });
      const asStored = ignoring((order) => order);
      const note = 'The service ignored the filter; orders that do not match it are left out.\n';
      for (const side of ['from', 'to']) {
        const { ids, stderr, exitCode } = await list(asStored, `--created-${side}`, 'today', ...many);
        const filtered = await list(service(all), `--created-${side}`, 'today', ...many);
        expect([ids, stderr, exitCode]).toEqual([filtered.ids, note, 0]);
      }
      const wide = ['--created-from', '2026-11-19', '--created-to', '2026-11-21'];
      expect(await list(asStored, ...wide, ...many)).toMatchObject({ stderr: '', exitCode: 0 });
      const undated = ignoring(({ id }) => ({ id, status: 'NEW', createdAt: '2020-01-01' }));
      expect(await list(undated, '--created-from', 'today', ...many)).toMatchObject({ stderr: '' });
    },
  );

  it.each<[string, (order: Stored) => object]>([
    ['no time', ({ id }) => ({ id, status: 'NEW' })],
    ['a time without a zone', ({ id }) => ({ id, status: 'NEW', createdAt: '2026-11-20T08:00:00' })],
  ])('says when the orders do not show when they were created: %s', async (_name, shown) => {
    const respond = service(all, { datesOnly: 400, shown });
    const { ids, stderr, exitCode } = await list(respond, '--created-to', 'today', '--all');
    expect([ids.length, exitCode]).toEqual([6, 0]);
    expect(stderr).toBe(
      'The service takes whole days only and does not show the creation time of orders with a time zone, so orders of the days before and after may be listed too.\n',
    );
  });
});
