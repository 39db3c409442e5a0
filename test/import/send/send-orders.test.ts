import { describe, expect, it } from 'vitest';
import { createOrderFinder } from '../../../src/api/pages/order-finder.ts';
import { CliError } from '../../../src/errors.ts';
import type { PlannedOrder } from '../../../src/import/orders/plan.ts';
import type { OrderOutcome } from '../../../src/import/results/order-outcome.ts';
import { maxOrdersAfterLeaving, sendOrders } from '../../../src/import/send/send-orders.ts';
import { hashBody } from '../../../src/ledger/order-log.ts';
import { writeOrderBody } from '../../../src/orders/order.ts';
import { ledgerEntry } from '../../support/ledger.ts';
import {
  created,
  errorResponse,
  lostResponse,
  noConnection,
  planned,
  type Service,
  serviceWith,
  startSending,
  stubClient,
} from './services.ts';

type SendOptions = Parameters<typeof sendOrders>[2];

const planOf = (count: number) => Array.from({ length: count }, (_, index) => planned(`${index}`, index + 2));

interface Flags extends Partial<Pick<SendOptions, 'concurrency' | 'tooMany' | 'withoutSending'>> {
  stopping?: AbortController;
  leaving?: AbortController;
  /** The order that an earlier run sent with an unknown outcome. */
  open?: string;
  /** The order that an earlier run created. */
  done?: string;
  /** Orders that are not selected. */
  notSelected?: string[];
  /** Thrown after all orders were read. */
  readError?: CliError;
  /** Each transaction of the ledger is undone once, as after a failure of another one of its turn. */
  isRepeated?: boolean;
}

/** Sends this many orders; the outcomes are in file order. */
async function send(
  count: number,
  service: Service,
  {
    stopping = new AbortController(),
    leaving = new AbortController(),
    notSelected = [],
    ...flags
  }: Flags = {},
) {
  const { concurrency = 1, open, done, readError, isRepeated = false } = flags;
  const { ledger, parts } = await startSending();
  const transaction: typeof ledger.transaction = (work) => {
    const result = ledger.transaction(work);
    ledger.transaction(failingWork).catch(() => undefined);
    return result;
  };
  const plan = planOf(count);
  for (const { externalOrderId, order } of plan) {
    const row = ledgerEntry({ externalOrderId, bodyHash: hashBody(writeOrderBody(order)), lastRun: 'run-0' });
    if (externalOrderId === open) ledger.orders.record(row);
    if (externalOrderId === done) ledger.orders.record({ ...row, state: 'created', orderId: 'S-1' });
  }
  const orders = function* (): Generator<PlannedOrder> {
    for (const one of plan) yield { ...one, isSelected: !notSelected.includes(one.externalOrderId) };
    if (readError !== undefined) throw readError;
  };
  const client = stubClient(service);
  const outcomeByRow = new Map<number, OrderOutcome>();
  let stops = 0;
  const sending = isRepeated ? { ...parts, ledger: { ...ledger, transaction } } : parts;
  const context = { ...sending, client, finder: createOrderFinder(client), run: 'run-1' };
  const stoppedBy = await sendOrders(orders(), context, {
    concurrency,
    stopping: stopping.signal,
    leaving: leaving.signal,
    tooMany: flags.tooMany ?? (() => undefined),
    withoutSending: flags.withoutSending ?? (() => undefined),
    onStop: () => {
      stops += 1;
    },
    onOutcome: async ({ row }, outcome) => {
      expect(outcomeByRow.has(row)).toBe(false);
      outcomeByRow.set(row, outcome);
      await new Promise(setImmediate);
    },
  });
  expect(stops).toBe(stoppedBy === undefined ? 0 : 1);
  const byRow = [...outcomeByRow].sort(([left], [right]) => left - right).map(([, outcome]) => outcome);
  return {
    outcomes: byRow.map(({ externalOrderId, outcome }) => `${externalOrderId} ${outcome}`),
    codes: byRow.map(({ code }) => code),
    attempts: byRow.map(({ attempts }) => attempts),
    fixes: byRow.flatMap(({ fix }) => fix ?? []),
    requests: client.requests.length,
    stoppedBy: stoppedBy?.code,
    recorded: ledger.database
      .prepare("SELECT external_order_id || ' ' || outcome AS line FROM run_orders ORDER BY row")
      .all()
      .map((line) => (line as { line: string }).line),
    entries: planOf(count).map(({ externalOrderId }) => ledger.orders.find(externalOrderId)?.state),
  };
}

const failingWork = () => {
  throw new Error('another work of the turn');
};

describe('a run whose transactions are run twice', () => {
  it('sends each order once, and records and reports the same', async () => {
    const service = serviceWith((operation, request) => {
      const text = request.body ?? '';
      if (text.includes('"1"')) return errorResponse(422, 'PRODUCT_SKU_NOT_FOUND');
      if (text.includes('"3"')) return lostResponse;
      return text.includes('"4"') ? errorResponse(409, 'DUPLICATE') : created(operation, request);
    });
    const flags = { open: '2', done: '5' };
    const usual = await send(7, service, flags);
    expect(usual.outcomes).toEqual([
      '0 created',
      '1 rejected',
      '2 created',
      '3 unknown',
      '4 unknown',
      '5 already_exists',
      '6 created',
    ]);
    // An unknown outcome is tried once more at the end.
    expect(usual.attempts).toEqual([1, 1, 1, 2, 2, 0, 1]);
    for (const concurrency of [1, 4]) {
      expect(await send(7, service, { ...flags, concurrency, isRepeated: true })).toEqual(usual);
    }
  });
});

describe('every order gets one outcome', () => {
  it.each([1, 2, 8, 64])('with %i requests at a time', async (concurrency) => {
    const { outcomes, requests, stoppedBy } = await send(20, created, { concurrency });
    expect(outcomes).toEqual(planOf(20).map(({ externalOrderId }) => `${externalOrderId} created`));
    expect([requests, stoppedBy]).toEqual([20, undefined]);
  });

  it.each([2, 3, 4, 7])('with %i concurrent 403s', async (concurrency) => {
    const { outcomes, stoppedBy } = await send(9, () => errorResponse(403, 'SCOPE_MISSING'), { concurrency });
    expect(outcomes).toEqual(planOf(9).map(({ externalOrderId }) => `${externalOrderId} not_sent`));
    expect(stoppedBy).toBe('permission_missing');
  });

  it('with no more requests at a time than the concurrency', async () => {
    let inFlight = 0;
    let maxInFlight = 0;
    const waiting: (() => void)[] = [];
    const release = () => {
      for (const resolve of waiting.splice(0)) resolve();
    };
    await send(
      10,
      async (operation, request) => {
        maxInFlight = Math.max(maxInFlight, ++inFlight);
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length === 3 || request.body?.includes('"9"')) release();
        });
        inFlight--;
        return created(operation, request);
      },
      { concurrency: 3 },
    );
    expect(maxInFlight).toBe(3);
  });
});

describe('no further order is sent', () => {
  it('after the run was stopped', async () => {
    const stopping = new AbortController();
    const service: Service = (operation, request) => {
      if (request.body?.includes('"1"')) stopping.abort();
      return created(operation, request);
    };
    expect(await send(4, service, { stopping })).toMatchObject({
      outcomes: ['0 created', '1 created', '2 not_sent', '3 not_sent'],
      codes: [undefined, undefined, 'stopped', 'stopped'],
      requests: 2,
      stoppedBy: undefined,
    });
  });

  it('and an order that an earlier run may have sent stays unknown', async () => {
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
    ['is unreachable', () => noConnection, 'unreachable'],
    ['rejects the API key', () => errorResponse(401, 'UNAUTHORIZED'), 'key_refused'],
  ])('when the service %s', async (_, service, code) => {
    const { outcomes, requests, stoppedBy } = await send(3, (operation, request) =>
      request.body?.includes('"0"') ? created(operation, request) : service(operation, request),
    );
    expect([outcomes, requests, stoppedBy]).toEqual([['0 created', '1 not_sent', '2 not_sent'], 2, code]);
  });

  it('after two 403s in a row', async () => {
    const { outcomes, codes, requests, stoppedBy } = await send(4, () => errorResponse(403, 'SCOPE_MISSING'));
    expect([outcomes, requests, stoppedBy]).toEqual([
      ['0 not_sent', '1 not_sent', '2 not_sent', '3 not_sent'],
      2,
      'permission_missing',
    ]);
    expect(new Set(codes)).toEqual(new Set(['SCOPE_MISSING']));
  });
});

describe('the other orders are sent', () => {
  it.each<[string, Service, string]>([
    ['rejects an order', () => errorResponse(422, 'PRODUCT_SKU_NOT_FOUND'), 'rejected'],
    ['forbids an order', () => errorResponse(403, 'NOT_YOURS'), 'rejected'],
  ])('when the service %s', async (_, service, outcome) => {
    const { outcomes, stoppedBy } = await send(3, (operation, request) =>
      request.body?.includes('"0"') || request.body?.includes('"2"')
        ? created(operation, request)
        : service(operation, request),
    );
    expect([outcomes, stoppedBy]).toEqual([['0 created', `1 ${outcome}`, '2 created'], undefined]);
  });

  it('unless a 403 is the only response', async () => {
    const { outcomes, stoppedBy } = await send(1, () => errorResponse(403, 'SCOPE_MISSING'));
    expect([outcomes, stoppedBy]).toEqual([['0 not_sent'], 'permission_missing']);
  });
});

describe('a 403 for an order that an earlier run may have sent', () => {
  const forbid = (...forbidden: string[]): Service =>
    serviceWith((operation, request) =>
      forbidden.some((id) => request.body?.includes(`"${id}"`))
        ? errorResponse(403, 'SCOPE_MISSING')
        : created(operation, request),
    );

  it.each<[string, number, Service, string[], string | undefined]>([
    ['when it is the only response', 1, forbid('0'), ['0 unknown'], 'permission_missing'],
    ['when another response follows', 2, forbid('0'), ['0 unknown', '1 created'], undefined],
    ['when another 403 follows', 2, forbid('0', '1'), ['0 unknown', '1 not_sent'], 'permission_missing'],
  ])('leaves it unknown, %s', async (_, count, service, expected, stop) => {
    const { outcomes, recorded, codes, stoppedBy } = await send(count, service, { open: '0' });
    expect([outcomes, recorded, codes[0], stoppedBy]).toEqual([expected, expected, 'SCOPE_MISSING', stop]);
  });
});

describe('a plan', () => {
  it('is read only as fast as its orders are sent', async () => {
    const order: string[] = [];
    const service: Service = (operation, request) => {
      order.push(`sent ${/"externalOrderId":"(\d)"/.exec(request.body ?? '')?.[1]}`);
      return created(operation, request);
    };
    const withoutSending = ({ externalOrderId }: PlannedOrder) => {
      order.push(`read ${externalOrderId}`);
      return undefined;
    };
    await send(3, service, { withoutSending });
    expect(order).toEqual(['read 0', 'sent 0', 'read 1', 'sent 1', 'read 2', 'sent 2']);
  });

  it('that cannot be read further ends the run and keeps the outcomes so far', async () => {
    const readError = new CliError('file_not_readable', 'It is gone.');
    const { outcomes, stoppedBy } = await send(3, created, { readError, concurrency: 2 });
    expect([outcomes, stoppedBy]).toEqual([['0 created', '1 created', '2 created'], 'file_not_readable']);
  });

  it('is not read to its end when the program leaves', async () => {
    const leaving = new AbortController();
    const service: Service = (operation, request) => {
      leaving.abort();
      return created(operation, request);
    };
    const { outcomes, requests } = await send(4, service, { leaving });
    // So few remaining orders are still reported as not sent.
    expect([outcomes, requests]).toEqual([['0 created', '1 not_sent', '2 not_sent', '3 not_sent'], 1]);
  });

  describe('with more orders than are reported after leaving', () => {
    const count = maxOrdersAfterLeaving + 10;
    /** Finishes the orders without sending them, and counts them. */
    const finishAll = async (
      leaving: AbortController,
      onOutcome: (place: number) => void = () => undefined,
    ) => {
      const { parts } = await startSending();
      const client = stubClient(created);
      const orders = function* (): Generator<PlannedOrder> {
        for (let row = 0; row < count; row += 1) yield { ...planned('0', row), isSelected: false };
      };
      let finished = 0;
      const context = { ...parts, client, finder: createOrderFinder(client), run: 'run-1' };
      const stoppedBy = await sendOrders(orders(), context, {
        concurrency: 1,
        stopping: leaving.signal,
        leaving: leaving.signal,
        tooMany: () => undefined,
        withoutSending: () => ({ row: 2, externalOrderId: '0', outcome: 'already_exists', attempts: 0 }),
        onOutcome: ({ row }) => {
          expect(row).toBe(finished);
          finished += 1;
          onOutcome(row);
        },
      });
      return { finished, stoppedBy };
    };

    it('is read to its end', async () => {
      expect(await finishAll(new AbortController())).toEqual({ finished: count, stoppedBy: undefined });
    });

    it('is not read further after that many', async () => {
      const leaving = new AbortController();
      const onOutcome = (place: number) => {
        if (place === 2) leaving.abort();
      };
      const finished = 3 + maxOrdersAfterLeaving;
      expect(await finishAll(leaving, onOutcome)).toEqual({ finished, stoppedBy: undefined });
    });
  });

  it('may have orders that are not sent; only selected orders are recorded', async () => {
    const withoutSending = ({ externalOrderId, isSelected }: PlannedOrder) => {
      const place = { row: 2 + Number(externalOrderId), externalOrderId, attempts: 0 };
      if (!isSelected) return { ...place, outcome: 'not_sent', code: 'not_selected' } as const;
      return externalOrderId === '2' ? ({ ...place, outcome: 'invalid' } as const) : undefined;
    };
    const { outcomes, requests, recorded } = await send(4, created, { withoutSending, notSelected: ['1'] });
    expect(outcomes).toEqual(['0 created', '1 not_sent', '2 invalid', '3 created']);
    expect([requests, recorded]).toEqual([2, ['0 created', '2 invalid', '3 created']]);
  });
});

describe('too many failed orders', () => {
  it('end the run', async () => {
    const tooMany = ({ outcome }: OrderOutcome) =>
      outcome === 'rejected' ? new CliError('too_many_errors', 'Stopped.') : undefined;
    const service: Service = (operation, request) =>
      request.body?.includes('"0"')
        ? created(operation, request)
        : errorResponse(422, 'PRODUCT_SKU_NOT_FOUND');
    const { outcomes, codes, stoppedBy } = await send(4, service, { tooMany });
    expect([outcomes, stoppedBy]).toEqual([
      ['0 created', '1 rejected', '2 not_sent', '3 not_sent'],
      'too_many_errors',
    ]);
    expect(codes).toEqual([undefined, 'PRODUCT_SKU_NOT_FOUND', 'stopped', 'stopped']);
  });
});

describe('a ledger that is full', () => {
  it('ends the run when an outcome cannot be recorded', async () => {
    const { ledger, parts } = await startSending();
    const client = stubClient((operation, request) => {
      if (request.body?.includes('"1"')) ledger.database.exec('PRAGMA query_only = ON');
      return created(operation, request);
    });
    const outcomes: string[] = [];
    const never = new AbortController().signal;
    const stoppedBy = await sendOrders(
      planOf(3),
      { ...parts, client, finder: createOrderFinder(client), run: 'run-1' },
      {
        concurrency: 1,
        stopping: never,
        leaving: never,
        tooMany: () => undefined,
        withoutSending: () => undefined,
        onOutcome: (_, { externalOrderId, outcome }) => void outcomes.push(`${externalOrderId} ${outcome}`),
      },
    );
    expect([outcomes, stoppedBy?.code]).toEqual([
      ['0 created', '1 created', '2 not_sent'],
      'ledger_not_writable',
    ]);
  });
});
