import { Hono } from 'hono';
import * as z from 'zod';
import { CliError } from '../../errors.ts';
import { faults as faultSettings } from '../behaviour/fault-settings.ts';
import { parseBehaviour } from '../behaviour/parse.ts';
import type { Behaviour } from '../behaviour/schema.ts';
import type { SandboxContext, SandboxEnv } from '../http/context.ts';
import { productList } from '../store/products.ts';
import { allScopes, newKey, seededClientId, seededMerchantId } from '../store/seed.ts';
import { AdminError, type AdminService, readAdminBody, readAdminQuery, rejectBody } from './admin-request.ts';

/** /_sandbox/behaviour: GET every setting, PUT others in their position, DELETE returns to those of the start. */
export function behaviourRoutes(service: AdminService): Hono<SandboxEnv> {
  return new Hono<SandboxEnv>()
    .get('/', (context) => context.json(service.behaviour))
    .put('/', async (context) => {
      service.setBehaviour(await readBehaviour(context));
      return context.json(service.behaviour);
    })
    .delete('/', async (context) => {
      await rejectBody(context);
      service.setBehaviour(service.initial().behaviour);
      return context.json(service.behaviour);
    });
}

async function readBehaviour(context: SandboxContext): Promise<Behaviour> {
  const settings = await readAdminBody(context, z.unknown());
  try {
    return parseBehaviour(settings, 'The body');
  } catch (error) {
    throw error instanceof CliError ? new AdminError(error.message) : error;
  }
}

/** /_sandbox/faults: GET the current ones, PUT others in their position, DELETE returns to those of the behaviour. */
export function faultRoutes(service: AdminService): Hono<SandboxEnv> {
  const { faults } = service;
  return new Hono<SandboxEnv>()
    .get('/', (context) => context.json(faults.settings()))
    .put('/', async (context) => {
      faults.set(await readAdminBody(context, faultSettings));
      return context.json(faults.settings());
    })
    .delete('/', async (context) => {
      await rejectBody(context);
      faults.set(service.behaviour.faults);
      return context.json(faults.settings());
    });
}

const catalogueQuery = z.strictObject({
  merchant: z.coerce.number().int().min(1).default(seededMerchantId),
});

/**
 * /_sandbox/catalogue: GET it, PUT another one in its place, PATCH some products, DELETE returns to that of the start;
 * `?merchant=` names another merchant by the merchantId of its key.
 */
export function catalogueRoutes({ store, initial }: AdminService): Hono<SandboxEnv> {
  const { replace, put, all } = store.products;
  const merchantOf = (context: SandboxContext): number => {
    const { merchant } = readAdminQuery(context, catalogueQuery);
    const isKnown = store.accounts.owners().some(({ merchantId }) => merchantId === merchant);
    if (merchant === seededMerchantId || isKnown) return merchant;
    throw new AdminError(`merchant: no key is of the merchant ${merchant}`, 404);
  };
  const change = (context: SandboxContext, work: (merchant: number) => void) => {
    const merchant = merchantOf(context);
    store.inTransaction(() => work(merchant));
    return context.json(all(merchant));
  };
  return new Hono<SandboxEnv>()
    .get('/', (context) => context.json(all(merchantOf(context))))
    .put('/', async (context) => {
      const given = await readAdminBody(context, productList);
      return change(context, (merchant) => replace(merchant, given));
    })
    .patch('/', async (context) => {
      const given = await readAdminBody(context, productList);
      return change(context, (merchant) => put(merchant, given));
    })
    .delete('/', async (context) => {
      await rejectBody(context);
      return change(context, (merchant) =>
        replace(merchant, merchant === seededMerchantId ? initial().catalogue : []),
      );
    });
}

const clockSetting = z
  .strictObject({
    now: z.iso.datetime({ offset: true }).optional(),
    advanceSeconds: z.number().optional(),
  })
  .refine(({ now, advanceSeconds }) => (now === undefined) !== (advanceSeconds === undefined), {
    error: 'either now or advanceSeconds',
  });

const latestTime = Date.UTC(10_000, 0);

/** /_sandbox/clock: GET the time, PUT another one, DELETE returns to the clock of this machine. */
export function clockRoutes({ clock }: AdminService): Hono<SandboxEnv> {
  const read = () => ({ now: new Date(clock.now()).toISOString() });
  return new Hono<SandboxEnv>()
    .get('/', (context) => context.json(read()))
    .put('/', async (context) => {
      const { now, advanceSeconds = 0 } = await readAdminBody(context, clockSetting);
      const time = now === undefined ? clock.now() + advanceSeconds * 1000 : Date.parse(now);
      if (!(time >= 0 && time < latestTime)) {
        const field = now === undefined ? 'advanceSeconds' : 'now';
        throw new AdminError(`${field}: the time must be from 1970 to 9999`);
      }
      clock.set(time);
      return context.json(read());
    })
    .delete('/', async (context) => {
      await rejectBody(context);
      clock.set(clock.machine());
      return context.json(read());
    });
}

/** The owner of a key: the client of the keys shown at the start, another one of its merchant, or of another merchant. */
const clients = ['same', 'other', 'of_other_merchant'] as const;

const scope = z.string().regex(/^\S+$/);
const scopes = z.array(scope);
const newApiKey = z.strictObject({
  client: z.enum(clients).default('same'),
  scopes: scopes.default(allScopes.split(' ')),
});
const changedApiKey = z.strictObject({ apiKey: z.string(), scopes });
const revokedApiKey = z.strictObject({ apiKey: z.string() });

/** /_sandbox/keys: GET all, POST a new one, PUT other scopes for one, DELETE one. */
export function keyRoutes({ store, randomUuid }: AdminService): Hono<SandboxEnv> {
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
    .get('/', (context) =>
      context.json(
        accounts.owners().map(({ key, merchantId, clientId, scopes }) => ({
          apiKey: key,
          client: clientName(merchantId, clientId),
          clientId,
          merchantId,
          scopes,
        })),
      ),
    )
    .post('/', async (context) => {
      const { client, scopes } = await readAdminBody(context, newApiKey);
      const apiKey = newKey(randomUuid);
      store.inTransaction(() => accounts.addKey(clientOf[client](), scopes.join(' '), apiKey));
      const { merchantId } = accounts.findCaller(apiKey) ?? {};
      return context.json({ apiKey, client, merchantId, scopes }, 201);
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

function clientName(merchantId: number, clientId: number): (typeof clients)[number] {
  if (merchantId !== seededMerchantId) return 'of_other_merchant';
  return clientId === seededClientId ? 'same' : 'other';
}
