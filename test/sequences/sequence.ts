import type { BehaviourSettings } from '../../src/sandbox/behaviour/behaviour.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import type { Told, Treatment } from './gateway.ts';
import type { Ended, Shop } from './shop.ts';

/** What happens, up to the run whose ending the table tells. */
export type Steps = (shop: Shop) => Promise<Ended>;

export interface Sequence {
  options: Partial<SandboxOptions>;
  steps: Steps;
}

/** Sequences by the name that their row has. */
export type Sequences = Record<string, Steps | Sequence>;

export function under(behaviour: BehaviourSettings, steps: Steps): Sequence {
  return { options: { behaviour }, steps };
}

/** The own choices of services, as behaviours of the sandbox. */
export const cachesRefusals: BehaviourSettings = { keys: { kept: 'refusals' } };
export const forgetsKeys: BehaviourSettings = { keys: { repeated: 'ignored', kept: 'nothing' } };
export const freesOwnIds: BehaviourSettings = { orders: { cancelFreesExternalOrderId: true } };

export const broken: Told = { status: 500, body: '' };

export function refusal(status: number, code?: string): Told {
  const error = { message: 'no', ...(code === undefined ? {} : { code }) };
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error }) };
}

/** The answer of the service, with other fields. */
export function changed(fields: object): Treatment {
  return {
    change: (told) => ({
      ...told,
      body: JSON.stringify({ ...(JSON.parse(told.body) as object), ...fields }),
    }),
  };
}
