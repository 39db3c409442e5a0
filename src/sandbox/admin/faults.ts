import { Hono } from 'hono';
import { faults as schema } from '../faults/schema.ts';
import type { SandboxEnv, SandboxParts } from '../parts.ts';
import { readAdminBody } from './admin-problem.ts';

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
