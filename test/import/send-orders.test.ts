import { describe, expect, it, onTestFinished } from 'vitest';
import type { OrderOutcome } from '../../src/import/order-outcome.ts';
import { createIntent } from '../../src/import/record-creation.ts';
import { sendOrders } from '../../src/import/send-orders.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { writeOrderBody } from '../../src/orders/order-body.ts';
import { openDatabase } from '../../src/system/sqlite.ts';
import { answer, createdFrom, noConnection, planned, refusal, serviceThat } from './services.ts';

type Service = Parameters<typeof serviceThat>[0];

const created: Service = (_, request) => answer(201, createdFrom(request));
const orders = (count: number) => Array.from({ length: count }, (_, index) => planned(`${index}`, index + 2));

interface Flags {
  concurrency?: number;
  stopping?: AbortController;
  /** The order that an earlier run sent without learning what came of it. */
  open?: string;
  /** The order that an earlier run created. */
  done?: string;
}

/** Sends this many orders; outcomes are shown by own id. */
async function send(
  count: number,
  service: Service,
  { concurrency = 1, stopping = new AbortController(), open, done }: Flags = {},
) {
  const ledger = await openLedger(
    () => openDatabase(':memory:'),
    { service: 'https://api.example', apiKey: 'mk_1' },
    () => 1000,
  );
  onTestFinished(() => ledger.close());
  if (open !== undefined) ledger.record(createIntent(open, '{}', 'key', 'run-0'));
  const earlier = orders(count).find(({ externalOrderId }) => externalOrderId === done);
  if (earlier !== undefined) {
    const intent = createIntent(earlier.externalOrderId, writeOrderBody(earlier.order), 'key', 'run-0');
    ledger.record({ ...intent, state: 'created', orderId: 'S-1' });
  }
  const client = serviceThat(service);
  const seen: OrderOutcome[] = [];
  const { outcomes, stoppedBy } = await sendOrders(orders(count), {
    ...{ client, ledger, run: 'run-1', concurrency, stopping: stopping.signal },
    onOutcome: (outcome) => seen.push(outcome),
  });
  expect(seen).toEqual(outcomes);
  const byId = [...outcomes].sort((left, right) => left.row - right.row);
  return {
    outcomes: byId.map(({ externalOrderId, outcome }) => `${externalOrderId} ${outcome}`),
    codes: byId.map(({ code }) => code),
    requests: client.seen.length,
    stoppedBy: stoppedBy?.code,
  };
}

describe('a run that is stopped', () => {
  it('still knows what an earlier run created', async () => {
    const stopping = new AbortController();
    stopping.abort();
    const { outcomes, requests } = await send(3, created, { stopping, done: '1' });
    expect(outcomes).toEqual(['0 not_sent', '1 already_exists', '2 not_sent']);
    expect(requests).toBe(0);
  });
});

describe('every order gets one outcome', () => {
  it.each([1, 2, 8, 64])('with %i requests at a time', async (concurrency) => {
    const { outcomes, requests, stoppedBy } = await send(20, created, { concurrency });
    expect(outcomes).toEqual(orders(20).map(({ externalOrderId }) => `${externalOrderId} created`));
    expect([requests, stoppedBy]).toEqual([20, undefined]);
  });

  it.each([2, 3, 4, 7])('also when %i of them are forbidden at once', async (concurrency) => {
    const { outcomes, stoppedBy } = await send(9, () => refusal(403, 'SCOPE_MISSING'), { concurrency });
    expect(outcomes).toEqual(orders(9).map(({ externalOrderId }) => `${externalOrderId} not_sent`));
    expect(stoppedBy).toBe('permission_missing');
  });

  it('also when there is none', async () => {
    expect(await send(0, created)).toEqual({ outcomes: [], codes: [], requests: 0, stoppedBy: undefined });
  });

  it('sends as many at a time as it may, and no more', async () => {
    let inFlight = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const release = () => {
      for (const go of waiting.splice(0)) go();
    };
    await send(
      10,
      async (operation, request) => {
        most = Math.max(most, ++inFlight);
        await new Promise<void>((go) => {
          waiting.push(go);
          if (waiting.length === 3 || request.body?.includes('"9"')) release();
        });
        inFlight--;
        return created(operation, request);
      },
      { concurrency: 3 },
    );
    expect(most).toBe(3);
  });
});

describe('no other order is begun', () => {
  it('once the run is to stop', async () => {
    const stopping = new AbortController();
    const service: Service = (operation, request) => {
      if (request.body?.includes('"1"')) stopping.abort();
      return created(operation, request);
    };
    expect(await send(4, service, { stopping })).toEqual({
      outcomes: ['0 created', '1 created', '2 not_sent', '3 not_sent'],
      codes: [undefined, undefined, 'stopped', 'stopped'],
      requests: 2,
      stoppedBy: undefined,
    });
  });

  it('but one that an earlier run may have sent stays unknown', async () => {
    const stopping = new AbortController();
    stopping.abort();
    const { outcomes, codes, requests } = await send(3, created, { stopping, open: '1' });
    expect([outcomes, codes, requests]).toEqual([
      ['0 not_sent', '1 unknown', '2 not_sent'],
      ['stopped', 'earlier_attempt_open', 'stopped'],
      0,
    ]);
  });

  it.each<[string, Service, string]>([
    ['is away', () => noConnection, 'unreachable'],
    ['refuses the key', () => refusal(401, 'UNAUTHORIZED'), 'key_refused'],
  ])('once the service %s', async (_, service, code) => {
    const { outcomes, requests, stoppedBy } = await send(3, (operation, request) =>
      request.body?.includes('"0"') ? created(operation, request) : service(operation, request),
    );
    expect([outcomes, requests, stoppedBy]).toEqual([['0 created', '1 not_sent', '2 not_sent'], 2, code]);
  });

  it('once two answers in a row are 403', async () => {
    const { outcomes, requests, stoppedBy } = await send(4, () => refusal(403, 'SCOPE_MISSING'));
    expect([outcomes, requests, stoppedBy]).toEqual([
      ['0 not_sent', '1 not_sent', '2 not_sent', '3 not_sent'],
      2,
      'permission_missing',
    ]);
  });
});

describe('the others are sent', () => {
  it.each<[string, Service, string]>([
    ['refuses an order', () => refusal(422, 'PRODUCT_SKU_NOT_FOUND'), 'rejected'],
    ['forbids an order', () => refusal(403, 'NOT_YOURS'), 'rejected'],
  ])('when the service %s', async (_, service, outcome) => {
    const { outcomes, stoppedBy } = await send(3, (operation, request) =>
      request.body?.includes('"1"') ? service(operation, request) : created(operation, request),
    );
    expect([outcomes, stoppedBy]).toEqual([['0 created', `1 ${outcome}`, '2 created'], undefined]);
  });

  it('but a 403 that is the only answer is about the key', async () => {
    const { outcomes, stoppedBy } = await send(1, () => refusal(403, 'SCOPE_MISSING'));
    expect([outcomes, stoppedBy]).toEqual([['0 not_sent'], 'permission_missing']);
  });
});
