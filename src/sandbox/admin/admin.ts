import { Hono } from 'hono';
import { z } from 'zod';
import { faults as schema } from '../faults/schema.ts';
import { checkHost, requireAdminToken } from '../http/authenticate.ts';
import type { SandboxContext, SandboxEnv, SandboxParts } from '../parts.ts';
import { seededMerchantId } from '../store/seed.ts';
import { AdminProblem, readAdminBody, refuseAdmin } from './admin-problem.ts';
import { keyRoutes } from './keys.ts';
import { assertRoute, infoRoute, ledgerRoute, resetRoute } from './record.ts';

/** Below /_sandbox, for who has the admin token: what is there, what happened, and what no client can bring about. */
export function createAdmin(parts: SandboxParts): Hono<SandboxEnv> {
  const admin = new Hono<SandboxEnv>();
  admin.use('*', checkHost, requireAdminToken(parts));
  admin.get('/info', infoRoute(parts));
  admin.get('/ledger', ledgerRoute(parts));
  admin.post('/assert', assertRoute(parts));
  admin.post('/reset', resetRoute(parts));
  admin.put('/orders/:orderId/status', moveOrderRoute(parts));
  admin.route('/catalogue', catalogueRoutes(parts));
  admin.route('/keys', keyRoutes(parts));
  admin.route('/clock', clockRoutes(parts));
  admin.route('/faults', faultRoutes(parts));
  admin.all('*', () => {
    throw new AdminProblem('There is nothing here', 404);
  });
  admin.onError((error, context) => refuseAdmin(parts, context, error));
  return admin;
}

const product = z.strictObject({
  sku: z.string().trim().min(1),
  name: z.string().optional(),
  active: z.boolean().default(true),
});
const products = z.array(product);

/** /_sandbox/catalogue: GET it, PUT another in its place, PATCH some products into it. */
export function catalogueRoutes({ store }: SandboxParts): Hono<SandboxEnv> {
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

const setting = z.union([
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
  z.strictObject({ advanceSeconds: z.number() }),
]);

const end = Date.UTC(10_000, 0);

/** /_sandbox/clock: GET the time of the service, PUT another; waiting goes by the time of this machine. */
export function clockRoutes({ clock }: SandboxParts): Hono<SandboxEnv> {
  const told = () => ({ now: new Date(clock.now()).toISOString() });
  return new Hono<SandboxEnv>()
    .get('/', (context) => context.json(told()))
    .put('/', async (context) => {
      const given = await readAdminBody(context, setting);
      const now = 'now' in given ? Date.parse(given.now) : clock.now() + given.advanceSeconds * 1000;
      if (!(now >= 0 && now < end)) throw new AdminProblem('The time is none from 1970 to 9999');
      clock.set(now);
      return context.json(told());
    });
}

/** /_sandbox/faults: GET those that hold, PUT others in their place, DELETE goes back to those of the behaviour. */
export function faultRoutes({ faults }: SandboxParts): Hono<SandboxEnv> {
  return new Hono<SandboxEnv>()
    .get('/', (context) => context.json(faults.settings()))
    .put('/', async (context) => {
      faults.set(await readAdminBody(context, schema));
      return context.json(faults.settings());
    })
    .delete('/', (context) => {
      faults.restore();
      return context.json(faults.settings());
    });
}

const body = z.strictObject({ status: z.string() });

/** PUT /_sandbox/orders/:orderId/status: moves an order to a state that the behaviour knows, whatever its own is. */
export function moveOrderRoute({ store, behaviour }: SandboxParts) {
  const states = [...behaviour.orders.states, behaviour.orders.cancelled];
  return async (context: SandboxContext): Promise<Response> => {
    const { status } = await readAdminBody(context, body);
    if (!states.includes(status)) {
      throw new AdminProblem(`status: is none of the states ${states.join(', ')}`);
    }
    const id = context.req.param('orderId') ?? '';
    if (!store.orders.move(id, status)) throw new AdminProblem(`There is no order with the id ${id}`, 404);
    return context.json({ id, status });
  };
}
