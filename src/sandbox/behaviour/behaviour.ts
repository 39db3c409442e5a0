import { parseBehaviour } from './parse.ts';
import { fixedRefusals } from './refusals.ts';
import type { Behaviour } from './schema.ts';

export type { Behaviour, BehaviourSettings } from './schema.ts';

/** The sandbox's own choices where the interface document is silent; it has no name. */
export const behaviour: Behaviour = parseBehaviour({}, 'the default');

export type RefusalName = keyof Behaviour['refusals'] | keyof typeof fixedRefusals;

/** Status and code of a refusal; those of an invalid order and of the SKU and phone rules are stated (section 7). */
export function findRefusal({ refusals }: Behaviour, name: RefusalName): { status: number; code: string } {
  const open = {
    ...refusals,
    orderInvalid: { ...refusals.orderInvalid, code: 'MERCHANT_API_INVALID_ORDER' },
  };
  return { ...fixedRefusals, ...open }[name];
}
