import { describe, expect, it } from 'vitest';
import { type ActionSettings, operations, sendWithFault, type When } from './faulty-request.ts';
import { readResponse } from './raw-request.ts';

type Sent = Awaited<ReturnType<typeof sendWithFault>>;

interface Kind {
  action: ActionSettings;
  checkResponse(sent: Sent): void;
  /** The logged status; null for none, undefined for that of a success. */
  status?: number | null;
}

const expectNothing = (ending: 'close' | 'reset') => {
  return ({ connection }: Sent) => expect([connection.text(), connection.ending()]).toEqual(['', ending]);
};
const readClosed = ({ connection }: Sent) => {
  expect(connection.ending()).toBe('close');
  return readResponse(connection.bytes());
};

const insteadOfResponse: Record<string, Kind> = {
  reset: { action: { kind: 'reset' }, checkResponse: expectNothing('reset'), status: null },
  close: { action: { kind: 'close' }, checkResponse: expectNothing('close'), status: null },
  stall: { action: { kind: 'stall', seconds: 0.01 }, checkResponse: expectNothing('close'), status: null },
  half_headers: {
    action: { kind: 'half_headers' },
    checkResponse: (sent) => {
      const { connection } = sent;
      expect(connection.text()).toMatch(/^HTTP\/1\.1 20\d /);
      expect(connection.text()).not.toContain('\r\n\r\n');
      expect(connection.ending()).toBe('close');
    },
    status: null,
  },
  garbage: {
    action: { kind: 'garbage' },
    checkResponse: ({ connection }) => {
      const bytes = Buffer.from('\u0000\u0001 no answer at all \u00ff\r\n\r\n', 'latin1');
      expect([connection.bytes(), connection.ending()]).toEqual([bytes, 'close']);
    },
    status: null,
  },
  cut_body: {
    action: { kind: 'cut_body' },
    checkResponse: (sent) => {
      const { headers, body } = readClosed(sent);
      expect(body.length).toBe(20);
      expect(Number(headers['content-length'])).toBeGreaterThan(20);
    },
  },
  empty_body: {
    action: { kind: 'empty_body' },
    checkResponse: (sent) => {
      expect(readClosed(sent).body.toString()).toBe('');
    },
  },
  status: {
    action: { kind: 'status', status: 503, code: 'BROKEN' },
    checkResponse: (sent) => {
      const { status, body } = readClosed(sent);
      expect([status, JSON.parse(body.toString()).error.code]).toEqual([503, 'BROKEN']);
    },
    status: 503,
  },
  other_order: {
    action: { kind: 'other_order' },
    checkResponse: (sent) => {
      const order = JSON.parse(readClosed(sent).body.toString());
      expect(order.orderNumber).toMatch(/^ORD-/);
      // A list has no order of its own.
      if (sent.operation === 'list') return;
      expect(order.id).not.toBe(sent.stored()?.id);
      expect(order.externalOrderId).not.toBe(sent.order.externalOrderId);
    },
  },
  redirect: {
    action: { kind: 'redirect', to: 'http://127.0.0.1:9/elsewhere' },
    checkResponse: (sent) => {
      const { status, headers, body } = readClosed(sent);
      expect([status, body.toString()]).toEqual([307, '']);
      expect(headers.location).toMatch(/^http:\/\/127\.0\.0\.1:9\/api\/v1\/merchant\/orders/);
    },
    status: 307,
  },
  wait: {
    action: { kind: 'wait', seconds: 0.01 },
    checkResponse: (sent) => expect(readClosed(sent).body.toString()).toMatch(/^\{.+\}$/),
  },
};

const alteringResponse: Record<string, Kind> = Object.fromEntries(
  (['slow_drip', 'hostile_text', 'huge_body', 'compressed'] as const).map((kind): [string, Kind] => {
    const action = { kind, ...(kind === 'slow_drip' ? { everyMs: 1, bytes: 200 } : {}) } as ActionSettings;
    const checkResponse = (sent: Sent) => expect(readClosed(sent).body.length).toBeGreaterThan(20);
    return [kind, { action: kind === 'huge_body' ? { kind, bytes: 100 } : action, checkResponse }];
  }),
);

/** One that sends nothing, one that cuts the response, one that depends on its order. */
const ofEveryOperation = new Set(['reset', 'cut_body', 'other_order']);

const cases = (when: When, kinds: Record<string, Kind>) =>
  Object.entries(kinds).flatMap(([name, kind]) =>
    operations
      .filter((operation) => operation === 'create' || ofEveryOperation.has(name))
      .map((operation) => [name, when, operation, kind] as const),
  );

describe('a fault', () => {
  it.each([
    ...cases('before_commit', insteadOfResponse),
    ...cases('after_commit', { ...insteadOfResponse, ...alteringResponse }),
  ])('%s, %s, in a %s', async (name, when, operation, { action, checkResponse, status }) => {
    const sent = await sendWithFault(operation, when, action);
    await sent.connection.ended;
    const isProcessed = when === 'after_commit' || name === 'wait';
    const success = operation === 'create' ? 201 : 200;
    checkResponse(sent);
    expect(sent.store.orders.count()).toBe(operation === 'create' && !isProcessed ? 0 : 1);
    const isCancelled = operation === 'cancel' && isProcessed;
    if (isProcessed) expect(sent.stored()?.status).toBe(isCancelled ? 'CANCELLED' : 'CONFIRMED');
    expect(sent.loggedRequests()).toMatchObject([
      {
        fault: name,
        status: isProcessed || status === undefined ? success : status,
        orderId: operation === 'create' && isProcessed ? sent.stored()?.id : null,
        idempotencyKey: operation === 'create' ? 'K' : null,
      },
    ]);
  });
});
