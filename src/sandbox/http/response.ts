import type { ContentfulStatusCode, ContentlessStatusCode } from 'hono/utils/http-status';
import type { SandboxContext } from '../parts.ts';

/** An answer as it leaves, and as it is kept under an idempotency key. */
export interface WireAnswer {
  status: number;
  text: string;
  /** Undefined for none. */
  contentType: string | undefined;
}

/** An answer of JSON text, which keeps the digits that a value would lose. */
export function jsonAnswer(status: number, text: string): WireAnswer {
  return { status, text, contentType: 'application/json' };
}

export function emptyAnswer(status: number): WireAnswer {
  return { status, text: '', contentType: undefined };
}

/** The statuses that have no body. */
const bodiless = new Set([204, 205, 304]);

export function bodyToSend({ status, text }: WireAnswer): string | null {
  return text === '' || bodiless.has(status) ? null : text;
}

export function answer(context: SandboxContext, wire: WireAnswer): Response {
  const { status, contentType } = wire;
  const body = bodyToSend(wire);
  if (body === null) return context.body(null, status as ContentlessStatusCode);
  const headers: Record<string, string> = contentType === undefined ? {} : { 'Content-Type': contentType };
  return context.body(body, status as ContentfulStatusCode, headers);
}
