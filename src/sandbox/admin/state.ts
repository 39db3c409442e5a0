import { Hono } from 'hono';
import * as z from 'zod';
import { type JsonObject, parseJson, writeJson } from '../../orders/json.ts';
import { jsonResponse } from '../behaviour/responses.ts';
import { cancelledState, deliveryStates, orderStates } from '../behaviour/schema.ts';
import type { SandboxContext, SandboxEnv } from '../http/context.ts';
import { sendResponse } from '../http/send-response.ts';
import { deliveryJson } from '../rules/order-response.ts';
import { moveOrder } from '../rules/order-status.ts';
import { normalisePhone } from '../store/customers.ts';
import type { StoredOrder } from '../store/orders.ts';
import { seededClientId, seededMerchantId } from '../store/seed.ts';
import type { Store } from '../store/store.ts';
import { AdminError, type AdminService, pageQuery, readAdminBody, readAdminQuery } from './admin-request.ts';

const orderQuery = z.strictObject({
  externalOrderId: z.string().optional(),
  orderNumber: z.string().optional(),
  status: z.string().optional(),
  customerPhone: z.string().optional(),
  search: z.string().optional(),
  ...pageQuery,
});

const newStatus = z.strictObject({ status: z.enum([...orderStates, cancelledState]) });
const newDelivery = z.strictObject({
  status: z.string().regex(/^\S+$/),
});

/**
 * /_sandbox/orders: GET those of all merchants, the latest first, with their customers and deliveries, or GET one;
 * PUT its status, or its delivery, which is created where there is none.
 */
export function orderRoutes(service: AdminService): Hono<SandboxEnv> {
  const { store } = service;
  return new Hono<SandboxEnv>()
    .get('/', (context) => {
      const { page, pageSize, customerPhone, ...others } = readAdminQuery(context, orderQuery);
      const filters = { ...others, customerPhone: comparable(customerPhone) };
      const offset = (page - 1) * pageSize;
      const { orders, total } = store.listOrders(undefined, filters, {
        offset,
        limit: pageSize,
        sequence: 'latest_first',
      });
      const listed = orders.map((order) => describeOrder(store, order));
      return sendJson(context, { orders: listed, page, pageSize, total });
    })
    .get('/:reference', (context) => sendJson(context, describeOrder(store, referredOrder(store, context))))
    .put('/:reference/status', async (context) => {
      const { status } = await readAdminBody(context, newStatus);
      const { id } = referredOrder(store, context);
      store.inTransaction(() => moveOrder(service, id, status));
      return sendJson(context, describeOrder(store, referredOrder(store, context)));
    })
    .put('/:reference/delivery', async (context) => {
      const { status } = await readAdminBody(context, newDelivery);
      const { id, deliveryId } = referredOrder(store, context);
      store.inTransaction(() => {
        const deliveredAt = status === deliveryStates.at(-1) ? service.clock.now() : null;
        if (deliveryId === null) store.deliveries.add(id, service.randomUuid(), status, deliveredAt);
        else store.deliveries.move(id, status, deliveredAt);
      });
      return sendJson(context, describeOrder(store, referredOrder(store, context)));
    });
}

function referredOrder(store: Store, context: SandboxContext): StoredOrder {
  return findReferred(store, context.req.param('reference') ?? '');
}

/** The order with this id (in either case), order number or external order ID. @throws AdminError */
export function findReferred({ orders }: Store, reference: string): StoredOrder {
  const [order, another] = orders.withReference(reference);
  if (!order) {
    throw new AdminError(
      `There is no order with the id, order number or externalOrderId "${reference}"`,
      404,
    );
  }
  if (another) throw new AdminError(`More than one order matches "${reference}": use the id of one`);
  return order;
}

export function describeOrder({ customers }: Store, order: StoredOrder): JsonObject {
  const { customerId, deliveryId, deliveryStatus, deliveredAt, createdAt, cancelledAt, body, ...others } =
    order;
  return {
    ...others,
    createdAt: new Date(createdAt).toISOString(),
    cancelledAt: cancelledAt === null ? null : new Date(cancelledAt).toISOString(),
    customer: { ...customers.find(customerId) },
    delivery: deliveryJson(order),
    sent: parseJson(body),
  };
}

/** The numbers of an order keep their digits, unlike with `context.json`. */
function sendJson(context: SandboxContext, body: JsonObject, status = 200): Response {
  return sendResponse(context, jsonResponse(status, writeJson(body)));
}

function comparable(phone: string | undefined): string | undefined {
  return phone === undefined ? undefined : normalisePhone(phone);
}

const customerQuery = z.strictObject({ phone: z.string().optional(), ...pageQuery });
const newCustomer = z.strictObject({
  phone: z.string().trim().min(1).optional(),
  externalCustomerId: z.string().min(1).optional(),
});

/** /_sandbox/customers: GET those of all merchants, the latest first, or POST a new one, even with a phone that is taken. */
export function customerRoutes(service: AdminService): Hono<SandboxEnv> {
  const { store } = service;
  const { customers } = store;
  return new Hono<SandboxEnv>()
    .get('/', (context) => {
      const { phone, page, pageSize } = readAdminQuery(context, customerQuery);
      const found = customers.list(comparable(phone), (page - 1) * pageSize, pageSize);
      return context.json({ ...found, page, pageSize });
    })
    .post('/', async (context) => {
      const { phone, externalCustomerId } = await readAdminBody(context, newCustomer);
      const owner = { merchantId: seededMerchantId, clientId: seededClientId, scopes: [] };
      const added = store.inTransaction(() => {
        if (
          externalCustomerId !== undefined &&
          customers.withExternalId(seededClientId, externalCustomerId)
        ) {
          throw new AdminError(`externalCustomerId: another customer has "${externalCustomerId}"`);
        }
        const id = customers.add(seededMerchantId, comparable(phone));
        if (externalCustomerId !== undefined) customers.remember(owner, externalCustomerId, id);
        return customers.find(id);
      });
      return context.json(added, 201);
    });
}
