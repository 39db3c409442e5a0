import * as z from 'zod';
import { CliError } from '../errors.ts';
import { describeJsonError, type Json, type JsonObject, parseJson, writeJson } from '../orders/json.ts';
import { ApiError } from './behaviour/api-error.ts';
import { describeIssues } from './behaviour/issues.ts';
import { cancelledState, orderStates } from './behaviour/schema.ts';
import { createOrder } from './rules/create-order.ts';
import { moveOrder } from './rules/order-status.ts';
import type { Service } from './rules/service.ts';
import { normalisePhone } from './store/customers.ts';
import { productList } from './store/products.ts';
import { allScopes, seededClientId, seededMerchantId } from './store/seed.ts';

const seed = z.strictObject({
  customers: z
    .array(
      z.strictObject({
        phone: z.string().trim().min(1).optional(),
        externalCustomerId: z.string().min(1).optional(),
      }),
    )
    .default([]),
  products: productList.optional(),
  orders: z.array(z.looseObject({ status: z.enum([...orderStates, cancelledState]).optional() })).default([]),
});

/** What an empty sandbox starts with; an order is the body of a create, with the status that it is moved to. */
export type Seed = z.output<typeof seed> & { source: string };

/** Numbers of orders keep their digits. @throws CliError `file_invalid` naming the field */
export function parseSeed(text: string, source: string): Seed {
  const value = readJson(text, source);
  const { data, error } = seed.safeParse(JSON.parse(writeJson(value)));
  if (data) return { ...data, orders: (value as unknown as typeof data).orders ?? [], source };
  throw new CliError('file_invalid', `${source} is not a seed: ${describeIssues(error)}.`, {
    hint: 'A seed is {"customers", "products", "orders"}: the body of a create for each order, which may have a "status".',
  });
}

function readJson(text: string, source: string): Json {
  try {
    return parseJson(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new CliError('file_invalid', `${source} ${describeJsonError(error)}.`);
  }
}

/** Inside a transaction; the products are those of the catalogue already. @throws CliError `file_invalid` */
export function loadSeed(service: Service, { customers, orders, source }: Seed): void {
  const caller = { merchantId: seededMerchantId, clientId: seededClientId, scopes: allScopes.split(' ') };
  for (const { phone, externalCustomerId } of customers) {
    const id = service.store.customers.add(seededMerchantId, phone && normalisePhone(phone));
    if (externalCustomerId !== undefined) service.store.customers.remember(caller, externalCustomerId, id);
  }
  for (const [place, { status, ...order }] of orders.entries()) {
    try {
      const { orderId } = createOrder(service, { caller, order: order as JsonObject });
      if (orderId !== undefined && status !== undefined) moveOrder(service, orderId, status);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new CliError('file_invalid', `${source}: orders[${place}] is rejected: ${error.message}.`);
    }
  }
}
