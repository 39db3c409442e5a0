import type { SandboxContext, SandboxParts } from '../parts.ts';
import type { Action } from './actions.ts';
import { brokenAnswers } from './acts/broken-answers.ts';
import { changedAnswers } from './acts/changed-answers.ts';
import { lostConnections } from './acts/lost-connections.ts';
import { madeAnswers } from './acts/made-answers.ts';
import { alreadySent, type Scene, sceneOf } from './scene.ts';

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
