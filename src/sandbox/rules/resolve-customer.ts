import type { Behaviour } from '../behaviour.ts';
import { refuseField } from '../refusal.ts';
import type { Caller } from '../store/accounts.ts';
import type { Store } from '../store/store.ts';

export interface CustomerFacts {
  /** Normalised. */
  phone: string | undefined;
  externalCustomerId: string | undefined;
}

/**
 * The customer of an order, by the rules of interface section 4.1 in their order. Whom an external id means
 * after its first order is the behaviour's choice, and never changes the customer of the order at hand.
 */
export function resolveCustomer(
  { customers }: Store,
  caller: Caller,
  { phone, externalCustomerId }: CustomerFacts,
  remembered: Behaviour['customers']['externalId'],
): number {
  const externalId = remembered === 'never' ? undefined : externalCustomerId;
  const known = externalId === undefined ? undefined : customers.withExternalId(caller.clientId, externalId);
  const matches = phone === undefined ? [] : customers.withPhone(caller.merchantId, phone);
  const [only, ...others] = matches;
  if (known !== undefined) {
    if (remembered === 'latest_order' && only !== undefined && others.length === 0) {
      customers.remember(caller, externalId ?? '', only);
    }
    return known;
  }
  if (others.length > 0) {
    throw refuseField('phoneAmbiguous', 'customer.phone', `${matches.length} customers have ${phone}`);
  }
  const customerId = only ?? customers.add(caller.merchantId, phone);
  if (externalId !== undefined) customers.remember(caller, externalId, customerId);
  return customerId;
}
