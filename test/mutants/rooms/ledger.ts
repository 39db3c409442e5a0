import type { Mutant } from '../mutant.ts';

const orderLog = 'src/ledger/order-log.ts';
const sqlite = 'src/system/sqlite.ts';

export const ledger: readonly Mutant[] = [
  {
    name: 'oldest-endings-first',
    promise:
      'The same sheet under another name is recognised by the newest IDs of the ledger that end alike.',
    file: orderLog,
    find: 'ORDER BY updated_at DESC LIMIT 200',
    replace: 'ORDER BY updated_at LIMIT 200',
    tests: ['test/ledger/order-log.test.ts'],
  },
  {
    name: 'not-synced',
    promise: 'A generation above 0 is on the disk before its request leaves, even if the power fails.',
    file: 'src/ledger/ledger.ts',
    find: 'database.syncGroup();',
    replace: '',
    tests: ['test/ledger/ledger.test.ts'],
  },
  {
    name: 'sends-on-a-full-disk',
    promise: 'A ledger that cannot be written stops the sending; the reserved space is for outcomes only.',
    file: 'src/ledger/ledger.ts',
    find: "if (entry.state === 'intent') space.checkUnused();",
    replace: '',
    tests: ['test/ledger/ledger.test.ts'],
  },
  {
    name: 'withdraw-deletes',
    promise: 'An intent of which nothing was processed is withdrawn: the earlier entry stands.',
    file: orderLog,
    find: ': record(before)',
    replace: ': remove.run(client, externalOrderId)',
    tests: ['test/ledger/ledger.test.ts'],
  },
  {
    name: 'first-rejection-forgotten',
    promise:
      'A content that was rejected before is never sent again under the key that may hold the rejection.',
    file: orderLog,
    find: "if (state === 'rejected') insertRejection",
    replace: "if (state === 'rejected' && generation > 0) insertRejection",
    tests: ['test/import/send/send-again.test.ts'],
  },
  {
    name: 'cancelled-with-this-key-only',
    promise: 'An order that was cancelled with another key of the merchant counts as cancelled.',
    file: orderLog,
    find: 'FROM cancellations AS c WHERE c.order_id = o.order_id AND is_done)',
    replace: 'FROM cancellations AS c WHERE c.order_id = o.order_id AND is_done AND c.client = o.client)',
    tests: ['test/ledger/order-log.test.ts'],
  },
  {
    name: 'killed-runs-not-open',
    promise: 'The orders that a killed run was sending are settled like others with an unknown outcome.',
    file: orderLog,
    find: "o.state IN ('intent', 'unknown') ORDER BY",
    replace: "o.state IN ('unknown') ORDER BY",
    tests: ['test/ledger/order-log.test.ts', 'test/commands/settle/settle.test.ts'],
  },
  {
    name: 'live-runs-count-as-dead',
    promise: 'An intent of a live run is left to it.',
    file: 'src/system/run-locks.ts',
    find: 'if (isBusy(error)) return true;',
    replace: 'if (isBusy(error)) return false;',
    tests: ['test/system/run-locks.test.ts'],
  },
  {
    name: 'heartbeat-without-its-interval',
    promise: 'The ten minutes of a killed run count from the last time at which it may have sent something.',
    file: 'src/ledger/run-log.ts',
    find: 'row.heartbeat_at + 2 * heartbeatMilliseconds',
    replace: 'row.heartbeat_at',
    tests: ['test/ledger/run-log.test.ts'],
  },
  {
    name: 'commit-reported-before-it-is-made',
    promise: 'A write of the ledger resolves only after its commit.',
    file: sqlite,
    find: 'const value = work(); return () => resolve(value);',
    replace: 'const value = work(); resolve(value); return () => undefined;',
    tests: ['test/system/sqlite.test.ts'],
  },
  {
    name: 'half-of-a-failed-work-kept',
    promise: 'Each work of a group commit is written as a whole or not at all.',
    file: sqlite,
    find: "connection.exec('ROLLBACK TO work; RELEASE work');",
    replace: "connection.exec('RELEASE work');",
    tests: ['test/system/sqlite.test.ts'],
  },
];
