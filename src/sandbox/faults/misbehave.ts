import type { Next } from 'hono';
import { originOf } from '../origin.ts';
import type { SandboxContext, SandboxMiddleware, SandboxParts } from '../parts.ts';
import { answer } from '../wire/answer.ts';
import { writtenError } from '../wire/error-answer.ts';
import { act } from './act.ts';
import type { Action } from './actions.ts';

/** Holds a request up, and lets happen to it what the rules say, before or after it is processed. */
export function misbehave(parts: SandboxParts): SandboxMiddleware {
  const { faults } = parts;
  return async (context, next) => {
    const visit = context.get('visit');
    const { rule, latencyMs } = faults.draw(context.req.method, visit);
    if (parts.latencyMs + latencyMs > 0) await faults.sleep(parts.latencyMs + latencyMs);
    if (!rule) return next();
    visit.fault = rule.do.kind;
    if (rule.do.kind === 'wait') return hold(parts, context, next, rule.when, rule.do.seconds);
    if (rule.do.kind === 'late_commit') return commitLater(parts, context, next, rule.do);
    if (rule.when === 'after_commit') {
      await next();
      visit.status = context.res.status;
    }
    await act(parts, context, rule.do, rule.when === 'after_commit' ? context.res : undefined);
  };
}

async function hold(
  { faults }: SandboxParts,
  context: SandboxContext,
  next: Next,
  when: 'before_commit' | 'after_commit',
  seconds: number,
): Promise<void> {
  if (when === 'before_commit') await faults.sleep(seconds * 1000);
  await next();
  if (when === 'after_commit') await faults.sleep(seconds * 1000);
  context.get('visit').status = context.res.status;
}

async function commitLater(
  { faults, record, behaviour, clock }: SandboxParts,
  context: SandboxContext,
  next: Next,
  { seconds, status }: Extract<Action, { kind: 'late_commit' }>,
): Promise<Response> {
  const visit = context.get('visit');
  visit.status = status;
  await record.complete(visit);
  faults.afterwards(seconds * 1000, next);
  const error = { status, code: 'GATEWAY_TIMEOUT', message: 'No answer in time' };
  return answer(context, writtenError(behaviour, error, originOf(context, clock.now())));
}
