import { type Behaviour, findRefusal } from '../behaviour/behaviour.ts';
import { errorBodies } from '../behaviour/error-bodies.ts';
import type { ErrorFacts } from '../behaviour/error-body.ts';
import { Refusal } from '../behaviour/refusal.ts';
import type { SandboxContext, SandboxParts } from '../parts.ts';
import { answer, type WireAnswer } from './response.ts';

/** The request that an error answers. */
export interface ErrorOrigin {
  requestId: string;
  path: string;
  /** Epoch milliseconds. */
  time: number;
}

/** An error → the answer that the behaviour makes of it; what is no refusal is a failure of the sandbox. */
export function errorAnswer(behaviour: Behaviour, error: Error, origin: ErrorOrigin): WireAnswer {
  const found = findRefusal(behaviour, error instanceof Refusal ? error.name : 'sandboxFailed');
  const fields = error instanceof Refusal ? error.fields : [];
  return writtenError(behaviour, { ...found, message: error.message, fields }, origin);
}

/** An error that no rule of the service brings about, as the behaviour writes errors. */
export function writtenError(
  { answers }: Behaviour,
  error: Pick<ErrorFacts, 'status' | 'code' | 'message'> & Partial<ErrorFacts>,
  { requestId, path, time }: ErrorOrigin,
): WireAnswer {
  const facts = { fields: [], ...error, requestId, path, time: new Date(time).toISOString() };
  return { status: error.status, ...errorBodies[answers.error](facts) };
}

/** Any error → its answer. */
export function refuse({ behaviour, clock }: SandboxParts, context: SandboxContext, error: Error): Response {
  return answer(context, errorAnswer(behaviour, error, originOf(context, clock.now())));
}

export function originOf(context: SandboxContext, time: number): ErrorOrigin {
  return { requestId: context.get('requestId'), path: context.req.path, time };
}
