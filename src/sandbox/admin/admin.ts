import { Hono } from 'hono';
import * as z from 'zod';
import { type Json, writeJson } from '../../orders/json.ts';
import { ApiError } from '../behaviour/api-error.ts';
import { faults as faultSettings } from '../behaviour/fault-settings.ts';
import { describeIssues } from '../behaviour/issues.ts';
import { operationNames } from '../behaviour/operations.ts';
import { defaultBehaviour, nameOf } from '../behaviour/parse.ts';
import { jsonResponse } from '../behaviour/responses.ts';
import {
  type Behaviour,
  behaviourSchema,
  cancelledState,
  deliveryStates,
  orderStates,
} from '../behaviour/schema.ts';
import type { FaultService } from '../faults/inject-faults.ts';
import { addRoutes, type Route } from '../http/add-routes.ts';
import { checkHost, requireAdminToken } from '../http/authenticate.ts';
import type { SandboxContext, SandboxEnv } from '../http/context.ts';
import { readBody } from '../http/request-body.ts';
import { sendError, sendResponse } from '../http/send-response.ts';
import { assertionNames, checkAssertions } from '../record/assertions.ts';
import { outcomes } from '../record/journal.ts';
import { moveOrder } from '../rules/order-status.ts';
import { addCustomer, newCustomer } from '../rules/seed.ts';
import { normalisePhone } from '../store/customers.ts';
import { productList } from '../store/products.ts';
import { type InitialState, resetStore } from '../store/reset.ts';
import { allScopes, newKey, seededClientId, seededMerchantId } from '../store/seed.ts';
import { describeOrder, findReferred } from './describe-order.ts';

export interface AdminService extends FaultService {
  adminToken: string;
  /** `seed` loads the seed of the start, if there was one, inside a transaction. */
  initial(): InitialState & { behaviour: Behaviour; seed(): void };
  /** Its faults replace the current ones. */
  setBehaviour(behaviour: Behaviour): void;
}

/** Everything below /_sandbox needs the admin token; errors have the default form under every behaviour. */
export function createAdmin(service: AdminService): Hono<SandboxEnv> {
  const admin = new Hono<SandboxEnv>();
  admin.use('*', checkHost(service), requireAdminToken(service.adminToken));
  addRoutes(admin, [
    ...recordRoutes(service),
    ...orderRoutes(service),
    ...catalogueRoutes(service),
    ...keyRoutes(service),
    ...settingRoutes(service),
  ]);
  admin.all('*', () => {
    throw new ApiError('notFound', 'There is nothing at this path');
  });
  admin.onError((error, context) => sendError(defaultBehaviour, context, error));
  return admin;
}

interface Parts<Query, Body> {
  query: Query;
  body: Body;
  /** Of an order: an id, an order number or an external order ID. */
  reference: string;
}

interface Schemas<Query, Body> {
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  status?: number;
}

const nothing = z.strictObject({});

/** What `run` returns is sent as JSON, in which the numbers of an order keep their digits; 204 for undefined. */
function route<Query, Body>(
  method: Route['method'],
  path: string,
  { query, body, status = 200 }: Schemas<Query, Body>,
  run: (parts: Parts<Query, Body>) => unknown,
): Route {
  const handle = async (context: SandboxContext) => {
    const given = Object.entries(context.req.queries());
    const single = given.map(([name, values]) => [name, values.length === 1 ? values[0] : values]);
    const parts = {
      query: check(query ?? nothing, Object.fromEntries(single)) as Query,
      body: (method === 'GET' ? {} : check(body ?? nothing, await readJson(context))) as Body,
      reference: context.req.param('reference') ?? '',
    };
    const result = run(parts);
    return result === undefined
      ? context.body(null, 204)
      : sendResponse(context, jsonResponse(status, writeJson(result as Json)));
  };
  return { method, path, handle };
}

function pageQuery<Shape extends z.ZodRawShape>(filters: Shape) {
  return z.strictObject({
    ...filters,
    page: z.coerce.number().int().min(1).max(1_000_000_000).default(1),
    pageSize: z.coerce.number().int().min(1).max(100).default(20),
  });
}

function check(schema: z.ZodType, value: unknown): unknown {
  const { data, error } = schema.safeParse(value);
  if (error) throw new ApiError('requestInvalid', describeIssues(error));
  return data;
}

/** An empty body counts as an empty object, except where it would replace something. */
async function readJson(context: SandboxContext): Promise<unknown> {
  const text = Buffer.from(await readBody(context)).toString();
  if (text === '' && context.req.method !== 'PUT') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError('requestInvalid', `The body is not JSON: ${(error as Error).message}`);
  }
}

const ledgerQuery = z.strictObject({ without: z.literal('attempts').optional() });

const requestQuery = pageQuery({
  route: z.enum([...operationNames, 'other']).optional(),
  status: z.coerce.number().int().min(100).max(599).optional(),
  outcome: z.enum(outcomes).optional(),
  order: z.string().optional(),
  search: z.string().optional(),
  externalOrderId: z.string().optional(),
  idempotencyKey: z.string().optional(),
  since: z.coerce.number().int().min(0).optional(),
});

const assertBody = z.strictObject({
  checks: z
    .array(z.enum(assertionNames))
    .min(1)
    .default([...assertionNames]),
  externalOrderIds: z.array(z.string()).optional(),
});

const resetBody = z.strictObject({ everything: z.boolean().default(false) });

function recordRoutes(service: AdminService): Route[] {
  const { store, clock, requestLog } = service;
  const { requests } = store;
  return [
    route('GET', '/info', {}, () => ({
      identity: store.identity.read(),
      behaviour: nameOf(service.behaviour),
      now: new Date(clock.now()).toISOString(),
      requests: requests.totals().requests,
      unauthenticated: requests.unauthenticated(),
      orders: store.orders.count(),
      products: store.products.count(),
    })),
    route('GET', '/ledger', { query: ledgerQuery }, ({ query }) => ({
      ...requests.totals(),
      orders: store.orders.commits(),
      keys: requests.keys(),
      early: requests.early(),
      authorizations: requests.authorizations(),
      ...(query.without === undefined ? { attempts: requests.all() } : {}),
    })),
    route('GET', '/requests', { query: requestQuery }, ({ query }) => {
      const { page, pageSize, order: reference, ...filters } = query;
      const order = reference === undefined ? undefined : findReferred(store, reference);
      const found = requestLog.journal.list({ ...filters, order }, (page - 1) * pageSize, pageSize);
      return { ...found, page, pageSize };
    }),
    route('POST', '/assert', { body: assertBody }, ({ body }) => {
      const checks = checkAssertions(store, body.checks, body.externalOrderIds);
      return { passed: checks.every(({ passed }) => passed), checks };
    }),
    route('POST', '/reset', { body: resetBody }, ({ body }) => {
      resetService(service, body);
      return { identity: store.identity.read() };
    }),
  ];
}

/**
 * Deletes orders, customers, idempotency keys and the request log; with `everything` it also returns to the keys, scopes,
 * catalogue, behaviour, faults and time of the start.
 */
export function resetService(service: AdminService, { everything }: z.output<typeof resetBody>): void {
  const { store, faults, requestLog, clock, randomUuid, initial } = service;
  faults.cancelLater();
  resetStore(store, randomUuid, everything ? initial() : undefined);
  requestLog.journal.clear();
  if (everything) {
    clock.set(clock.machine());
    service.setBehaviour(initial().behaviour);
    store.inTransaction(initial().seed);
  }
}

const orderQuery = pageQuery({
  externalOrderId: z.string().optional(),
  orderNumber: z.string().optional(),
  status: z.string().optional(),
  customerPhone: z.string().transform(normalisePhone).optional(),
  search: z.string().optional(),
});

const newStatus = z.strictObject({ status: z.enum([...orderStates, cancelledState]) });
const newDelivery = z.strictObject({ status: z.string().regex(/^\S+$/) });
const customerQuery = pageQuery({ phone: z.string().transform(normalisePhone).optional() });

function orderRoutes(service: AdminService): Route[] {
  const { store, clock, randomUuid } = service;
  const describe = (reference: string) => describeOrder(store, findReferred(store, reference));
  return [
    route('GET', '/orders', { query: orderQuery }, ({ query: { page, pageSize, ...filters } }) => {
      const section = { offset: (page - 1) * pageSize, limit: pageSize, sequence: 'latest_first' } as const;
      const { orders, total } = store.listOrders(undefined, filters, section);
      return { orders: orders.map((order) => describeOrder(store, order)), page, pageSize, total };
    }),
    route('GET', '/orders/:reference', {}, ({ reference }) => describe(reference)),
    route('PUT', '/orders/:reference/status', { body: newStatus }, ({ body: { status }, reference }) => {
      const { id } = findReferred(store, reference);
      store.inTransaction(() => moveOrder(service, id, status));
      return describe(id);
    }),
    route('PUT', '/orders/:reference/delivery', { body: newDelivery }, ({ body: { status }, reference }) => {
      const { id, deliveryId } = findReferred(store, reference);
      const deliveredAt = status === deliveryStates.at(-1) ? clock.now() : null;
      if (deliveryId === null) store.deliveries.add(id, randomUuid(), status, deliveredAt);
      else store.deliveries.move(status, deliveredAt, id);
      return describe(id);
    }),
    route('GET', '/customers', { query: customerQuery }, ({ query: { phone, page, pageSize } }) => ({
      ...store.customers.list(phone, (page - 1) * pageSize, pageSize),
      page,
      pageSize,
    })),
    route('POST', '/customers', { body: newCustomer, status: 201 }, ({ body }) =>
      store.customers.find(store.inTransaction(() => addCustomer(store, body))),
    ),
  ];
}

const merchantQuery = z.strictObject({
  merchant: z.coerce.number().int().min(1).default(seededMerchantId),
});

function catalogueRoutes({ store, initial }: AdminService): Route[] {
  const { products, accounts } = store;
  const change = (merchant: number, work: (merchant: number) => void = () => {}) => {
    const isKnown = accounts.owners().some(({ merchantId }) => merchantId === merchant);
    if (merchant !== seededMerchantId && !isKnown) {
      throw new ApiError('notFound', `merchant: no key is of the merchant ${merchant}`);
    }
    store.inTransaction(() => work(merchant));
    return products.all(merchant);
  };
  const query = merchantQuery;
  const given = { query, body: productList };
  const initialOf = (merchant: number) => (merchant === seededMerchantId ? initial().catalogue : []);
  return [
    route('GET', '/catalogue', { query }, ({ query: { merchant } }) => change(merchant)),
    route('PUT', '/catalogue', given, ({ query: { merchant }, body }) =>
      change(merchant, () => products.replace(merchant, body)),
    ),
    route('PATCH', '/catalogue', given, ({ query: { merchant }, body }) =>
      change(merchant, () => products.put(merchant, body)),
    ),
    route('DELETE', '/catalogue', { query }, ({ query: { merchant } }) =>
      change(merchant, () => products.replace(merchant, initialOf(merchant))),
    ),
  ];
}

/** The owner of a key: the client of the keys shown at the start, another one of its merchant, or of another merchant. */
const clients = ['same', 'other', 'of_other_merchant'] as const;

const scopes = z.array(z.string().regex(/^\S+$/));
const newApiKey = z.strictObject({
  client: z.enum(clients).default('same'),
  scopes: scopes.default(allScopes.split(' ')),
});
const changedApiKey = z.strictObject({ apiKey: z.string(), scopes });
const revokedApiKey = z.strictObject({ apiKey: z.string() });

function keyRoutes({ store, randomUuid }: AdminService): Route[] {
  const { accounts } = store;
  const clientOf = {
    same: () => seededClientId,
    other: () => accounts.addClient(seededMerchantId),
    of_other_merchant: () => accounts.addClient(accounts.addMerchant()),
  };
  const requireFound = (found: number) => {
    if (found === 0) throw new ApiError('notFound', 'There is no such API key');
  };
  return [
    route('GET', '/keys', {}, () =>
      accounts.owners().map(({ key: apiKey, merchantId, clientId, scopes }) => {
        const isOther = clientId === seededClientId ? 'same' : 'other';
        const client = merchantId === seededMerchantId ? isOther : 'of_other_merchant';
        return { apiKey, client, clientId, merchantId, scopes };
      }),
    ),
    route('POST', '/keys', { body: newApiKey, status: 201 }, ({ body: { client, scopes } }) => {
      const apiKey = newKey(randomUuid);
      store.inTransaction(() => accounts.addKey(clientOf[client](), scopes.join(' '), apiKey));
      return { apiKey, client, merchantId: accounts.findCaller(apiKey)?.merchantId, scopes };
    }),
    route('PUT', '/keys', { body: changedApiKey }, ({ body }) => {
      requireFound(accounts.setScopes(body.scopes.join(' '), body.apiKey));
      return body;
    }),
    route('DELETE', '/keys', { body: revokedApiKey }, ({ body }) =>
      requireFound(accounts.removeKey(body.apiKey)),
    ),
  ];
}

const clockSetting = z
  .strictObject({
    now: z.iso.datetime({ offset: true }).transform(Date.parse).optional(),
    advanceSeconds: z.number().optional(),
  })
  .refine(({ now, advanceSeconds }) => (now === undefined) !== (advanceSeconds === undefined), {
    error: 'either now or advanceSeconds',
  });

const latestTime = Date.UTC(10_000, 0);

/** GET what is set, PUT something else in its place, DELETE returns to what was set at the start. */
function settingRoutes(service: AdminService): Route[] {
  const { faults, clock, initial } = service;
  const setting = <T>(
    path: string,
    body: z.ZodType<T>,
    read: () => unknown,
    { set, unset }: { set(value: T): void; unset(): void },
  ) => [
    route('GET', path, {}, read),
    route('PUT', path, { body }, ({ body: value }) => {
      set(value);
      return read();
    }),
    route('DELETE', path, {}, () => {
      unset();
      return read();
    }),
  ];
  return [
    ...setting('/behaviour', behaviourSchema, () => service.behaviour, {
      set: service.setBehaviour,
      unset: () => service.setBehaviour(initial().behaviour),
    }),
    ...setting('/faults', faultSettings, faults.settings, {
      set: faults.set,
      unset: () => faults.set(service.behaviour.faults),
    }),
    ...setting('/clock', clockSetting, () => ({ now: new Date(clock.now()).toISOString() }), {
      set({ now, advanceSeconds = 0 }) {
        const time = now ?? clock.now() + advanceSeconds * 1000;
        if (!(time >= 0 && time < latestTime)) {
          throw new ApiError('requestInvalid', 'The time must be from 1970 to 9999');
        }
        clock.set(time);
      },
      unset: () => clock.set(clock.machine()),
    }),
  ];
}
