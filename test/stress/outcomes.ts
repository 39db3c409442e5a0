import type { ServerResponse } from 'node:http';
import { type ApiClient, createClient } from '../../src/api/client.ts';
import { createTransport } from '../../src/api/http/transport.ts';
import { cancelOrder } from '../../src/api/operations/cancel.ts';
import { type Creation, createOrder } from '../../src/api/operations/create.ts';
import { getOrder, lookUp } from '../../src/api/operations/find.ts';
import type { AttemptPolicy } from '../../src/api/pacing/attempts.ts';
import { createOrderFinder } from '../../src/api/pages/order-finder.ts';
import { CliError } from '../../src/errors.ts';
import { type Order, textField } from '../../src/orders/order.ts';
import { defaultPaths } from '../../src/orders/unnamed-fields.ts';
import { type Clock, systemClock } from '../../src/system/system.ts';
import { type Intervention, startForeignService } from '../support/foreign-service/service.ts';
import { brokenResponses } from '../support/odd-service/broken.ts';
import { printFigures, reportPromise } from './import/figures.ts';

/** Of a length that is announced, and never sent. */
const halfOrder = { status: 200, headers: {}, body: '{"id":"0001"}' };

/** Faults of one response. */
const faults: [name: string, fault: (response: ServerResponse) => void][] = [
  ...Array.from({ length: 400 }, (_, index) => 200 + index).map((status): (typeof faults)[number] => [
    `${status}`,
    (response) => response.writeHead(status).end(),
  ]),
  ...[
    'reset',
    'close',
    'cut body',
    'half headers',
    'garbage',
    'another order',
    'not JSON',
    'an error inside a 200',
  ].map((name): (typeof faults)[number] => [
    name,
    (response) => brokenResponses[name]?.(response, halfOrder),
  ]),
];

/*
 * Every status and every fault, on the first attempt or on all of them, before or after the service processes the
 * request: what the client reports is compared with what the service did, which shares no code with this project.
 */
const figures = { faults: faults.length, calls: 0, duplicated: 0, misreported: 0, unknown: 0 };
for (const [name, fault] of faults) {
  // A service that sends these after it processed the request lies, which no client can detect.
  const times = saysNotProcessed(name) ? (['before'] as const) : (['before', 'after'] as const);
  for (const when of times) {
    for (const isAlways of [false, true]) await measureOne(name, fault, when, isAlways);
  }
}
const isKept = printFigures(figures, {}, ['duplicated', 'misreported']);
reportPromise({ promise: 4, figures, isKept });

async function measureOne(
  name: string,
  fault: (typeof faults)[number][1],
  when: 'before' | 'after',
  isAlways: boolean,
): Promise<void> {
  let target: 'POST' | 'GET' | 'cancel' | undefined;
  let count = 0;
  const service = await startForeignService({
    intervene: ({ method, path }) => {
      const kind = path.endsWith('/cancel') ? 'cancel' : method;
      if (kind !== target || (count++ > 0 && !isAlways)) return undefined;
      return (when === 'before' ? { before: fault } : { after: fault }) as Intervention;
    },
  });
  const client = connect(service.baseUrl, service.apiKey);
  const report = (text: string, isRight: boolean) => {
    figures.calls += 1;
    if (isRight) return;
    figures.misreported += 1;
    console.log(`misreported: ${text} (${name}, ${when}, ${isAlways ? 'always' : 'once'})`);
  };

  target = 'POST';
  const order: Order = {
    externalOrderId: 'A',
    customer: { phone: '99112233' },
    items: [{ sku: 'TEA' }],
    collectionMode: 'NONE',
  };
  const creation = await create(client, order, 'K');
  const commits = service.commits().get('A') ?? 0;
  figures.duplicated += Math.max(0, commits - 1);
  if (creation.outcome === 'unknown') figures.unknown += 1;
  const isThere = creation.outcome === 'created' || creation.outcome === 'already_exists';
  const isNotCreated = creation.outcome === 'rejected' || creation.outcome === 'not_sent';
  report(`create: ${creation.outcome}`, !(isThere && commits === 0) && !(isNotCreated && commits > 0));

  target = undefined;
  const other: Order = { ...order, externalOrderId: 'B' };
  const createdOther = await create(client, other, 'L');
  if (!('order' in createdOther)) throw new Error('an order without a fault was not created');
  [target, count] = ['GET', 0];
  const read = await orCode(() => getOrder(client, createdOther.order.id));
  report(
    `get: ${String(read)}`,
    typeof read === 'string' ? read !== 'unexpected_failure' : read.id === createdOther.order.id,
  );
  count = 0;
  const found = await orCode(() => lookUp(client, 'externalOrderId', 'B'));
  const isAbsent = Array.isArray(found) && found.length === 0;
  report('lookup: absent', !isAbsent || lies(name));
  [target, count] = ['cancel', 0];
  const cancelled = await orCode(() => cancelOrder(client, createdOther.order, 'sold out'));
  target = undefined;
  const now = await getOrder(client, createdOther.order.id);
  const isCancelled = textField(now.order, 'status') === 'cancelled';
  const reported = typeof cancelled === 'string' ? cancelled : cancelled.outcome;
  if (reported === 'unknown') figures.unknown += 1;
  report(
    `cancel: ${reported}`,
    !(/cancelled$/.test(reported) && !isCancelled && !lies(name)) &&
      !(/^(?:refused|not_found)$/.test(reported) && isCancelled && !lies(name)),
  );
  await client.close();
  await service.stop();
}

function saysNotProcessed(name: string): boolean {
  return /^3\d\d$|^(?:401|403|404|405|429)$/.test(name);
}

/** A status without a body, of a read or a cancellation, which the client has to believe. */
function lies(name: string): boolean {
  return /^[24]\d\d$/.test(name);
}

async function orCode<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CliError) return error.code;
    throw error;
  }
}

/** The client as the program creates it, with a clock that jumps ahead instead of waiting. */
function connect(baseUrl: string, apiKey: string): ApiClient {
  let ahead = 0;
  const clock: Clock = {
    ...systemClock,
    now: () => Date.now() + ahead,
    monotonic: () => performance.now() + ahead,
    sleep: async (milliseconds) => {
      await new Promise(setImmediate);
      ahead += milliseconds;
    },
  };
  const never = new AbortController().signal;
  const transport = createTransport({
    baseUrl: new URL(baseUrl),
    apiKey,
    userAgent: 'stress',
    env: {},
    clock: systemClock,
  });
  const policy: AttemptPolicy = {
    clock,
    random: () => 0.1,
    timeoutMilliseconds: 60_000,
    maxWaitMilliseconds: 300_000,
    maxOutageMilliseconds: 900_000,
    hasWaitFlags: true,
    waitsForOutages: false,
    stopping: never,
    leaving: never,
    trace: () => undefined,
  };
  return createClient(transport, policy, baseUrl);
}

function create(client: ApiClient, order: Order, key: string): Promise<Creation> {
  const externalOrderId = textField(order, 'externalOrderId') ?? '';
  const body = JSON.stringify(order);
  const newOrder = {
    externalOrderId,
    order,
    body,
    key,
    replacedIds: new Set<string>(),
    fieldPaths: defaultPaths,
  };
  const earlier = {
    hasOpenAttempt: false,
    mayTakeEffectLate: false,
    looksUpRejections: false,
    isOverdue: false,
  };
  return createOrder(client, createOrderFinder(client), newOrder, earlier);
}
