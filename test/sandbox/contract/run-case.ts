import type { BehaviourSettings } from '../../../src/sandbox/behaviour/schema.ts';
import type { After, ContractCase, ExpectedResponse } from './case-shape.ts';
import { differences } from './differences.ts';
import { addKeys } from './keys.ts';
import { createNames, type Names } from './names.ts';
import { prepareState } from './prepare-state.ts';
import { type ContractResponse, collection, sendRequest } from './send-request.ts';
import { type Service, startService } from './start-service.ts';
import { countAll, customerOf, hasDelivery } from './state.ts';

/** Runs a case on a new sandbox with a behaviour. Returns a description of every failed expectation. */
export async function runCase(
  { given, steps, after }: ContractCase,
  behaviour: BehaviourSettings,
): Promise<string[]> {
  const service = await startService(given, behaviour);
  const { keys, merchants } = addKeys(service);
  const names = createNames(keys);
  await prepareState(service, names, merchants, given);
  const before = countAll(service);
  const read = await readOrders(service, names, after.unchanged ?? []);
  const listed = new Set<string>();
  for (const [index, { request, as, expect }] of steps.entries()) {
    const response = await sendRequest(service, names, request);
    if (request.method === 'GET' && request.path === collection) {
      for (const { id } of response.orders) listed.add(id);
    }
    const [order] = response.orders;
    if (as !== undefined && order) names.remember(as, order);
    const wrong = checkResponse(response, names, expect);
    if (as !== undefined && !order) wrong.push(`there is no order in the response to name "${as}"`);
    if (wrong.length > 0) {
      const { status, text } = response;
      return wrong.map((what) => `step ${index + 1}: ${what}\n  in ${status} ${text}`);
    }
  }
  return [
    ...checkCounts(service, before, after),
    ...checkCustomers(service, names, after),
    ...(after.deliveryMatches ?? []).flatMap((name) => {
      const { id, delivery } = names.order(name);
      return differences(delivery !== null, hasDelivery(service, id), `delivery returned for "${name}"`);
    }),
    ...differences(await readOrders(service, names, after.unchanged ?? []), read, 'unchanged orders'),
    ...(after.listed ?? [])
      .filter((name) => !listed.has(names.order(name).id))
      .map((name) => `"${name}" is on no page`),
  ];
}

function checkResponse(response: ContractResponse, names: Names, expect: ExpectedResponse): string[] {
  const { status, code, order, orders, count, headers = {} } = expect;
  const wrong = isStatus(response.status, status)
    ? []
    : [`the status is ${response.status}, expected ${status}`];
  if (code !== undefined && !new RegExp(`\\b${code}\\b`).test(response.text)) {
    wrong.push(`the code ${code} is missing`);
  }
  if (order !== undefined) {
    const wanted = names.fillAll(order);
    if (response.orders.length === 1) wrong.push(...differences(response.orders[0], wanted, 'order'));
    else wrong.push(`there are ${response.orders.length} orders in the response, expected one`);
  }
  if (orders !== undefined) {
    const ids = response.orders.map(({ id }) => id).sort();
    wrong.push(...differences(ids, orders.map((name) => names.order(name).id).sort(), 'ids of the orders'));
  }
  if (count !== undefined) wrong.push(...differences(response.orders.length, count, 'number of orders'));
  return [...wrong, ...differences(response.headers, headers, 'headers')];
}

function isStatus(status: number, expected: ExpectedResponse['status']): boolean {
  if (expected === 'any') return status < 500;
  return typeof expected === 'number' ? status === expected : `${String(status)[0]}xx` === expected;
}

function checkCounts(service: Service, before: ReturnType<typeof countAll>, after: After): string[] {
  const now = countAll(service);
  return (['newOrders', 'newCustomers', 'newProducts'] as const).flatMap((what) =>
    after[what] === undefined ? [] : differences(now[what] - before[what], after[what], what),
  );
}

function checkCustomers(service: Service, names: Names, after: After): string[] {
  const { sameCustomer = [], differentCustomers = [] } = after;
  const customers = (orders: string[]) =>
    new Set(orders.map((name) => customerOf(service, names.order(name).id))).size;
  return [
    ...(sameCustomer.length > 0 ? differences(customers(sameCustomer), 1, 'customers of sameCustomer') : []),
    ...differences(customers(differentCustomers), differentCustomers.length, 'customers that differ'),
  ];
}

/** The orders, read with a key of their own merchant, as text. */
async function readOrders(service: Service, names: Names, wanted: string[]): Promise<string[]> {
  const read: string[] = [];
  for (const name of wanted) {
    const path = `${collection}/{${name}.id}`;
    const ours = await sendRequest(service, names, { method: 'GET', path });
    const theirs = await sendRequest(service, names, { method: 'GET', path, key: 'other merchant' });
    const { orders } = ours.orders.length > 0 ? ours : theirs;
    if (orders.length !== 1) throw new Error(`"${name}" cannot be read: ${ours.text}`);
    read.push(JSON.stringify(orders));
  }
  return read;
}
