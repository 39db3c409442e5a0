import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';
import { ledgerClient, ledgerEntry, startLedger } from '../support/ledger.ts';

const run = { id: 'run-1', kind: 'import', file: 'orders.csv', results: 'r.csv', orders: 3 } as const;
const newFile = () => join(temporaryDirectory(), 'ledger.db');

describe('a run', () => {
  it('keeps only the latest result of each row', async () => {
    const { runs, database } = await startLedger();
    const line = { row: 2, externalOrderId: 'A-1', outcome: 'unknown', attempts: 5 };
    runs.recordOrder('run-1', { ...line, code: 'outcome_unknown' });
    runs.recordOrder('run-1', { ...line, row: 3, outcome: 'created', attempts: 1 });
    runs.recordOrder('run-1', { ...line, outcome: 'created', attempts: 6 });
    runs.recordOrder('run-2', { ...line, bodyHash: 'hash' });
    expect(database.prepare('SELECT * FROM run_orders ORDER BY run, row').all()).toEqual([
      {
        run: 'run-1',
        row: 2,
        external_order_id: 'A-1',
        outcome: 'created',
        code: null,
        attempts: 6,
        body_hash: null,
        begun_by: null,
      },
      {
        run: 'run-1',
        row: 3,
        external_order_id: 'A-1',
        outcome: 'created',
        code: null,
        attempts: 1,
        body_hash: null,
        begun_by: null,
      },
      {
        run: 'run-2',
        row: 2,
        external_order_id: 'A-1',
        outcome: 'unknown',
        code: null,
        attempts: 5,
        body_hash: 'hash',
        begun_by: null,
      },
    ]);
  });

  it('is alive while its process has the ledger open', async () => {
    const [path, alive] = [newFile(), new Set<string>()];
    const [one, two] = [await startLedger({ path, alive }), await startLedger({ path, alive })];
    await two.runs.begin({ ...run, id: 'run-2' });
    await one.runs.begin(run);
    expect([one, two].map(({ runs }) => runs.isAlive('run-1'))).toEqual([true, true]);
    expect([one, two].map(({ runs }) => runs.isAlive('run-2'))).toEqual([true, true]);
    two.close();
    expect([one.runs.isAlive('run-2'), [...alive]]).toEqual([false, ['run-1']]);
  });

  it('does not begin when its lock cannot be taken, and is not stored', async () => {
    const { runs, database } = await startLedger();
    await runs.begin(run);
    await expect(runs.begin(run)).rejects.toMatchObject({ code: 'ledger_not_writable' });
    expect(database.prepare('SELECT id FROM runs').all()).toEqual([{ id: 'run-1' }]);
  });

  it('takes its lock once, also when another work of its transaction fails', async () => {
    const { runs, transaction } = await startLedger();
    const failed = transaction(() => {
      throw new Error('another work');
    });
    await Promise.all([runs.begin(run), expect(failed).rejects.toThrow('another work')]);
    expect(runs.isAlive('run-1')).toBe(true);
  });

  it('that was killed may have sent something until a minute after its last sign of life', async () => {
    const path = newFile();
    const clock = { now: 1000 };
    const [killed, other] = [
      await startLedger({ path, now: () => clock.now }),
      await startLedger({ path, now: () => clock.now }),
    ];
    await killed.runs.begin(run);
    killed.close();
    const latest = [20_000, 61_000, 900_000].map((now) => {
      clock.now = now;
      return other.runs.lastHeartbeat('run-1');
    });
    expect([...latest, other.runs.lastHeartbeat('run-9')]).toEqual([20_000, 61_000, 61_000, 900_000]);
  });

  it('that is dead stays dead', async () => {
    const alive = new Set<string>();
    const { runs } = await startLedger({ alive });
    expect(runs.isAlive('run-9')).toBe(false);
    alive.add('run-9');
    expect(runs.isAlive('run-9')).toBe(false);
  });
});

describe('other keys of a service', () => {
  it('are listed when they sent orders, with the newest created order', async () => {
    const path = newFile();
    let now = 1000;
    const open = (apiKey: string, service = ledgerClient.service) =>
      startLedger({ path, apiKey, service, now: () => now++ });
    const created = { state: 'created' } as const;
    const [second, third] = [await open('mk_2'), await open('mk_3')];
    second.orders.record(ledgerEntry({ ...created, externalOrderId: 'A-1', orderId: 'S-9' }));
    second.orders.record(ledgerEntry({ ...created, externalOrderId: 'A-2', orderId: 'S-1' }));
    second.orders.record(ledgerEntry({ externalOrderId: 'A-3', state: 'unknown' }));
    third.orders.record(ledgerEntry({ state: 'rejected' }));
    await open('mk_4');
    (await open('mk_5', 'https://api.other')).orders.record(ledgerEntry());
    const ours = await open('mk_1');
    ours.orders.record(ledgerEntry());
    const newest = ours.otherKeys().map(({ newestOrderId }) => newestOrderId);
    expect(newest.sort()).toEqual(['S-1', undefined]);
    expect(second.otherKeys().length).toBe(2);
    const theirs = ours.otherKeys().map((key) => ours.ordersOf(key).find('A-3')?.state);
    expect(theirs.sort()).toEqual(['unknown', undefined]);
  });
});
