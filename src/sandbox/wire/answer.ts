import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { SandboxContext } from '../parts.ts';

/** Answers with JSON text, which keeps the digits that a value would lose. */
export function answer(context: SandboxContext, status: number, json: string): Response {
  return context.body(json, status as ContentfulStatusCode, { 'Content-Type': 'application/json' });
}
