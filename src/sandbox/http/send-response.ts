import type { ContentfulStatusCode, ContentlessStatusCode } from 'hono/utils/http-status';
import type { ApiError } from '../behaviour/api-error.ts';
import { bodyToSend, toErrorResponse, type WireResponse } from '../behaviour/responses.ts';
import type { Behaviour } from '../behaviour/schema.ts';
import { cutText } from '../record/journal.ts';
import type { LoggedRequest } from '../store/requests.ts';
import type { SandboxContext } from './context.ts';

export function sendResponse(context: SandboxContext, response: WireResponse): Response {
  const { status, contentType } = response;
  const body = bodyToSend(response);
  const logged = context.get('logged') as LoggedRequest | undefined;
  if (logged && body !== null) logged.responseBody = cutText(body);
  if (body === null) return context.body(null, status as ContentlessStatusCode);
  const headers: Record<string, string> = contentType == null ? {} : { 'Content-Type': contentType };
  // Of a long text, Node.js would copy several times as much memory.
  const content = body.length > 65_536 ? Buffer.from(body) : body;
  return context.body(content, status as ContentfulStatusCode, headers);
}

export function sendError(behaviour: Behaviour, context: SandboxContext, error: Error): Response {
  const challenge = challenges[error.name];
  if (challenge !== undefined) context.header('WWW-Authenticate', challenge);
  return sendResponse(context, toErrorResponse(behaviour, error, context.get('requestId')));
}

/** RFC 6750, which asks for no error code when there is no key. */
const challenges: Record<string, string> = {
  keyMissing: 'Bearer realm="sandbox"',
  keyRefused: 'Bearer realm="sandbox", error="invalid_token"',
  adminTokenRefused: 'Bearer realm="sandbox admin", error="invalid_token"',
  scopeMissing: 'Bearer realm="sandbox", error="insufficient_scope"',
} satisfies Partial<Record<ApiError['name'], string>>;
