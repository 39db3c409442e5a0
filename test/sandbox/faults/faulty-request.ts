import type { FaultSettings } from '../../../src/sandbox/behaviour/fault-settings.ts';
import type { BehaviourSettings } from '../../../src/sandbox/behaviour/schema.ts';
import { anOrder, orders, start } from '../start.ts';
import { openConnection, type RawSending } from './raw-request.ts';

export type Rule = NonNullable<NonNullable<FaultSettings>['rules']>[number];
export type When = Rule['when'];
export type ActionSettings = Rule['do'];
export const operations = ['create', 'get', 'list', 'cancel'] as const;
export type Operation = (typeof operations)[number];

/** Faults with one rule; whether its action may come at that time is for the schema to say. */
export function singleRule(when: When, action: ActionSettings, match: Rule['match'] = {}): FaultSettings {
  return { rules: [{ match, when, do: action } as Rule] };
}

/** One request of an operation to which one thing happens; for all but a create there is an order already. */
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
  const sending = { key: sandbox.apiKey, headers: { Connection: 'close' } };
  const requests: Record<Operation, [string, string, RawSending]> = {
    create: [
      'POST',
      orders,
      { ...sending, headers: { ...sending.headers, 'Idempotency-Key': 'K' }, body: JSON.stringify(order) },
    ],
    get: ['GET', `${orders}/${id}`, sending],
    list: ['GET', orders, sending],
    cancel: ['POST', `${orders}/${id}/cancel`, { ...sending, body: '{"reason":"changed my mind"}' }],
  };
  connection.send(...requests[operation]);
  const merchantId = 1;
  return {
    ...service,
    operation,
    order,
    id,
    connection,
    /** The same create as an ordinary client sends it again. */
    again: () => create(order, { headers: { 'idempotency-key': 'K' } }),
    /** What the request is about, as the store has it. */
    stored: () => store.listOrders(merchantId, {}, 0, 10).orders[0],
    /** The rows of the record about that operation. */
    recorded: () => store.requests.all().filter(({ route }) => route === operation),
  };
}
