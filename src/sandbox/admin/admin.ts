import { Hono } from 'hono';
import { requireAdminToken } from '../authenticate.ts';
import { checkHost } from '../check-host.ts';
import type { SandboxEnv, SandboxParts } from '../parts.ts';
import { AdminProblem, refuseAdmin } from './admin-problem.ts';
import { catalogueRoutes } from './catalogue.ts';
import { clockRoutes } from './clock.ts';
import { faultRoutes } from './faults.ts';
import { keyRoutes } from './keys.ts';
import { moveOrderRoute } from './move-order.ts';
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
