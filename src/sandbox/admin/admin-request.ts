import type { z } from 'zod';
import { defaultBehaviour } from '../behaviour/parse.ts';
import { errorResponse } from '../behaviour/responses.ts';
import type { SandboxContext } from '../http/context.ts';
import { readBody } from '../http/request-body.ts';
import { originOf, sendError, sendResponse } from '../http/send-response.ts';
import type { Service } from '../rules/service.ts';

export class AdminError extends Error {
  readonly status: 400 | 404;
  readonly code: string;

  constructor(message: string, status: 400 | 404 = 400) {
    super(message);
    this.status = status;
    this.code = status === 404 ? 'NOT_FOUND' : 'INVALID_REQUEST';
  }
}

/** Any error of the admin API → its response, which has the default form under every behaviour. */
export function sendAdminError(service: Service, context: SandboxContext, error: Error): Response {
  if (!(error instanceof AdminError)) {
    return sendError({ clock: service.clock, behaviour: defaultBehaviour }, context, error);
  }
  const { status, code, message } = error;
  const origin = originOf(context, service.clock.now());
  return sendResponse(context, errorResponse(defaultBehaviour, { status, code, message }, origin));
}

/** The JSON body of a request, checked against the schema. @throws AdminError */
export async function readAdminBody<T>(context: SandboxContext, schema: z.ZodType<T>): Promise<T> {
  const text = Buffer.from(await readBody(context)).toString();
  const { data, error } = schema.safeParse(readJson(text));
  if (data !== undefined) return data;
  const problems = error?.issues.map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  );
  throw new AdminError(problems?.join('; ') ?? '');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch (error) {
    throw new AdminError(`The body is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}
