import type { FaultSettings } from '../../../src/sandbox/behaviour/fault-settings.ts';
import type { BehaviourSettings } from '../../../src/sandbox/behaviour/schema.ts';
import { anOrder, orders, start } from '../start.ts';
import { openConnection, type RawRequestParts } from './raw-request.ts';

export type Rule = NonNullable<NonNullable<FaultSettings>['rules']>[number];
export type When = Rule['when'];
export type ActionSettings = Rule['do'];
export const operations = ['create', 'get', 'list', 'cancel'] as const;
export type Operation = (typeof operations)[number];

/** Faults with one rule. The schema rejects an action that is impossible at that time. */
export function singleRule(when: When, action: ActionSettings, match: Rule['match'] = {}): FaultSettings {
  return { rules: [{ match, when, do: action } as Rule] };
}

/** Sends one request with one fault. Unless the operation is a create, an order exists before it. */
export async function sendWithFault(
  operation: Operation,
  when: When,
  action: ActionSettings,
  otherSettings: BehaviourSettings = {},
) {
  const behaviour = { ...otherSettings, faults: { ...singleRule(when, action, { route: operation }) } };
  const service = await start({ behaviour });
  const { sandbox, store, create } = service;
  const order = anOrder();
  const id: string = operation === 'create' ? '' : (await create(order)).json.id;
  const connection = await openConnection(sandbox.baseUrl);
  const parts = { key: sandbox.apiKey, headers: { Connection: 'close' } };
  const requests: Record<Operation, [string, string, RawRequestParts]> = {
    create: [
      'POST',
      orders,
      { ...parts, headers: { ...parts.headers, 'Idempotency-Key': 'K' }, body: JSON.stringify(order) },
    ],
    get: ['GET', `${orders}/${id}`, parts],
    list: ['GET', orders, parts],
    cancel: ['POST', `${orders}/${id}/cancel`, { ...parts, body: '{"reason":"changed my mind"}' }],
  };
  connection.send(...requests[operation]);
  const merchantId = 1;
  return {
    ...service,
    operation,
    order,
    id,
    connection,
    /** Sends the same create again. */
    sendAgain: () => create(order, { headers: { 'idempotency-key': 'K' } }),
    /** The only order in the store. */
    stored: () => store.listOrders(merchantId, {}, { offset: 0, limit: 10 }).orders[0],
    /** The logged requests of the operation. */
    loggedRequests: () => store.requests.all().filter(({ route }) => route === operation),
  };
}
