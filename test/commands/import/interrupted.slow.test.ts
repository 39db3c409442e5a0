import { describe, expect, it } from 'vitest';
import { createInterruption } from '../../support/cli.ts';
import { type Cells, countBy, noOrders, rowsOf, start, sum } from './setup.ts';

describe('an import that is interrupted', () => {
  const inFlight = 8;
  /** Calls `act` once, when the service has received this many requests. */
  const startWith = async (requests: number, act: () => void) => {
    let isDue = true;
    const service = { count: () => 0 };
    const now = () => {
      if (isDue && service.count() >= requests) {
        isDue = false;
        act();
      }
      return Date.now();
    };
    const shop = await start('orders.csv', { now });
    service.count = () => shop.sandbox.requestCount();
    return shop;
  };
  const isComplete = (listed: Cells[]) =>
    listed.length === 264 && new Set(listed.map(({ externalOrderId }) => externalOrderId)).size === 264;

  it.each([
    ['SIGINT', 130, 'interrupted'],
    ['SIGTERM', 143, 'terminated'],
  ] as const)(
    'by %s waits for requests in flight, and the same command continues',
    async (signal, code, error) => {
      const flags = ['--yes', '--json', '--concurrency', `${inFlight}`];
      const interruption = createInterruption();
      const shop = await startWith(100, () => interruption.send(signal));
      const { stdout, stderr, exitCode } = await shop.import(flags, { interruption });
      const { orders, exitCode: reportedCode } = JSON.parse(stdout);
      expect([exitCode, reportedCode]).toEqual([code, code]);
      expect(sum(orders)).toEqual([264, 264]);
      expect([orders.created >= 100 - inFlight, orders.created <= 100 + inFlight]).toEqual([true, true]);
      expect(orders.unknown).toBe(0);
      const [note = '', , last = ''] = stderr.trimEnd().split('\n');
      expect(note).toBe('Stopping: waiting for requests in flight. Press Ctrl-C again to quit now.');
      expect(JSON.parse(last).error).toEqual({
        code: error,
        exitCode: code,
        message: `Stopped: ${orders.not_sent} orders are not done yet.`,
        hint: `To continue, run the same command again:\n  merchant-orders import ${shop.csv} ${flags.join(' ')}`,
      });
      const interrupted = rowsOf(shop.results);
      expect(countBy(interrupted, 'outcome')).toEqual({ created: orders.created, not_sent: orders.not_sent });
      // Besides the creates, each import reads the list once.
      expect(shop.sandbox.requestCount()).toBe(orders.created + 1);

      const again = await shop.import(['--yes', '--json']);
      expect(JSON.parse(again.stdout).orders).toEqual({
        ...noOrders,
        total: 264,
        already_exists: orders.created,
        created: orders.not_sent,
      });
      expect([again.exitCode, shop.sandbox.requestCount()]).toEqual([0, 264 + 2]);
      expect(isComplete(await shop.listed())).toBe(true);
      const [first, second] = [interrupted[0]?.created_by_run ?? '', JSON.parse(again.stdout).run];
      expect(countBy(rowsOf(shop.results), 'created_by_run')).toEqual({
        [first]: orders.created,
        [second]: orders.not_sent,
      });
    },
  );

  it('twice quits at once, and the same command settles the requests in flight', async () => {
    const interruption = createInterruption();
    const shop = await startWith(100, () => {
      interruption.send('SIGINT');
      interruption.send('SIGINT');
    });
    const { stdout, exitCode } = await shop.import(['--yes', '--json'], { interruption });
    const { orders } = JSON.parse(stdout);
    expect([exitCode, ...sum(orders)]).toEqual([130, 264, 264]);
    expect(orders.unknown).toBeGreaterThan(0);
    const again = await shop.import(['--yes', '--json']);
    const settled = JSON.parse(again.stdout).orders;
    expect([again.exitCode, settled.already_exists + settled.created]).toEqual([0, 264]);
    expect(isComplete(await shop.listed())).toBe(true);
    expect(rowsOf(shop.results).filter(({ created_by_run }) => created_by_run === '')).toEqual([]);
  });
});
