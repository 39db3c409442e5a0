import type { BehaviourSettings } from '../../src/sandbox/behaviour/schema.ts';
import type { Oddity } from '../support/odd-service/service.ts';
import type { GatewayResponse, Treatment } from './gateway.ts';
import type { RunResult, Shop, ShopOptions } from './shop.ts';

/** The steps up to the run whose result is in the table. */
export type Steps = (shop: Shop) => Promise<RunResult>;

export interface Sequence {
  options: ShopOptions;
  steps: Steps;
}

/** Sequences by the name of their row. */
export type Sequences = Record<string, Steps | Sequence>;

export function under(behaviour: BehaviourSettings, steps: Steps): Sequence {
  return { options: { behaviour }, steps };
}

/** At a service that is odd in a way that no behaviour is. */
export function at(odd: Oddity, steps: Steps, behaviour: BehaviourSettings = {}): Sequence {
  return { options: { behaviour, odd }, steps };
}

/** Services that differ, as behaviours of the sandbox. */
export const storesRejections: BehaviourSettings = { keys: { kept: 'refusals' } };
export const forgetsKeys: BehaviourSettings = { keys: { repeated: 'ignored', kept: 'nothing' } };
export const freesExternalOrderIds: BehaviourSettings = { orders: { cancelFreesExternalOrderId: true } };

export function errorResponse(status: number, code?: string): GatewayResponse {
  const error = { message: 'no', ...(code === undefined ? {} : { code }) };
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error }) };
}

/** Changes fields of each order in a list. */
export function changedInList(fields: object): Treatment {
  return {
    change: (response) => {
      const list = JSON.parse(response.body) as { data: object[] };
      const data = list.data.map((order) => ({ ...order, ...fields }));
      return { ...response, body: JSON.stringify({ ...list, data }) };
    },
  };
}

/** Changes fields of the service's response. */
export function changed(fields: object): Treatment {
  return {
    change: (response) => ({
      ...response,
      body: JSON.stringify({ ...(JSON.parse(response.body) as object), ...fields }),
    }),
  };
}
