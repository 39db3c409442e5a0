import { onTestFinished } from 'vitest';
import { type LedgerClient, openLedger } from '../../src/ledger/ledger.ts';
import type { LedgerEntry } from '../../src/ledger/order-log.ts';
import type { RunLocks } from '../../src/system/run-locks.ts';
import { type Database, openDatabase, type Schema } from '../../src/system/sqlite.ts';

export const ledgerClient: LedgerClient = { service: 'https://api.example', apiKey: 'mk_live_secret_1' };

export interface LedgerOptions extends Partial<LedgerClient> {
  path?: string;
  now?: () => number;
  /** The runs that are alive; ledgers that share this set stand for processes of one machine. */
  alive?: Set<string>;
  /** Disk space for outcomes; none by default. */
  reserve?: Parameters<typeof openLedger>[0]['reserve'];
}

/** A ledger in this file or in memory, closed after the test. */
export async function startLedger({
  path = ':memory:',
  now = () => 1000,
  alive,
  reserve = () => () => undefined,
  ...client
}: LedgerOptions = {}) {
  let opened: Database | undefined;
  const open = async (schema: Schema) => {
    opened = await openDatabase(path, schema);
    return opened;
  };
  const parts = { open, locks: createLocks(alive), reserve, now };
  const ledger = await openLedger(parts, { ...ledgerClient, ...client });
  let isOpen = true;
  const close = () => {
    if (isOpen) ledger.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { ...ledger, database: opened as unknown as Database, close };
}

/** Locks in memory, held until they are released. */
export function createLocks(alive = new Set<string>()): RunLocks {
  const taken = new Set<string>();
  return {
    take: (run) => {
      if (alive.has(run)) throw new Error(`${run} is locked already`);
      taken.add(run);
      alive.add(run);
    },
    isHeld: (run) => alive.has(run),
    removeUnused: () => undefined,
    release: () => {
      for (const run of taken) alive.delete(run);
    },
  };
}

/** An entry of the ledger: an intent, unless the fields say otherwise. */
export function ledgerEntry(fields: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    externalOrderId: 'A-1',
    bodyHash: 'hash of A',
    idempotencyKey: 'key-1',
    generation: 0,
    state: 'intent',
    orderId: null,
    orderNumber: null,
    code: null,
    run: 'run-1',
    lastRun: 'run-1',
    unknownAt: null,
    first409At: null,
    copies: null,
    ...fields,
  };
}
