import type { Next } from 'hono';
import { originOf, writtenError } from '../http/error-response.ts';
import { answer } from '../http/response.ts';
import type { SandboxContext, SandboxMiddleware, SandboxParts } from '../parts.ts';
import type { Action } from './actions.ts';
import { brokenAnswers, lostConnections } from './acts/broken-answers.ts';
import { changedAnswers } from './acts/changed-answers.ts';
import { madeAnswers } from './acts/made-answers.ts';
import { writeRetryAfter } from './retry-after-forms.ts';
import { alreadySent, type Scene, sceneOf } from './scene.ts';

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

type Kind = Exclude<Action['kind'], 'wait' | 'late_commit'>;
export type ActionOf<K extends Kind> = Extract<Action, { kind: K }>;
/** Carries an action out; a Response leaves in place of the answer, without one everything is sent already. */
export type Acts = { [K in Kind]: (scene: Scene, action: ActionOf<K>) => Promise<Response | undefined> };

const acts: Acts = { ...lostConnections, ...brokenAnswers, ...madeAnswers, ...changedAnswers };

/** `answered`: what the service answered; undefined when it has not processed the request. */
export async function act(
  parts: SandboxParts,
  context: SandboxContext,
  action: ActionOf<Kind>,
  answered: Response | undefined,
): Promise<void> {
  const scene = await sceneOf(parts, context, answered);
  const carryOut = acts[action.kind] as (scene: Scene, action: Action) => Promise<Response | undefined>;
  const answer = await carryOut(scene, action);
  context.res = undefined;
  context.res = answer ?? alreadySent();
}
