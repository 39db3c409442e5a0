import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject, member, parseJson } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import { Refusal } from '../behaviour/refusal.ts';
import type { SandboxContext, SandboxMiddleware, SandboxParts } from '../parts.ts';
import type { Identified } from '../record/record.ts';

/** The body of a request; one that cannot be taken is refused only by who wants it. */
export interface RequestBody {
  /** SHA-256 of the bytes as they came, in hexadecimal; undefined when there were too many. */
  hash: string | undefined;
  content: JsonObject | Refusal;
}

/** Reads the body, and takes down what the request is about, before anything can befall it. */
export function takeBody({ record }: SandboxParts): SandboxMiddleware {
  return async (context, next) => {
    const body = context.req.method === 'POST' ? await receive(context) : undefined;
    if (body) context.set('body', body);
    record.identify(context.get('visit'), identify(context, body));
    await next();
  };
}

/** @throws Refusal when it is no JSON object, or too large */
export function contentOf({ content }: RequestBody): JsonObject {
  if (content instanceof Refusal) throw content;
  return content;
}

async function receive(context: SandboxContext): Promise<RequestBody> {
  const bytes = await orRefusal(() => readBody(context));
  if (bytes instanceof Refusal) return { hash: undefined, content: bytes };
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { hash, content: await orRefusal(() => parseBody(bytes)) };
}

async function orRefusal<T>(work: () => T | Promise<T>): Promise<T | Refusal> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function identify(context: SandboxContext, body: RequestBody | undefined): Identified {
  const { req } = context;
  const { route } = context.get('visit');
  const sent = { idempotencyKey: req.header('Idempotency-Key'), bodyHash: body?.hash };
  if (route === 'list') return { ...sent, subject: new URL(req.url).search };
  if (route !== 'create') return { ...sent, subject: req.path.split('/')[5] ?? '' };
  if (!body || body.content instanceof Refusal) return { ...sent, subject: '' };
  return {
    ...sent,
    subject: textField(body.content, 'externalOrderId') ?? '',
    customerPhone: textField(member(body.content, 'customer'), 'phone'),
  };
}

const largest = 1024 * 1024;

/** The bytes of the body, of which no more is held than the limit, whether or not its length was told. */
export async function readBody({ req }: SandboxContext): Promise<Uint8Array> {
  const told = req.header('Content-Length');
  if (Number(told ?? 0) > largest) throw tooLarge();
  if (told !== undefined) return new Uint8Array(await req.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of req.raw.body ?? []) {
    size += chunk.length;
    if (size > largest) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Body bytes → JSON object, digits as they were written. */
export function parseBody(bytes: Uint8Array): JsonObject {
  const body = parseBytes(bytes);
  if (!isJsonObject(body)) throw new Refusal('bodyNotJson', 'The body is not a JSON object');
  return body;
}

function parseBytes(bytes: Uint8Array): Json {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new Refusal('bodyNotJson', `The body is not JSON: ${detail}`);
  }
}

function tooLarge(): Refusal {
  return new Refusal('bodyTooLarge', `The body has more than ${largest} bytes`);
}
