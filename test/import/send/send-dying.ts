import { join } from 'node:path';
import process from 'node:process';
import { createClient } from '../../../src/api/client.ts';
import { createTransport } from '../../../src/api/http/transport.ts';
import { createOrderFinder } from '../../../src/api/pages/order-finder.ts';
import { entriesOfKey } from '../../../src/import/send/merchant-entries.ts';
import { sendOrder } from '../../../src/import/send/send-order.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { defaultPaths } from '../../../src/orders/unnamed-fields.ts';
import { createRunLocks } from '../../../src/system/run-locks.ts';
import { openDatabase } from '../../../src/system/sqlite.ts';
import { systemClock } from '../../../src/system/system.ts';

// Sends one order to the service of the first argument, with the ledger in the folder of the second, as run `killed`.
const [, , baseUrl = '', directory = '', order = ''] = process.argv;
const never = new AbortController().signal;
const transport = createTransport({
  baseUrl: new URL(baseUrl),
  apiKey: 'sandbox_1',
  userAgent: 'test',
  env: {},
  clock: systemClock,
});
const client = createClient(
  transport,
  {
    clock: systemClock,
    random: () => 0.5,
    timeoutMilliseconds: 60_000,
    maxWaitMilliseconds: 300_000,
    maxOutageMilliseconds: 900_000,
    hasWaitFlags: false,
    waitsForOutages: false,
    stopping: never,
    leaving: never,
    trace: () => undefined,
  },
  baseUrl,
);
const ledger = await openLedger(
  {
    open: (schema) => openDatabase(join(directory, 'ledger.db'), schema),
    locks: await createRunLocks(join(directory, 'runs'), () => undefined),
    reserve: () => () => undefined,
    now: () => 1000,
  },
  { service: 'https://api.example', apiKey: 'sandbox_1' },
);
await ledger.runs.begin({ id: 'killed', kind: 'import', file: 'orders.csv', results: '', orders: 1 });
await sendOrder(JSON.parse(order), {
  client,
  finder: createOrderFinder(client),
  ledger,
  entries: entriesOfKey(ledger),
  run: 'killed',
  fieldPaths: defaultPaths,
  recreatesCancelled: false,
  now: () => 1000,
});
