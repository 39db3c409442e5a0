import { errorBodies } from '../behaviour/error-bodies.ts';
import { type Behaviour, findRefusal } from '../behaviour.ts';
import { Refusal } from '../refusal.ts';
import type { WireAnswer } from './answer.ts';

/** The request that an error answers. */
export interface ErrorOrigin {
  requestId: string;
  path: string;
  /** Epoch milliseconds. */
  time: number;
}

/** An error → the answer that the behaviour makes of it; what is no refusal is a failure of the sandbox. */
export function errorAnswer(
  behaviour: Behaviour,
  error: Error,
  { requestId, path, time }: ErrorOrigin,
): WireAnswer {
  const { status, code } = findRefusal(behaviour, error instanceof Refusal ? error.name : 'sandboxFailed');
  const fields = error instanceof Refusal ? error.fields : [];
  const { message } = error;
  const facts = { code, message, status, requestId, fields, path, time: new Date(time).toISOString() };
  return { status, ...errorBodies[behaviour.answers.error](facts) };
}
