import type { JsonObject } from '../../orders/json.ts';

export interface ErrorFacts {
  code: string;
  message: string;
  requestId: string;
}

export function errorBody({ code, message, requestId }: ErrorFacts): JsonObject {
  return { error: { code, message, requestId } };
}
