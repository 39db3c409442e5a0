import * as z from 'zod';
import { CliError } from '../../errors.ts';
import { type JsonObject, parseJson } from '../../orders/json.ts';
import { ApiError } from '../behaviour/api-error.ts';
import { describeIssues } from '../behaviour/issues.ts';
import { readJson } from '../behaviour/parse.ts';
import { cancelledState, orderStates } from '../behaviour/schema.ts';
import { normalisePhone } from '../store/customers.ts';
import { productList } from '../store/products.ts';
import { allScopes, seededClientId, seededMerchantId } from '../store/seed.ts';
import type { Store } from '../store/store.ts';
import { createOrder } from './create-order.ts';
import { moveOrder } from './order-status.ts';
import type { Service } from './service.ts';

export const newCustomer = z.strictObject({
  phone: z.string().trim().min(1).transform(normalisePhone).optional(),
  externalCustomerId: z.string().min(1).optional(),
});

const time = z.iso.datetime({ offset: true });
/** What a response shows and the sandbox alone gives. */
const ownFields = ['id', 'merchantId', 'clientId', 'sent'];

/** The body of a create, and what a response shows of an order that has a history. */
const seededOrder = z
  .looseObject({
    status: z.enum([...orderStates, cancelledState]).optional(),
    createdAt: time.optional(),
    orderNumber: z
      .string()
      .regex(/^ORD-\d{4}-\d{6,}$/)
      .optional(),
    cancelReason: z.string().trim().min(1).optional(),
    cancelledAt: time.optional(),
    delivery: z
      .null('Invalid input: expected null; the status of the order decides about its delivery')
      .optional(),
  })
  .superRefine((order, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    for (const field of ownFields)
      if (field in order) refuse(field, 'is not taken: the sandbox gives its own');
    const { status = orderStates[0], cancelReason, cancelledAt, delivery } = order;
    const isCancelled = status === cancelledState;
    if (cancelReason !== undefined && !isCancelled) refuse('cancelReason', 'needs the status CANCELLED');
    if (cancelledAt !== undefined && !isCancelled) refuse('cancelledAt', 'needs the status CANCELLED');
    if (delivery === null && !isCancelled && status !== orderStates[0])
      refuse('delivery', `an order that is ${status} has a delivery`);
  });

const seedSchema = z.strictObject({
  customers: z.array(newCustomer).default([]),
  products: productList.optional(),
  orders: z.array(seededOrder).default([]),
});

/** What an empty sandbox starts with. */
export type Seed = z.output<typeof seedSchema> & { source: string };

/** @throws CliError `file_invalid` naming the field */
export function parseSeed(text: string, source: string): Seed {
  const { data, error } = seedSchema.safeParse(readJson(text, source));
  if (error) {
    throw new CliError('file_invalid', `${source} is not a seed: ${describeIssues(error)}.`, {
      hint: 'A seed is {"customers", "products", "orders"}: the body of a create for each order, which may have its "status", "createdAt", "orderNumber", "cancelReason", "cancelledAt" and "delivery": null.',
    });
  }
  // The numbers of orders keep their digits.
  const exact = parseJson(text.replace(/^\uFEFF/, '')) as unknown as Seed;
  return { ...data, orders: exact.orders ?? [], source };
}

/** Even with a phone that is taken. Inside a transaction. Returns its ID. @throws ApiError */
export function addCustomer(
  { customers }: Store,
  { phone, externalCustomerId }: z.output<typeof newCustomer>,
): number {
  if (externalCustomerId !== undefined && customers.withExternalId(seededClientId, externalCustomerId)) {
    throw new ApiError('requestInvalid', `externalCustomerId: another customer has "${externalCustomerId}"`);
  }
  const id = customers.add(seededMerchantId, phone);
  if (externalCustomerId !== undefined) {
    customers.remember(seededClientId, externalCustomerId, seededMerchantId, id);
  }
  return id;
}

/** Inside a transaction; the products are those of the catalogue already. @throws CliError `file_invalid` */
export function loadSeed(service: Service, { customers, orders, source }: Seed): void {
  const caller = { merchantId: seededMerchantId, clientId: seededClientId, scopes: allScopes.split(' ') };
  const each = <T>(name: string, list: readonly T[], add: (one: T) => void) => {
    for (const [place, one] of list.entries()) {
      try {
        add(one);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        throw new CliError('file_invalid', `${source}: ${name}[${place}] is rejected: ${error.message}.`);
      }
    }
  };
  each('customers', customers, (customer) => addCustomer(service.store, customer));
  each('orders', orders, (seeded) => {
    const { status, createdAt, orderNumber, cancelReason, cancelledAt, delivery, ...order } = seeded;
    const stated = { createdAt: timeOf(createdAt), orderNumber, hasNoDelivery: delivery === null };
    const { orderId } = createOrder(service, { caller, order: order as JsonObject, stated });
    if (orderId === undefined || status === undefined) return;
    moveOrder(service, orderId, status, { reason: cancelReason, at: timeOf(cancelledAt) });
  });
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}
