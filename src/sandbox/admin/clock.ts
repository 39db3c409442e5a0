import { Hono } from 'hono';
import { z } from 'zod';
import type { SandboxEnv, SandboxParts } from '../parts.ts';
import { AdminProblem, readAdminBody } from './admin-problem.ts';

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
