import { Refusal } from '../refusal.ts';
import type { Caller } from '../store/accounts.ts';
import type { Store } from '../store/store.ts';

export interface CustomerFacts {
  /** Normalised. */
  phone: string | undefined;
  externalCustomerId: string | undefined;
}

/**
 * The customer of an order, by the rules of interface section 4.1 in their order.
 * An external id is remembered for the customer that its first order came to.
 */
export function resolveCustomer(
  { customers }: Store,
  caller: Caller,
  { phone, externalCustomerId }: CustomerFacts,
): number {
  const known =
    externalCustomerId === undefined
      ? undefined
      : customers.withExternalId(caller.clientId, externalCustomerId);
  if (known !== undefined) return known;
  const matches = phone === undefined ? [] : customers.withPhone(caller.merchantId, phone);
  if (matches.length > 1) {
    throw new Refusal('phoneAmbiguous', `customer.phone: ${matches.length} customers have ${phone}`);
  }
  const customerId = matches[0] ?? customers.add(caller.merchantId, phone);
  if (externalCustomerId !== undefined) customers.remember(caller, externalCustomerId, customerId);
  return customerId;
}
