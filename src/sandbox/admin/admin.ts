import { Hono } from 'hono';
import * as z from 'zod';
import { nameOf } from '../behaviour/parse.ts';
import { checkHost, requireAdminToken } from '../http/authenticate.ts';
import type { SandboxContext, SandboxEnv } from '../http/context.ts';
import { assertionNames, checkAssertions } from '../record/assertions.ts';
import { outcomes } from '../record/journal.ts';
import { routes } from '../store/requests.ts';
import { resetStore } from '../store/reset.ts';
import {
  AdminError,
  type AdminService,
  pageQuery,
  readAdminBody,
  readAdminQuery,
  rejectQueries,
  sendAdminError,
} from './admin-request.ts';
import { behaviourRoutes, catalogueRoutes, clockRoutes, faultRoutes, keyRoutes } from './settings.ts';
import { customerRoutes, findReferred, orderRoutes } from './state.ts';

const pathsWithQuery = [/^GET .*\/(?:ledger|requests|orders|customers)$/, /\/catalogue$/];

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Everything below /_sandbox needs the admin token. */
export function createAdmin(service: AdminService): Hono<SandboxEnv> {
  const admin = new Hono<SandboxEnv>();
  admin.use('*', checkHost(service), requireAdminToken(service.adminToken), rejectQueries(pathsWithQuery));
  admin.get('/info', infoRoute(service));
  admin.get('/ledger', ledgerRoute(service));
  admin.get('/requests', requestsRoute(service));
  admin.post('/assert', assertRoute(service));
  admin.post('/reset', resetRoute(service));
  admin.route('/orders', orderRoutes(service));
  admin.route('/customers', customerRoutes(service));
  admin.route('/behaviour', behaviourRoutes(service));
  admin.route('/catalogue', catalogueRoutes(service));
  admin.route('/keys', keyRoutes(service));
  admin.route('/clock', clockRoutes(service));
  admin.route('/faults', faultRoutes(service));
  admin.all('*', (context) => {
    const path = context.req.path.replace('/_sandbox', '');
    const allowed = methods.filter((method) =>
      admin.router.match(method, path)[0].some(([[, route]]) => route.method === method),
    );
    if (allowed.length === 0) throw new AdminError('There is nothing at this path', 404);
    context.header('Allow', allowed.join(', '));
    throw new AdminError(`The methods of this path are ${allowed.join(', ')}`, 405);
  });
  admin.onError((error, context) => sendAdminError(context, error));
  return admin;
}

function infoRoute(service: AdminService) {
  const { store, clock } = service;
  return (context: SandboxContext): Response =>
    context.json({
      identity: store.identity.read(),
      behaviour: nameOf(service.behaviour),
      now: new Date(clock.now()).toISOString(),
      requests: store.requests.totals().requests,
      unauthenticated: store.requests.unauthenticated(),
      orders: store.orders.count(),
      products: store.products.count(),
    });
}

const ledgerQuery = z.strictObject({ without: z.literal('attempts').optional() });

/** GET /_sandbox/ledger: what the service received and committed; `?without=attempts` omits the single requests. */
function ledgerRoute({ store }: AdminService) {
  return (context: SandboxContext): Response => {
    const { without } = readAdminQuery(context, ledgerQuery);
    const { requests } = store;
    const summary = {
      ...requests.totals(),
      orders: store.commits(),
      keys: requests.keys(),
      early: requests.early(),
      authorizations: requests.authorizations(),
    };
    const isShort = without === 'attempts';
    return context.json(isShort ? summary : { ...summary, attempts: requests.all() });
  };
}

const requestQuery = z.strictObject({
  route: z.enum(routes).optional(),
  status: z.coerce.number().int().min(100).max(599).optional(),
  outcome: z.enum(outcomes).optional(),
  order: z.string().optional(),
  search: z.string().optional(),
  externalOrderId: z.string().optional(),
  idempotencyKey: z.string().optional(),
  since: z.coerce.number().int().min(0).optional(),
  ...pageQuery,
});

/** GET /_sandbox/requests: the latest 1,000 requests with their bodies, the newest first; never a key. */
function requestsRoute({ requestLog, store }: AdminService) {
  return (context: SandboxContext): Response => {
    const { page, pageSize, order: reference, ...filters } = readAdminQuery(context, requestQuery);
    const order = reference === undefined ? undefined : findReferred(store, reference);
    const found = requestLog.journal.list({ ...filters, order }, (page - 1) * pageSize, pageSize);
    return context.json({ ...found, page, pageSize });
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

const resetBody = z.strictObject({ everything: z.boolean().default(false) });

/**
 * POST /_sandbox/reset: deletes orders, customers, idempotency keys and the request log; with `everything` it also
 * returns to the keys, scopes, catalogue, behaviour, faults and time of the start.
 */
function resetRoute(service: AdminService) {
  return async (context: SandboxContext): Promise<Response> => {
    resetService(service, await readAdminBody(context, resetBody));
    return context.json({ identity: service.store.identity.read() });
  };
}

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
