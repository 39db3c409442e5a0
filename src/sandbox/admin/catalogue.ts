import { Hono } from 'hono';
import { z } from 'zod';
import type { SandboxEnv, SandboxParts } from '../parts.ts';
import { seededMerchantId } from '../store/seed.ts';
import { readAdminBody } from './admin-problem.ts';

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
