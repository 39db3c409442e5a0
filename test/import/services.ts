import type { Ending } from '../../src/api/attempts.ts';
import type { ApiClient } from '../../src/api/client.ts';
import type { Answer, Failure, Operation } from '../../src/api/observation.ts';
import { type Outcome, outcomeOf } from '../../src/api/outcome.ts';
import type { HttpRequest } from '../../src/api/transport.ts';
import type { PlannedOrder } from '../../src/import/plan.ts';
import { type JsonObject, parseJson } from '../../src/orders/json.ts';

/** A service that answers each call at once; no attempt is repeated. */
export function serviceThat(
  answer: (operation: Operation, request: HttpRequest) => Answer | Failure | Promise<Answer | Failure>,
): ApiClient & { seen: HttpRequest[] } {
  const seen: HttpRequest[] = [];
  return {
    seen,
    origin: 'https://orders.example',
    call: async (operation, request): Promise<Ending> => {
      seen.push(request);
      const observation = await answer(operation, request);
      const outcome: Outcome = outcomeOf(operation, observation);
      return { outcome, observation, attempts: 1, sawUnknown: outcome === 'unknown' };
    },
    close: async () => undefined,
  };
}

export function answer(status: number, body: JsonObject = {}, headers: Record<string, string> = {}): Answer {
  const text = JSON.stringify(body);
  return { kind: 'answer', status, headers, text, body: parseJson(text) };
}

export const refusal = (status: number, code: string) => answer(status, { error: { code, message: 'no' } });
export const noConnection: Failure = failure(false);
export const lostAnswer: Failure = failure(true);

function failure(mayHaveBeenSent: boolean): Failure {
  return { kind: 'failure', mayHaveBeenSent, isCertificate: false, reason: 'no answer' };
}

/** The order that a create carries, as a service gives it back. */
export function createdFrom({ body }: HttpRequest): JsonObject {
  const order = parseJson(String(body)) as JsonObject;
  return { ...order, id: `id of ${String(order.externalOrderId)}`, orderNumber: 'ORD-2026-000001' };
}

export function planned(externalOrderId: string, row = 2, fields: JsonObject = {}): PlannedOrder {
  const order = { externalOrderId, customer: { phone: '99112233' }, collectionMode: 'NONE', ...fields };
  return { externalOrderId, order, rows: [{ row, line: row, cells: [] }], repeated: [], problems: [] };
}
