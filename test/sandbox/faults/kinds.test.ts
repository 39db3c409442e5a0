import { describe, expect, it } from 'vitest';
import { type ActionSettings, operations, sendWithFault, type When } from './faulty-request.ts';
import { readResponse } from './raw-request.ts';

type Struck = Awaited<ReturnType<typeof sendWithFault>>;

interface Kind {
  action: ActionSettings;
  /** What arrives, as it ended. */
  arrives(struck: Struck): void;
  /** Null: no status is told. A number: that one. Otherwise the one of a success. */
  tells?: number | null;
}

const nothing = (ending: 'close' | 'reset') => {
  return ({ connection }: Struck) => expect([connection.text(), connection.ending()]).toEqual(['', ending]);
};
const answered = ({ connection }: Struck) => {
  expect(connection.ending()).toBe('close');
  return readResponse(connection.bytes());
};

const insteadOfAnswer: Record<string, Kind> = {
  reset: { action: { kind: 'reset' }, arrives: nothing('reset'), tells: null },
  close: { action: { kind: 'close' }, arrives: nothing('close'), tells: null },
  stall: { action: { kind: 'stall', seconds: 0.01 }, arrives: nothing('close'), tells: null },
  half_headers: {
    action: { kind: 'half_headers' },
    arrives: (struck) => {
      const { connection } = struck;
      expect(connection.text()).toMatch(/^HTTP\/1\.1 20\d /);
      expect(connection.text()).not.toContain('\r\n\r\n');
      expect(connection.ending()).toBe('close');
    },
    tells: null,
  },
  garbage: {
    action: { kind: 'garbage' },
    arrives: ({ connection }) => {
      const bytes = Buffer.from('\u0000\u0001 no answer at all \u00ff\r\n\r\n', 'latin1');
      expect([connection.bytes(), connection.ending()]).toEqual([bytes, 'close']);
    },
    tells: null,
  },
  cut_body: {
    action: { kind: 'cut_body' },
    arrives: (struck) => {
      const { headers, body } = answered(struck);
      expect(body.length).toBe(20);
      expect(Number(headers['content-length'])).toBeGreaterThan(20);
    },
  },
  empty_body: {
    action: { kind: 'empty_body' },
    arrives: (struck) => {
      expect(answered(struck).body.toString()).toBe('');
    },
  },
  status: {
    action: { kind: 'status', status: 503, code: 'BROKEN' },
    arrives: (struck) => {
      const { status, body } = answered(struck);
      expect([status, JSON.parse(body.toString()).error.code]).toEqual([503, 'BROKEN']);
    },
    tells: 503,
  },
  other_order: {
    action: { kind: 'other_order' },
    arrives: (struck) => {
      const told = JSON.parse(answered(struck).body.toString());
      expect(told.orderNumber).toMatch(/^ORD-/);
      // A list is about no order; the only one that there is will do.
      if (struck.operation === 'list') return;
      expect(told.id).not.toBe(struck.stored()?.id);
      expect(told.externalOrderId).not.toBe(struck.order.externalOrderId);
    },
  },
  redirect: {
    action: { kind: 'redirect', to: 'http://127.0.0.1:9/elsewhere' },
    arrives: (struck) => {
      const { status, headers, body } = answered(struck);
      expect([status, body.toString()]).toEqual([307, '']);
      expect(headers.location).toMatch(/^http:\/\/127\.0\.0\.1:9\/api\/v1\/merchant\/orders/);
    },
    tells: 307,
  },
  wait: {
    action: { kind: 'wait', seconds: 0.01 },
    arrives: (struck) => expect(answered(struck).body.toString()).toMatch(/^\{.+\}$/),
  },
};

const toTheAnswer: Record<string, Kind> = Object.fromEntries(
  (['slow_drip', 'hostile_text', 'huge_body', 'compressed'] as const).map((kind): [string, Kind] => {
    const action = { kind, ...(kind === 'slow_drip' ? { everyMs: 1, bytes: 200 } : {}) } as ActionSettings;
    const arrives = (struck: Struck) => expect(answered(struck).body.length).toBeGreaterThan(20);
    return [kind, { action: kind === 'huge_body' ? { kind, bytes: 100 } : action, arrives }];
  }),
);

const cases = (when: When, kinds: Record<string, Kind>) =>
  Object.entries(kinds).flatMap(([name, kind]) =>
    operations.map((operation) => [name, when, operation, kind] as const),
  );

describe('what befalls a request', () => {
  it.each([
    ...cases('before_commit', insteadOfAnswer),
    ...cases('after_commit', { ...insteadOfAnswer, ...toTheAnswer }),
  ])('%s, %s, of a %s', async (name, when, operation, { action, arrives, tells }) => {
    const struck = await sendWithFault(operation, when, action);
    await struck.connection.ended;
    const isProcessed = when === 'after_commit' || name === 'wait';
    const success = operation === 'create' ? 201 : 200;
    arrives(struck);
    expect(struck.store.orders.count()).toBe(operation === 'create' && !isProcessed ? 0 : 1);
    const isCancelled = operation === 'cancel' && isProcessed;
    if (isProcessed) expect(struck.stored()?.status).toBe(isCancelled ? 'CANCELLED' : 'CONFIRMED');
    expect(struck.recorded()).toMatchObject([
      {
        fault: name,
        status: isProcessed || tells === undefined ? success : tells,
        orderId: operation === 'create' && isProcessed ? struck.stored()?.id : null,
        idempotencyKey: operation === 'create' ? 'K' : null,
      },
    ]);
  });
});
