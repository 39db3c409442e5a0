import type { Given } from './case-shape.ts';
import type { Merchants } from './keys.ts';
import type { Names } from './names.ts';
import { collection, sendRequest } from './send-request.ts';
import type { Service } from './start-service.ts';
import { customerOf, moveOrder } from './state.ts';

/** Prepares the state before a case over HTTP, or in the store where HTTP cannot. */
export async function prepareState(
  service: Service,
  names: Names,
  merchants: Merchants,
  given: Given = {},
): Promise<void> {
  addProducts(service, merchants, given);
  for (const { as, key = 'own', at, state, order } of given.orders ?? []) {
    const now = service.clock?.now ?? 0;
    if (service.clock && at !== undefined) service.clock.now = Date.parse(at);
    const request = { method: 'POST', path: collection, key, order } as const;
    const { status, text, orders } = await sendRequest(service, names, request);
    if (service.clock) service.clock.now = now;
    const [created] = orders;
    if (!created) throw new Error(`the given order "${as}" was not created: ${status} ${text}`);
    names.remember(as, created);
    if (state !== undefined) moveOrder(service, created.id, state);
  }
  addCustomers(service, names, merchants, given);
}

function addProducts({ store }: Service, merchants: Merchants, { products = [] }: Given): void {
  for (const [name, merchantId] of Object.entries(merchants)) {
    const catalogue = products.filter(({ merchant = 'own' }) => merchant === name);
    store.products.replace(merchantId, catalogue);
  }
}

function addCustomers(service: Service, names: Names, merchants: Merchants, { customers = [] }: Given): void {
  const { store } = service;
  for (const { merchant = 'own', phoneOf } of customers) {
    const { phone } = store.customers.find(customerOf(service, names.order(phoneOf).id));
    store.customers.add(merchants[merchant], phone ?? undefined);
  }
}
