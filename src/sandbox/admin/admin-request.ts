import * as z from 'zod';
import { describeIssues } from '../behaviour/issues.ts';
import { defaultBehaviour } from '../behaviour/parse.ts';
import { errorResponse } from '../behaviour/responses.ts';
import type { Behaviour } from '../behaviour/schema.ts';
import type { FaultService } from '../faults/fault-responses.ts';
import type { SandboxContext, SandboxMiddleware } from '../http/context.ts';
import { readBody } from '../http/request-body.ts';
import { sendError, sendResponse } from '../http/send-response.ts';
import type { InitialState } from '../store/reset.ts';

export interface AdminService extends FaultService {
  adminToken: string;
  /** `seed` loads the seed of the start, if there was one, inside a transaction. */
  initial(): InitialState & { behaviour: Behaviour; seed(): void };
  /** Its faults replace the current ones. */
  setBehaviour(behaviour: Behaviour): void;
}

const errorCodes = { 400: 'INVALID_REQUEST', 404: 'NOT_FOUND', 405: 'METHOD_NOT_ALLOWED' } as const;

export class AdminError extends Error {
  readonly status: keyof typeof errorCodes;
  readonly code: string;

  constructor(message: string, status: keyof typeof errorCodes = 400) {
    super(message);
    this.status = status;
    this.code = errorCodes[status];
  }
}

/** Errors of the admin API have the default form under every behaviour. */
export function sendAdminError(context: SandboxContext, error: Error): Response {
  if (!(error instanceof AdminError)) return sendError(defaultBehaviour, context, error);
  const { status, code, message } = error;
  const requestId = context.get('requestId');
  return sendResponse(context, errorResponse(defaultBehaviour, { status, code, message }, requestId));
}

/** An empty body counts as an empty object, except where it would replace something. @throws AdminError */
export async function readAdminBody<T>(context: SandboxContext, schema: z.ZodType<T>): Promise<T> {
  const text = Buffer.from(await readBody(context)).toString();
  if (text === '' && context.req.method === 'PUT') throw new AdminError('The body is empty');
  return check(schema, readJson(text));
}

/** @throws AdminError */
export function readAdminQuery<T>(context: SandboxContext, schema: z.ZodType<T>): T {
  const query = context.req.queries();
  const repeated = Object.keys(query).find((name) => (query[name]?.length ?? 0) > 1);
  if (repeated !== undefined) throw new AdminError(`${repeated}: given more than once`);
  return check(schema, context.req.query());
}

const nothing = z.strictObject({});

/** Only requests to these paths, such as `GET /_sandbox/ledger`, may have a query. */
export function rejectQueries(pathsWithQuery: readonly RegExp[]): SandboxMiddleware {
  return async (context, next) => {
    const { method, path } = context.req;
    const hasQuery = pathsWithQuery.some((shape) => shape.test(`${method} ${path}`));
    if (!hasQuery) readAdminQuery(context, nothing);
    await next();
  };
}

/** @throws AdminError for a body that is not empty */
export async function rejectBody(context: SandboxContext): Promise<void> {
  await readAdminBody(context, nothing);
}

export const pageQuery = {
  page: z.coerce.number().int().min(1).max(1_000_000_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(20),
};

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data as T;
  throw new AdminError(describeIssues(error));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch (error) {
    throw new AdminError(`The body is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}
