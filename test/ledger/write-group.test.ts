import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { ledgerRow, startLedger } from '../support/ledger.ts';

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ledgerRow({ externalOrderId: `A-${index}` }));

/** A ledger, and the same as another process sees it. */
async function start() {
  const path = join(temporaryDirectory(), 'ledger.db');
  const [ledger, other] = [await startLedger({ path }), await startLedger({ path })];
  const seen = () => rows(9).filter(({ externalOrderId }) => other.orders.recall(externalOrderId)).length;
  return { ledger, other, seen };
}

describe('what comes in one turn', () => {
  it('is written together, in the order in which it came, and resolved when others see it', async () => {
    const { ledger, seen } = await start();
    const order: string[] = [];
    const all = rows(3).map((row, index) =>
      ledger
        .transaction(() => {
          order.push(`write ${index}, others see ${seen()}`);
          ledger.orders.record(row);
          return index;
        })
        .then((result) => order.push(`resolve ${result}, others see ${seen()}`)),
    );
    expect(order).toEqual([]);
    await Promise.all(all);
    expect(order).toEqual([
      ...[0, 1, 2].map((index) => `write ${index}, others see 0`),
      ...[0, 1, 2].map((index) => `resolve ${index}, others see 3`),
    ]);
  });

  it('is not written at all when one part of it fails: all of it is told so', async () => {
    const { ledger, seen } = await start();
    const all = rows(3).map((row, index) =>
      ledger.transaction(() => {
        ledger.orders.record(row);
        if (index === 1) throw new Error('disk I/O error');
      }),
    );
    const told = (await Promise.allSettled(all)).map((one) => one.status === 'rejected' && one.reason);
    expect(told.map((error) => error instanceof CliError && [error.code, error.message])).toEqual(
      Array(3).fill(['ledger_not_writable', 'The ledger of past imports cannot be used: disk I/O error.']),
    );
    expect(seen()).toBe(0);
    await ledger.transaction(() => ledger.orders.record(ledgerRow({ externalOrderId: 'A-1' })));
    expect(seen()).toBe(1);
  });

  it('is apart from what comes in the next', async () => {
    const { ledger, seen } = await start();
    const [first, second] = rows(2);
    const failed = ledger.transaction(() => {
      throw new Error('no');
    });
    const ended = failed.catch(() => 'failed');
    await turn();
    await ledger.transaction(() => ledger.orders.record(first ?? ledgerRow()));
    await ledger.transaction(() => ledger.orders.record(second ?? ledgerRow()));
    expect([await ended, seen()]).toEqual(['failed', 2]);
  });

  it('is not written while another process writes, and sees what that wrote', async () => {
    const { ledger, other } = await start();
    other.database.exec('BEGIN IMMEDIATE');
    other.orders.record(ledgerRow({ state: 'created', orderId: 'S-1' }));
    ledger.database.exec('PRAGMA busy_timeout = 0');
    await expect(ledger.transaction(() => undefined)).rejects.toMatchObject({ code: 'ledger_not_writable' });
    other.database.exec('COMMIT');
    expect(await ledger.transaction(() => ledger.orders.recall('A-1')?.orderId)).toBe('S-1');
  });
});

describe('what must outlast the machine', () => {
  it('is written as everything else is, and others after it without that care', async () => {
    const { ledger, seen } = await start();
    const synchronous = () => ledger.database.prepare('PRAGMA synchronous').all();
    const careless = synchronous();
    const [first, second] = rows(2);
    await ledger.transaction(() => {
      ledger.keep();
      ledger.orders.record(first ?? ledgerRow());
    });
    await ledger.transaction(() => ledger.orders.record(second ?? ledgerRow()));
    expect([seen(), synchronous()]).toEqual([2, careless]);
  });

  it('is told as failed when it may not have reached the disk', async () => {
    const { ledger } = await start();
    ledger.database.exec(
      "CREATE TRIGGER full BEFORE UPDATE ON secret BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
    );
    const kept = ledger.transaction(() => ledger.keep());
    await expect(kept).rejects.toMatchObject({
      message: 'The ledger of past imports cannot be used: disk is full.',
    });
  });
});
