import type { ApiClient } from '../../../src/api/client.ts';
import type { Failure, Operation, ServiceResponse } from '../../../src/api/http/attempt-result.ts';
import type { HttpRequest } from '../../../src/api/http/transport.ts';
import type { CallResult } from '../../../src/api/pacing/attempts.ts';
import { createOrderFinder } from '../../../src/api/pages/order-finder.ts';
import { type Outcome, outcomeOf } from '../../../src/api/responses/outcome.ts';
import type { OrderToSend, PlannedOrder } from '../../../src/import/orders/plan.ts';
import type { SendContext } from '../../../src/import/send/context.ts';
import { entriesOfKey } from '../../../src/import/send/merchant-entries.ts';
import { sendOrder } from '../../../src/import/send/send-order.ts';
import { type JsonObject, parseJson } from '../../../src/orders/json.ts';
import { defaultPaths } from '../../../src/orders/unnamed-fields.ts';
import { type LedgerOptions, startLedger } from '../../support/ledger.ts';

export type Service = Parameters<typeof stubClient>[0];

/** A new ledger, a `send` that records in it, and a clock that tests set. */
export async function startSending(options: LedgerOptions = {}) {
  const clock = { now: 1000 };
  const ledger = await startLedger({ now: () => clock.now, ...options });
  const parts = {
    ledger,
    entries: entriesOfKey(ledger),
    recreatesCancelled: false,
    fieldPaths: defaultPaths,
    now: () => clock.now,
  };
  const send = async (run: string, order: OrderToSend, service: Service, more: Partial<SendContext> = {}) => {
    const client = stubClient(service);
    const sent = await sendOrder(order, {
      ...parts,
      client,
      finder: createOrderFinder(client),
      run,
      ...more,
    });
    return { ...sent, requests: client.requests };
  };
  return { ledger, parts, send, clock };
}

/** A client that gets each response at once and never retries. */
export function stubClient(
  respond: (
    operation: Operation,
    request: HttpRequest,
  ) => ServiceResponse | Failure | Promise<ServiceResponse | Failure>,
): ApiClient & { requests: HttpRequest[] } {
  const requests: HttpRequest[] = [];
  const client: ApiClient & { requests: HttpRequest[] } = {
    requests,
    origin: 'https://orders.example',
    clockAhead: () => 0,
    forHalfTheTime: () => client,
    forOneOrder: () => client,
    inBackground: () => client,
    call: async (operation, request, options): Promise<CallResult> => {
      requests.push(request);
      const attemptResult = await respond(operation, request);
      const outcome: Outcome = outcomeOf(operation, attemptResult, options);
      return {
        outcome,
        attemptResult,
        attempts: 1,
        sawUnknown: outcome === 'unknown',
        firstAttemptAt: 0,
        completedAt: 0,
      };
    },
    close: async () => undefined,
  };
  return client;
}

export function response(
  status: number,
  body: JsonObject = {},
  headers: Record<string, string> = {},
): ServiceResponse {
  const text = JSON.stringify(body);
  return { kind: 'response', status, headers, text, body: parseJson(text) };
}

export const errorResponse = (status: number, code: string) =>
  response(status, { error: { code, message: 'no' } });
export const noConnection: Failure = failure(false);
export const lostResponse: Failure = failure(true);

function failure(mayHaveBeenSent: boolean): Failure {
  return { kind: 'failure', mayHaveBeenSent, isCertificate: false, reason: 'no response' };
}

/** A page with only these orders. */
export const listOf = (...orders: JsonObject[]) =>
  response(200, { data: orders, page: 1, pageSize: 20, total: orders.length });
export const emptyList = listOf();
export const created: Service = (_, request) => response(201, createdFrom(request));

/** Separate responses for creates and for lists. */
export function serviceWith(
  create: Service | ServiceResponse | Failure,
  list: ServiceResponse | Failure = emptyList,
): Service {
  return (operation, request) => {
    if (operation !== 'create') return list;
    return typeof create === 'function' ? create(operation, request) : create;
  };
}

/** The order of a create request, as the service returns it. */
export function createdFrom({ body }: HttpRequest): JsonObject {
  const order = parseJson(String(body)) as JsonObject;
  return { ...order, id: `id of ${String(order.externalOrderId)}`, orderNumber: 'ORD-2026-000001' };
}

export function orderOf(externalOrderId: string, row = 2, fields: JsonObject = {}): OrderToSend {
  return { externalOrderId, order: planned(externalOrderId, row, fields).order, row };
}

export function planned(externalOrderId: string, row = 2, fields: JsonObject = {}): PlannedOrder {
  const order = { externalOrderId, customer: { phone: '99112233' }, collectionMode: 'NONE', ...fields };
  const rows = [{ row, line: row, cells: [] }];
  return { externalOrderId, row, order, rows, repeated: [], problems: [], isSelected: true };
}
