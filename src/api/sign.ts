import type { Observation } from './observation.ts';
import type { Outcome } from './outcome.ts';

/** What an attempt says of the service, whatever it says of the order. */
export type Sign = 'alive' | 'throttling' | 'failing';

/** Undefined for an idle connection that was closed: services do that when they are well. */
export function signOf(observation: Observation, outcome: Outcome): Sign | undefined {
  if (observation.kind === 'failure') return observation.closedWhileIdle ? undefined : 'failing';
  if (outcome === 'throttled') return 'throttling';
  return observation.status >= 500 ? 'failing' : 'alive';
}
