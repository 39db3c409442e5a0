import { hash } from 'node:crypto';
import { describeJsonError, isJsonObject, type JsonObject, parseJson, writeJson } from '../../orders/json.ts';
import { phoneOf, textField } from '../../orders/order.ts';
import { ApiError } from '../behaviour/api-error.ts';
import { cutBytes } from '../record/journal.ts';
import type { Service } from '../rules/service.ts';
import type { RequestBody, SandboxContext, SandboxMiddleware } from './context.ts';

/** Before any fault applies, so that every request is logged with its details. */
export function receiveBody(service: Service): SandboxMiddleware {
  return async (context, next) => {
    const body = context.req.method === 'POST' ? await receive(context) : undefined;
    if (body) context.set('body', body);
    service.requestLog.describe(context.get('logged'), detailsOf(context, body));
    await next();
  };
}

/** @throws ApiError for a body that is not a JSON object or is too large */
export function contentOf({ content }: RequestBody): JsonObject {
  if (content instanceof ApiError) throw content;
  return content;
}

async function receive(context: SandboxContext): Promise<RequestBody> {
  let bytes: Uint8Array | undefined;
  let content: RequestBody['content'];
  try {
    bytes = await readBody(context);
    checkContentType(context.req.header('Content-Type'));
    content = parseBody(bytes);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    content = error;
  }
  const sent = bytes && hash('sha256', bytes);
  const comparedHash =
    content instanceof ApiError
      ? (sent ?? '')
      : hash(
          'sha256',
          writeJson(content, (object) => Object.keys(object).sort()),
        );
  return { hash: sent, comparedHash, content, start: bytes && cutBytes(bytes) };
}

/** A charset has no meaning for JSON (RFC 8259). Types that end in +json are not accepted. @throws ApiError */
function checkContentType(type = ''): void {
  if (/^application\/json\s*(;|$)/i.test(type)) return;
  throw new ApiError('contentTypeRefused', 'The Content-Type must be application/json');
}

function detailsOf(context: SandboxContext, body: RequestBody | undefined) {
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
    customerPhone: phoneOf(body.content),
  };
}

const maxBytes = 1024 * 1024;

/** Stops at the limit, with or without Content-Length. @throws ApiError */
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

/** Numbers keep their digits. @throws ApiError */
export function parseBody(bytes: Uint8Array): JsonObject {
  try {
    const body = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isJsonObject(body)) return body;
  } catch (error) {
    throw new ApiError('bodyNotJson', `The body ${describeJsonError(error)}`);
  }
  throw new ApiError('bodyNotJson', 'The body is not a JSON object');
}

function tooLarge(): ApiError {
  return new ApiError('bodyTooLarge', `The body has more than ${maxBytes} bytes`);
}
