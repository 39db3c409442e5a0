import type { BehaviourSettings } from '../../src/sandbox/behaviour/schema.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import type { Told, Treatment } from './gateway.ts';
import type { Ended, Shop } from './shop.ts';

/** The steps, up to the run whose result the table has. */
export type Steps = (shop: Shop) => Promise<Ended>;

export interface Sequence {
  options: Partial<SandboxOptions>;
  steps: Steps;
}

/** Sequences by the name of their row. */
export type Sequences = Record<string, Steps | Sequence>;

export function under(behaviour: BehaviourSettings, steps: Steps): Sequence {
  return { options: { behaviour }, steps };
}

/** Choices that services make, as behaviours of the sandbox. */
export const cachesRefusals: BehaviourSettings = { keys: { kept: 'refusals' } };
export const forgetsKeys: BehaviourSettings = { keys: { repeated: 'ignored', kept: 'nothing' } };
export const freesOwnIds: BehaviourSettings = { orders: { cancelFreesExternalOrderId: true } };

export const broken: Told = { status: 500, body: '' };

export function refusal(status: number, code?: string): Told {
  const error = { message: 'no', ...(code === undefined ? {} : { code }) };
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error }) };
}

/** The response of the service, with other fields. */
export function changed(fields: object): Treatment {
  return {
    change: (told) => ({
      ...told,
      body: JSON.stringify({ ...(JSON.parse(told.body) as object), ...fields }),
    }),
  };
}
