import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject, member } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import { parseJson } from '../../orders/parse-json.ts';
import { ApiError } from '../behaviour/api-error.ts';
import { cutBytes } from '../record/journal.ts';
import type { RequestDetails } from '../record/request-log.ts';
import type { Service } from '../rules/service.ts';
import type { SandboxContext, SandboxMiddleware } from './context.ts';

/** The body of a request. An invalid one is reported only by an operation that needs it. */
export interface RequestBody {
  /** SHA-256 of the bytes in hexadecimal; undefined for a body that is too large. */
  hash: string | undefined;
  content: JsonObject | ApiError;
  /** The beginning of the bytes, for the journal. */
  start?: Uint8Array;
}

/** Reads the body and logs the details of the request, before any fault applies. */
export function receiveBody({ requestLog }: Service): SandboxMiddleware {
  return async (context, next) => {
    const body = context.req.method === 'POST' ? await receive(context) : undefined;
    if (body) context.set('body', body);
    requestLog.describe(context.get('logged'), detailsOf(context, body));
    await next();
  };
}

/** @throws ApiError for a body that is not a JSON object or is too large */
export function contentOf({ content }: RequestBody): JsonObject {
  if (content instanceof ApiError) throw content;
  return content;
}

async function receive(context: SandboxContext): Promise<RequestBody> {
  const bytes = await orApiError(() => readBody(context));
  if (bytes instanceof ApiError) return { hash: undefined, content: bytes };
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { hash, content: await orApiError(() => parseBody(bytes)), start: cutBytes(bytes) };
}

async function orApiError<T>(work: () => T | Promise<T>): Promise<T | ApiError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function detailsOf(context: SandboxContext, body: RequestBody | undefined): RequestDetails {
  const { req } = context;
  const { route } = context.get('logged');
  const common = {
    idempotencyKey: req.header('Idempotency-Key'),
    bodyHash: body?.hash,
    requestBody: body?.start,
  };
  if (route === 'list') return { ...common, subject: new URL(req.url).search };
  if (route !== 'create') return { ...common, subject: req.path.split('/')[5] ?? '' };
  if (!body || body.content instanceof ApiError) return { ...common, subject: '' };
  return {
    ...common,
    subject: textField(body.content, 'externalOrderId') ?? '',
    customerPhone: textField(member(body.content, 'customer'), 'phone'),
  };
}

const maxBytes = 1024 * 1024;

/** Reads the body, and no more of it than the limit, with or without Content-Length. @throws ApiError */
export async function readBody({ req }: SandboxContext): Promise<Uint8Array> {
  const length = req.header('Content-Length');
  if (Number(length ?? 0) > maxBytes) throw tooLarge();
  if (length !== undefined) return new Uint8Array(await req.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of req.raw.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Body bytes → JSON object whose numbers keep their digits. */
export function parseBody(bytes: Uint8Array): JsonObject {
  const body = parseBytes(bytes);
  if (!isJsonObject(body)) throw new ApiError('bodyNotJson', 'The body is not a JSON object');
  return body;
}

function parseBytes(bytes: Uint8Array): Json {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new ApiError('bodyNotJson', `The body is not JSON: ${detail}`);
  }
}

function tooLarge(): ApiError {
  return new ApiError('bodyTooLarge', `The body has more than ${maxBytes} bytes`);
}
