import { Hono } from 'hono';
import { z } from 'zod';
import { faults as faultSettings } from '../behaviour/fault-settings.ts';
import { defaultBehaviour } from '../behaviour/parse.ts';
import { errorResponse } from '../behaviour/responses.ts';
import type { FaultService } from '../faults/fault-context.ts';
import { checkHost, requireAdminToken } from '../http/authenticate.ts';
import type { SandboxContext, SandboxEnv } from '../http/context.ts';
import { readBody } from '../http/request-body.ts';
import { originOf, sendError, sendResponse } from '../http/send-response.ts';
import { assertionNames, checkAssertions } from '../record/assertions.ts';
import type { Service } from '../rules/service.ts';
import { resetStore } from '../store/reset.ts';
import { allScopes, newKey, seededClientId, seededMerchantId, setSharedPhone } from '../store/seed.ts';

export interface AdminService extends FaultService {
  adminToken: string;
}

/** The API below /_sandbox, which needs the admin token: inspects the sandbox and changes what no client can. */
export function createAdmin(service: AdminService): Hono<SandboxEnv> {
  const admin = new Hono<SandboxEnv>();
  admin.use('*', checkHost(service), requireAdminToken(service.adminToken));
  admin.get('/info', infoRoute(service));
  admin.get('/ledger', ledgerRoute(service));
  admin.post('/assert', assertRoute(service));
  admin.post('/reset', resetRoute(service));
  admin.put('/orders/:orderId/status', moveOrderRoute(service));
  admin.route('/catalogue', catalogueRoutes(service));
  admin.route('/keys', keyRoutes(service));
  admin.route('/clock', clockRoutes(service));
  admin.route('/faults', faultRoutes(service));
  admin.all('*', () => {
    throw new AdminError('There is nothing here', 404);
  });
  admin.onError((error, context) => sendAdminError(service, context, error));
  return admin;
}

function infoRoute(service: AdminService) {
  const { store, clock } = service;
  return (context: SandboxContext): Response =>
    context.json({
      identity: store.identity.read(),
      behaviour: service.behaviour.name,
      now: new Date(clock.now()).toISOString(),
      requests: store.requests.totals().requests,
      orders: store.orders.count(),
      products: store.products.count(),
    });
}

/** GET /_sandbox/ledger: what the service received and committed; `?without=attempts` omits the single requests. */
function ledgerRoute({ store }: AdminService) {
  return (context: SandboxContext): Response => {
    const { requests } = store;
    const summary = {
      ...requests.totals(),
      orders: store.commits(),
      keys: requests.keys(),
      early: requests.early(),
      authorizations: requests.authorizations(),
    };
    const isShort = context.req.query('without') === 'attempts';
    return context.json(isShort ? summary : { ...summary, attempts: requests.all() });
  };
}

const assertBody = z.strictObject({
  checks: z
    .array(z.enum(assertionNames))
    .min(1)
    .default([...assertionNames]),
  externalOrderIds: z.array(z.string()).optional(),
});

/** POST /_sandbox/assert: checks the promises of a client against the request log. */
function assertRoute({ store }: AdminService) {
  return async (context: SandboxContext): Promise<Response> => {
    const { checks, externalOrderIds } = await readAdminBody(context, assertBody);
    const results = checkAssertions(store, checks, externalOrderIds);
    return context.json({ passed: results.every(({ passed }) => passed), checks: results });
  };
}

/** POST /_sandbox/reset: deletes orders, customers, idempotency keys and the request log. */
function resetRoute(service: AdminService) {
  const { store, faults, requestLog, randomUuid } = service;
  return (context: SandboxContext): Response => {
    faults.cancelLater();
    resetStore(store, randomUuid);
    requestLog.journal.clear();
    setSharedPhone(store, service.behaviour.customers.phone);
    return context.json({ identity: store.identity.read() });
  };
}

const orderStatus = z.strictObject({ status: z.string() });

/** PUT /_sandbox/orders/:orderId/status: moves an order from any state to another one of the behaviour. */
function moveOrderRoute(service: AdminService) {
  const { store } = service;
  return async (context: SandboxContext): Promise<Response> => {
    const { orders } = service.behaviour;
    const states = [...orders.states, orders.cancelled];
    const { status } = await readAdminBody(context, orderStatus);
    if (!states.includes(status)) {
      throw new AdminError(`status: is none of the states ${states.join(', ')}`);
    }
    const id = context.req.param('orderId') ?? '';
    if (!store.orders.move(id, status)) throw new AdminError(`There is no order with the id ${id}`, 404);
    return context.json({ id, status });
  };
}

const products = z.array(
  z.strictObject({
    sku: z.string().trim().min(1),
    name: z.string().optional(),
    active: z.boolean().default(true),
  }),
);

/** /_sandbox/catalogue: GET it, PUT another one in its place, PATCH some products. */
function catalogueRoutes({ store }: AdminService): Hono<SandboxEnv> {
  return new Hono<SandboxEnv>()
    .get('/', (context) => context.json(store.products.all(seededMerchantId)))
    .put('/', async (context) => {
      const given = await readAdminBody(context, products);
      store.inTransaction(() => store.products.replace(seededMerchantId, given));
      return context.json(store.products.all(seededMerchantId));
    })
    .patch('/', async (context) => {
      const given = await readAdminBody(context, products);
      store.inTransaction(() => store.products.put(seededMerchantId, given));
      return context.json(store.products.all(seededMerchantId));
    });
}

const scopes = z.array(z.string().regex(/^\S+$/)).default(allScopes.split(' '));
const newApiKey = z.strictObject({
  /** The owner: the client of the keys shown at the start, a new client of its merchant, or one of a new merchant. */
  client: z.enum(['same', 'other', 'of_other_merchant']).default('same'),
  scopes,
});
const changedApiKey = z.strictObject({ apiKey: z.string(), scopes });
const revokedApiKey = z.strictObject({ apiKey: z.string() });

/** /_sandbox/keys: POST a new one, PUT other scopes for one, DELETE one. */
function keyRoutes({ store, randomUuid }: AdminService): Hono<SandboxEnv> {
  const { accounts } = store;
  const clientOf = {
    same: () => seededClientId,
    other: () => accounts.addClient(seededMerchantId),
    of_other_merchant: () => accounts.addClient(accounts.addMerchant()),
  };
  const requireFound = (isFound: boolean) => {
    if (!isFound) throw new AdminError('There is no such API key', 404);
  };
  return new Hono<SandboxEnv>()
    .post('/', async (context) => {
      const { client, scopes } = await readAdminBody(context, newApiKey);
      const apiKey = newKey(randomUuid);
      store.inTransaction(() => accounts.addKey(clientOf[client](), scopes.join(' '), apiKey));
      return context.json({ apiKey, client, scopes }, 201);
    })
    .put('/', async (context) => {
      const { apiKey, scopes } = await readAdminBody(context, changedApiKey);
      requireFound(accounts.setScopes(apiKey, scopes.join(' ')));
      return context.json({ apiKey, scopes });
    })
    .delete('/', async (context) => {
      const { apiKey } = await readAdminBody(context, revokedApiKey);
      requireFound(accounts.removeKey(apiKey));
      return context.body(null, 204);
    });
}

const clockSetting = z.union([
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
  z.strictObject({ advanceSeconds: z.number() }),
]);

const latestTime = Date.UTC(10_000, 0);

/** /_sandbox/clock: GET the time of the service, PUT another one. Waits are measured by this machine's clock. */
function clockRoutes({ clock }: AdminService): Hono<SandboxEnv> {
  const read = () => ({ now: new Date(clock.now()).toISOString() });
  return new Hono<SandboxEnv>()
    .get('/', (context) => context.json(read()))
    .put('/', async (context) => {
      const given = await readAdminBody(context, clockSetting);
      const now = 'now' in given ? Date.parse(given.now) : clock.now() + given.advanceSeconds * 1000;
      if (!(now >= 0 && now < latestTime)) throw new AdminError('The time is none from 1970 to 9999');
      clock.set(now);
      return context.json(read());
    });
}

/** /_sandbox/faults: GET the current ones, PUT others in their place, DELETE returns to those of the behaviour. */
function faultRoutes(service: AdminService): Hono<SandboxEnv> {
  const { faults } = service;
  return new Hono<SandboxEnv>()
    .get('/', (context) => context.json(faults.settings()))
    .put('/', async (context) => {
      faults.set(await readAdminBody(context, faultSettings));
      return context.json(faults.settings());
    })
    .delete('/', (context) => {
      faults.set(service.behaviour.faults);
      return context.json(faults.settings());
    });
}

class AdminError extends Error {
  readonly status: 400 | 404;
  readonly code: string;

  constructor(message: string, status: 400 | 404 = 400) {
    super(message);
    this.status = status;
    this.code = status === 404 ? 'NOT_FOUND' : 'INVALID_REQUEST';
  }
}

/** Any error of the admin API → its response, which has the default form under every behaviour. */
function sendAdminError(service: Service, context: SandboxContext, error: Error): Response {
  if (!(error instanceof AdminError)) {
    return sendError({ clock: service.clock, behaviour: defaultBehaviour }, context, error);
  }
  const { status, code, message } = error;
  const origin = originOf(context, service.clock.now());
  return sendResponse(context, errorResponse(defaultBehaviour, { status, code, message }, origin));
}

/** The JSON body of a request, checked against the schema. @throws AdminError */
async function readAdminBody<T>(context: SandboxContext, schema: z.ZodType<T>): Promise<T> {
  const text = Buffer.from(await readBody(context)).toString();
  const { data, error } = schema.safeParse(readJson(text));
  if (data !== undefined) return data;
  const problems = error?.issues.map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  );
  throw new AdminError(problems?.join('; ') ?? '');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch (error) {
    throw new AdminError(`The body is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}
