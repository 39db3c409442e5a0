import { originOf } from './origin.ts';
import type { SandboxContext, SandboxParts } from './parts.ts';
import { answer } from './wire/answer.ts';
import { errorAnswer } from './wire/error-answer.ts';

/** Any error → its answer. */
export function refuse({ behaviour, clock }: SandboxParts, context: SandboxContext, error: Error): Response {
  return answer(context, errorAnswer(behaviour, error, originOf(context, clock.now())));
}
