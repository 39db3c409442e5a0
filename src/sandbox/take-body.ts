import { createHash } from 'node:crypto';
import { type JsonObject, member } from '../orders/json.ts';
import { textField } from '../orders/order.ts';
import type { SandboxContext, SandboxMiddleware, SandboxParts } from './parts.ts';
import { parseBody, readBody } from './read-body.ts';
import type { Identified } from './record/record.ts';
import { Refusal } from './refusal.ts';

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
