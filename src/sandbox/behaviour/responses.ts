import { isDiskFull } from '../../errors.ts';
import { ApiError, findError } from './api-error.ts';
import { type ErrorContent, errorBodies } from './error-bodies.ts';
import { withoutBody } from './fault-settings.ts';
import type { Behaviour } from './schema.ts';

/** As it is sent, and stored under an idempotency key. */
export interface WireResponse {
  status: number;
  text: string;
  contentType?: string | null;
}

/** `text` is JSON, not yet parsed, so that numbers keep their digits. */
export function jsonResponse(status: number, text: string): WireResponse {
  return { status, text, contentType: 'application/json' };
}

export function bodyToSend({ status, text }: WireResponse): string | null {
  return text === '' || withoutBody.has(status) ? null : text;
}

/** Any error other than an ApiError is a failure of the sandbox (500), or of its disk (507). */
export function toErrorResponse(behaviour: Behaviour, error: Error, requestId: string): WireResponse {
  if (isDiskFull(error)) {
    const full = new ApiError('diskFull', 'The disk of the sandbox is full: nothing was stored');
    return toErrorResponse(behaviour, full, requestId);
  }
  const found = findError(behaviour.refusals, error instanceof ApiError ? error.name : 'sandboxFailed');
  const fields = error instanceof ApiError ? error.fields : [];
  return errorResponse(behaviour, { ...found, message: error.message, fields }, requestId);
}

export function errorResponse(
  { responses }: Behaviour,
  error: Pick<ErrorContent, 'status' | 'code' | 'message'> & Partial<ErrorContent>,
  requestId: string,
): WireResponse {
  return { status: error.status, ...errorBodies[responses.error]({ fields: [], ...error, requestId }) };
}
