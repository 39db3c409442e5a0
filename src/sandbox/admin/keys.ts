import { Hono } from 'hono';
import { z } from 'zod';
import type { SandboxEnv, SandboxParts } from '../parts.ts';
import { allScopes, newKey, seededClientId, seededMerchantId } from '../store/seed.ts';
import { AdminProblem, readAdminBody } from './admin-problem.ts';

const scopes = z.array(z.string().regex(/^\S+$/)).default(allScopes.split(' '));
const wantedKey = z.strictObject({
  /** Whose key it is: the client of the keys that were told at the start, a new one of its merchant, of another. */
  client: z.enum(['same', 'other', 'of_other_merchant']).default('same'),
  scopes,
});
const changedKey = z.strictObject({ apiKey: z.string(), scopes });
const revokedKey = z.strictObject({ apiKey: z.string() });

/** /_sandbox/keys: POST a new one, PUT other scopes for one, DELETE one. */
export function keyRoutes({ store, randomUuid }: SandboxParts): Hono<SandboxEnv> {
  const { accounts } = store;
  const clientOf = {
    same: () => seededClientId,
    other: () => accounts.addClient(seededMerchantId),
    of_other_merchant: () => accounts.addClient(accounts.addMerchant()),
  };
  const found = (isFound: boolean) => {
    if (!isFound) throw new AdminProblem('There is no such API key', 404);
  };
  return new Hono<SandboxEnv>()
    .post('/', async (context) => {
      const { client, scopes } = await readAdminBody(context, wantedKey);
      const apiKey = newKey(randomUuid);
      store.inTransaction(() => accounts.addKey(clientOf[client](), scopes.join(' '), apiKey));
      return context.json({ apiKey, client, scopes }, 201);
    })
    .put('/', async (context) => {
      const { apiKey, scopes } = await readAdminBody(context, changedKey);
      found(accounts.setScopes(apiKey, scopes.join(' ')));
      return context.json({ apiKey, scopes });
    })
    .delete('/', async (context) => {
      const { apiKey } = await readAdminBody(context, revokedKey);
      found(accounts.removeKey(apiKey));
      return context.body(null, 204);
    });
}
