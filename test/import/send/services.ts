import type { ApiClient } from '../../../src/api/client.ts';
import type { Failure, Operation, ServiceResponse } from '../../../src/api/http/attempt-result.ts';
import type { HttpRequest } from '../../../src/api/http/transport.ts';
import type { CallResult } from '../../../src/api/pacing/attempts.ts';
import { createOrderFinder } from '../../../src/api/pages/order-finder.ts';
import { type Outcome, outcomeOf } from '../../../src/api/responses/outcome.ts';
import type { PlannedOrder } from '../../../src/import/orders/plan-order.ts';
import { type OrderToSend, ownOrders, type SendContext } from '../../../src/import/send/recall.ts';
import { sendOrder } from '../../../src/import/send/send-order.ts';
import { type JsonObject, parseJson } from '../../../src/orders/json.ts';
import { type LedgerOptions, startLedger } from '../../support/ledger.ts';

export type Service = Parameters<typeof serviceThat>[0];

/** A ledger of its own, runs that send through it, and a clock that stands still until it is told the time. */
export async function startSending(options: LedgerOptions = {}) {
  const clock = { now: 1000 };
  const ledger = await startLedger({ now: () => clock.now, ...options });
  const parts = { ledger, known: ownOrders(ledger), recreatesCancelled: false, now: () => clock.now };
  const send = async (run: string, order: OrderToSend, service: Service, more: Partial<SendContext> = {}) => {
    const client = serviceThat(service);
    const sent = await sendOrder(order, {
      ...parts,
      client,
      finder: createOrderFinder(client),
      run,
      ...more,
    });
    return { ...sent, requests: client.seen };
  };
  return { ledger, parts, send, clock };
}

/** A service that answers each call at once; no attempt is repeated. */
export function serviceThat(
  answer: (
    operation: Operation,
    request: HttpRequest,
  ) => ServiceResponse | Failure | Promise<ServiceResponse | Failure>,
): ApiClient & { seen: HttpRequest[] } {
  const seen: HttpRequest[] = [];
  return {
    seen,
    origin: 'https://orders.example',
    call: async (operation, request): Promise<CallResult> => {
      seen.push(request);
      const attemptResult = await answer(operation, request);
      const outcome: Outcome = outcomeOf(operation, attemptResult);
      return { outcome, attemptResult, attempts: 1, sawUnknown: outcome === 'unknown' };
    },
    close: async () => undefined,
  };
}

export function answer(
  status: number,
  body: JsonObject = {},
  headers: Record<string, string> = {},
): ServiceResponse {
  const text = JSON.stringify(body);
  return { kind: 'response', status, headers, text, body: parseJson(text) };
}

export const refusal = (status: number, code: string) => answer(status, { error: { code, message: 'no' } });
export const noConnection: Failure = failure(false);
export const lostAnswer: Failure = failure(true);

function failure(mayHaveBeenSent: boolean): Failure {
  return { kind: 'failure', mayHaveBeenSent, isCertificate: false, reason: 'no answer' };
}

/** A page with these orders, and no other. */
export const listOf = (...orders: JsonObject[]) =>
  answer(200, { data: orders, page: 1, pageSize: 20, total: orders.length });
export const emptyList = listOf();
export const created: Service = (_, request) => answer(201, createdFrom(request));

/** One service for creates, one that lists what is there. */
export function serviceWith(
  create: Service | ServiceResponse | Failure,
  list: ServiceResponse | Failure = emptyList,
): Service {
  return (operation, request) => {
    if (operation !== 'create') return list;
    return typeof create === 'function' ? create(operation, request) : create;
  };
}

/** The order that a create carries, as a service gives it back. */
export function createdFrom({ body }: HttpRequest): JsonObject {
  const order = parseJson(String(body)) as JsonObject;
  return { ...order, id: `id of ${String(order.externalOrderId)}`, orderNumber: 'ORD-2026-000001' };
}

/** An order on its way, from this row of its file. */
export function orderOf(externalOrderId: string, row = 2, fields: JsonObject = {}): OrderToSend {
  return { externalOrderId, order: planned(externalOrderId, row, fields).order, row };
}

export function planned(externalOrderId: string, row = 2, fields: JsonObject = {}): PlannedOrder {
  const order = { externalOrderId, customer: { phone: '99112233' }, collectionMode: 'NONE', ...fields };
  return { externalOrderId, order, rows: [{ row, line: row, cells: [] }], repeated: [], problems: [] };
}
