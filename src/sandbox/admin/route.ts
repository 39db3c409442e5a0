import * as z from 'zod';
import { type Json, writeJson } from '../../orders/json.ts';
import { ApiError } from '../behaviour/api-error.ts';
import { describeIssues } from '../behaviour/issues.ts';
import { jsonResponse } from '../behaviour/responses.ts';
import type { Route } from '../http/add-routes.ts';
import type { SandboxContext } from '../http/context.ts';
import { readBody } from '../http/request-body.ts';
import { sendResponse } from '../http/send-response.ts';

interface Parts<Query, Body> {
  query: Query;
  body: Body;
  /** Of an order: an id, an order number or an external order ID. */
  reference: string;
}

interface Schemas<Query, Body> {
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  status?: number;
}

const nothing = z.strictObject({});

/** What `run` returns is sent as JSON, in which the numbers of an order keep their digits; 204 for undefined. */
export function route<Query, Body>(
  method: Route['method'],
  path: string,
  { query, body, status = 200 }: Schemas<Query, Body>,
  run: (parts: Parts<Query, Body>) => unknown,
): Route {
  const handle = async (context: SandboxContext) => {
    const given = Object.entries(context.req.queries());
    const single = given.map(([name, values]) => [name, values.length === 1 ? values[0] : values]);
    const parts = {
      query: check(query ?? nothing, Object.fromEntries(single)) as Query,
      body: (method === 'GET' ? {} : check(body ?? nothing, await readJson(context))) as Body,
      reference: context.req.param('reference') ?? '',
    };
    const result = run(parts);
    return result === undefined
      ? context.body(null, 204)
      : sendResponse(context, jsonResponse(status, writeJson(result as Json)));
  };
  return { method, path, handle };
}

export function pageQuery<Shape extends z.ZodRawShape>(filters: Shape) {
  return z.strictObject({
    ...filters,
    page: z.coerce.number().int().min(1).max(1_000_000_000).default(1),
    pageSize: z.coerce.number().int().min(1).max(100).default(20),
  });
}

function check(schema: z.ZodType, value: unknown): unknown {
  const { data, error } = schema.safeParse(value);
  if (error) throw new ApiError('requestInvalid', describeIssues(error));
  return data;
}

/** An empty body counts as an empty object, except where it would replace something. */
async function readJson(context: SandboxContext): Promise<unknown> {
  const text = Buffer.from(await readBody(context)).toString();
  if (text === '' && context.req.method !== 'PUT') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError('requestInvalid', `The body is not JSON: ${(error as Error).message}`);
  }
}
