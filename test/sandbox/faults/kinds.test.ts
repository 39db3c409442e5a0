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
  cut_body: {
    action: { kind: 'cut_body' },
    checkResponse: (sent) => {
      const { headers, body } = readClosed(sent);
      expect(body.length).toBe(20);
      expect(Number(headers['content-length'])).toBeGreaterThan(20);
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
  wait: {
    action: { kind: 'wait', seconds: 0.01 },
    checkResponse: (sent) => expect(readClosed(sent).body.toString()).toMatch(/^\{.+\}$/),
  },
};

/** One that sends nothing, and one that cuts the response. */
const ofEveryOperation = new Set(['reset', 'cut_body']);

const cases = (when: When, kinds: Record<string, Kind>) =>
  Object.entries(kinds).flatMap(([name, kind]) =>
    operations
      .filter((operation) => operation === 'create' || ofEveryOperation.has(name))
      .map((operation) => [name, when, operation, kind] as const),
  );

describe('a fault', () => {
  it.each([...cases('before_commit', insteadOfResponse), ...cases('after_commit', insteadOfResponse)])(
    '%s, %s, in a %s',
    async (name, when, operation, { action, checkResponse, status }) => {
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
    },
  );
});
