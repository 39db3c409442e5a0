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
  const routes = adminRoutes(service).map(({ method, path, status, call }) => ({
    method,
    path,
    async handle(context: SandboxContext) {
      const given = Object.entries(context.req.queries());
      const single = given.map(([name, values]) => [name, values.length === 1 ? values[0] : values]);
      const result = call({
        query: Object.fromEntries(single),
        body: method === 'GET' ? {} : await readJson(context),
        reference: context.req.param('reference'),
      });
      return result === undefined
        ? context.body(null, 204)
        : sendResponse(context, jsonResponse(status, writeJson(result as Json)));
    },
  }));
  addRoutes(admin, routes);
  admin.all('*', () => {
    throw new ApiError('notFound', 'There is nothing at this path');
  });
  admin.onError((error, context) => sendError(defaultBehaviour, context, error));
  return admin;
}

/** What a request to the route does, without HTTP. @throws ApiError */
export function callAdmin(service: AdminService, name: string, given: Given = {}): unknown {
  return adminRoutes(service)
    .find(({ method, path }) => `${method} ${path}` === name)
    ?.call(given);
}

function adminRoutes(service: AdminService): AdminRoute[] {
  return [
    ...recordRoutes(service),
    ...orderRoutes(service),
    ...catalogueRoutes(service),
    ...keyRoutes(service),
    ...settingRoutes(service),
  ];
}

interface Given {
  query?: unknown;
  body?: unknown;
  /** Of an order: an id, an order number or an external order ID. */
  reference?: string | undefined;
}

/** What is returned is sent as JSON, in which the numbers of an order keep their digits; 204 for undefined. */
interface AdminRoute extends Pick<Route, 'method' | 'path'> {
  status: number;
  call(given: Given): unknown;
}

interface Schemas<Query, Body> {
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  status?: number;
}

const nothing = z.strictObject({});

function route<Query, Body>(
  method: Route['method'],
  path: string,
  { query, body, status = 200 }: Schemas<Query, Body>,
  run: (parts: { query: Query; body: Body; reference: string }) => unknown,
): AdminRoute {
  return {
    method,
    path,
    status,
    call: ({ query: givenQuery = {}, body: givenBody = {}, reference = '' }) =>
      run({
        query: check(query ?? nothing, givenQuery) as Query,
        body: check(body ?? nothing, givenBody) as Body,
        reference,
      }),
  };
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
});

const assertBody = z.strictObject({
  checks: z
    .array(z.enum(assertionNames))
    .min(1)
    .default([...assertionNames]),
  externalOrderIds: z.array(z.string()).optional(),
});

const resetBody = z.strictObject({ everything: z.boolean().default(false) });

function recordRoutes(service: AdminService): AdminRoute[] {
  const { store, clock, requestLog, initial } = service;
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
    /**
     * Deletes orders, customers, idempotency keys and the request log; with `everything` it also returns to the keys,
     * scopes, catalogue, behaviour, faults and time of the start. Requests under way are closed, and commit nothing.
     */
    route('POST', '/reset', { body: resetBody }, ({ body: { everything } }) => {
      service.faults.endWaits();
      requestLog.reset();
      resetStore(store, service.randomUuid, everything ? initial() : undefined);
      if (everything) {
        clock.set();
        service.setBehaviour(initial().behaviour);
        store.inTransaction(initial().seed);
      }
      return { identity: store.identity.read() };
    }),
  ];
}

const orderQuery = pageQuery({
  status: z.string().optional(),
  search: z.string().optional(),
});

const newStatus = z.strictObject({ status: z.enum([...orderStates, cancelledState]) });
const newDelivery = z.strictObject({ status: z.string().regex(/^\S+$/) });
const customerQuery = pageQuery({ phone: z.string().transform(normalisePhone).optional() });

function orderRoutes(service: AdminService): AdminRoute[] {
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

/** Of the merchant of the keys shown at the start. */
function catalogueRoutes({ store, initial }: AdminService): AdminRoute[] {
  const { products } = store;
  const change = (work: (merchant: number) => void) => {
    store.inTransaction(() => work(seededMerchantId));
    return products.all(seededMerchantId);
  };
  const given = { body: productList };
  return [
    route('GET', '/catalogue', {}, () => products.all(seededMerchantId)),
    route('PUT', '/catalogue', given, ({ body }) => change((merchant) => products.replace(merchant, body))),
    route('PATCH', '/catalogue', given, ({ body }) => change((merchant) => products.put(merchant, body))),
    route('DELETE', '/catalogue', {}, () =>
      change((merchant) => products.replace(merchant, initial().catalogue)),
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

function keyRoutes({ store, randomUuid }: AdminService): AdminRoute[] {
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
function settingRoutes(service: AdminService): AdminRoute[] {
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
        if (time >= 0 && time < latestTime) return clock.set(time);
        throw new ApiError('requestInvalid', 'The time must be from 1970 to 9999');
      },
      unset: () => clock.set(),
    }),
  ];
}
