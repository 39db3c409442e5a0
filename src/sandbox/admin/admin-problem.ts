import type { z } from 'zod';
import { behaviour } from '../behaviour/behaviour.ts';
import { originOf, refuse, writtenError } from '../http/error-response.ts';
import { readBody } from '../http/request-body.ts';
import { answer } from '../http/response.ts';
import type { SandboxContext, SandboxParts } from '../parts.ts';

/** What is wrong with a request to the admin API, which is answered the same whatever the behaviour. */
export class AdminProblem extends Error {
  readonly status: 400 | 404;
  readonly code: string;

  constructor(message: string, status: 400 | 404 = 400) {
    super(message);
    this.status = status;
    this.code = status === 404 ? 'NOT_FOUND' : 'INVALID_REQUEST';
  }
}

/** Any error of the admin API → its answer, which looks as by default whatever the behaviour. */
export function refuseAdmin(parts: SandboxParts, context: SandboxContext, error: Error): Response {
  if (!(error instanceof AdminProblem)) return refuse({ ...parts, behaviour }, context, error);
  const { status, code, message } = error;
  const origin = originOf(context, parts.clock.now());
  return answer(context, writtenError(behaviour, { status, code, message }, origin));
}

/** The JSON body of a request, as the schema has it. */
export async function readAdminBody<T>(context: SandboxContext, schema: z.ZodType<T>): Promise<T> {
  const text = Buffer.from(await readBody(context)).toString();
  const { data, error } = schema.safeParse(readJson(text));
  if (data !== undefined) return data;
  const problems = error?.issues.map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  );
  throw new AdminProblem(problems?.join('; ') ?? '');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch (error) {
    throw new AdminProblem(`The body is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}
