import { originOf } from '../origin.ts';
import type { SandboxMiddleware, SandboxParts } from '../parts.ts';
import { answer } from '../wire/answer.ts';
import { writtenError } from '../wire/error-answer.ts';
import { writeRetryAfter } from './retry-after-forms.ts';

const refusal = { code: 'TOO_MANY_REQUESTS', message: 'There are too many requests' };

/** Turns away who comes beyond the limits. */
export function throttle({ faults, behaviour, clock }: SandboxParts): SandboxMiddleware {
  return async (context, next) => {
    const admission = faults.enter();
    if ('waitSeconds' in admission) {
      const { status, retryAfter } = faults.settings().limits;
      if (retryAfter !== null) {
        const told = writeRetryAfter[retryAfter](admission.waitSeconds, clock.machine());
        context.get('visit').notBefore = told.notBefore;
        for (const [name, value] of Object.entries(told.headers)) context.header(name, value);
      }
      const origin = originOf(context, clock.now());
      return answer(context, writtenError(behaviour, { ...refusal, status }, origin));
    }
    // A client that goes frees its place, whatever its request still does here.
    context.env.outgoing.once('close', admission.leave);
    try {
      await next();
    } finally {
      admission.leave();
    }
  };
}
