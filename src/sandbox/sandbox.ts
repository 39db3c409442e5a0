import { randomUUID } from 'node:crypto';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { Database } from '../system/sqlite.ts';
import type { AdminService } from './admin/admin.ts';
import { createAdmin } from './admin/admin.ts';
import { ApiError } from './behaviour/api-error.ts';
import { nameOf, parseBehaviour } from './behaviour/parse.ts';
import type { BehaviourSettings } from './behaviour/schema.ts';
import { createFaultControl } from './faults/fault-control.ts';
import { type FaultService, injectFaults, throttle } from './faults/inject-faults.ts';
import { authenticate, checkHost } from './http/authenticate.ts';
import { identifyingHeaders, oncePerTurn, type SandboxEnv, type SandboxMiddleware } from './http/context.ts';
import { logRequests } from './http/log-requests.ts';
import { addPage } from './http/page.ts';
import { receiveBody } from './http/request-body.ts';
import { addOperations } from './http/routes.ts';
import { sendError } from './http/send-response.ts';
import {
  anyAddress,
  baseUrlOf,
  checkAddress,
  isLoopback,
  loopback,
  probeSandbox,
  serve,
} from './http/serve.ts';
import openapi from './openapi.json' with { type: 'json' };
import type { JournalEntry } from './record/journal.ts';
import { createRequestLog, RequestEnded } from './record/request-log.ts';
import { loadSeed, type Seed } from './rules/seed.ts';
import { createServiceClock, type Service } from './rules/service.ts';
import { checkCredentials, type GivenCredentials, storeKeys } from './store/credentials.ts';
import type { Product } from './store/products.ts';
import { newKey, seededMerchantId } from './store/seed.ts';
import { openStore } from './store/store.ts';

export { packagedBehaviours, packagedCatalogue, readInputs } from './inputs.ts';
export { resetSandbox } from './store/reset.ts';
export { sandboxSchema } from './store/schema.ts';

export interface SandboxOptions extends GivenCredentials {
  /** Empty, or that of a sandbox, which other processes may have open. `stop` closes it. */
  database: Database;
  /** Replaces the stored catalogue. */
  catalogue?: Product[] | undefined;
  /** Of a database without products. */
  defaultCatalogue?: (() => Product[]) | undefined;
  /** Loaded if there are no orders and no customers but those that every sandbox has. */
  seed?: Seed | undefined;
  /** Accepts every SKU; `rehearsal`: those that the catalogue lacks, while it is the default one. */
  anySku?: boolean | 'rehearsal' | undefined;
  latencyMs?: number | undefined;
  /** Only the settings that differ from the default behaviour. */
  behaviour?: BehaviourSettings | undefined;
  port?: number | undefined;
  /** The IP address to listen on, 127.0.0.1 by default. */
  host?: string | undefined;
  /** Names that requests may have as their `Host`, besides those of loopback and `host`. */
  allowHosts?: readonly string[] | undefined;
  /** Stores the address in the database, where `describeSandbox` finds it. */
  isPublic?: boolean;
  /** How long `stop` waits for responses under way, 2,000 by default. */
  graceMs?: number | undefined;
  /** Epoch milliseconds. */
  now(): number;
  randomUuid(): string;
  /** Called after each request to the API. */
  onRequest?: ((request: JournalEntry) => void) | undefined;
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

type SandboxService = AdminService & Pick<SandboxOptions, 'onRequest'>;

/**
 * After an error the database stays open. @throws CliError `port_in_use`, `usage` for a key or an address, `file_invalid`
 * for a behaviour or a seed, `configuration_invalid` for a database of another version
 */
export async function startSandbox(options: SandboxOptions) {
  const { database, seed, port = 0, host = loopback, graceMs = 2000, now, randomUuid } = options;
  checkCredentials(options, { isOpen: !isLoopback(host) });
  checkAddress(host);
  const behaviour = parseBehaviour(options.behaviour ?? {}, 'The behaviour');
  const store = openStore(database);
  const adminToken = options.adminToken ?? newKey(randomUuid);
  const clock = createServiceClock(now);
  const requestLog = createRequestLog(store, clock.now, adminToken);
  const faults = createFaultControl(behaviour.faults, clock.now);
  const service: SandboxService = {
    store,
    behaviour,
    requestLog,
    faults,
    adminToken,
    allowHosts: [...(anyAddress.includes(host) ? [] : [host]), ...(options.allowHosts ?? [])],
    anySku: options.anySku === true,
    latencyMs: options.latencyMs ?? 0,
    randomUuid,
    clock,
    onRequest: options.onRequest,
    initial: () => initial,
    setBehaviour(changed) {
      service.behaviour = changed;
      faults.set(changed.faults);
      if (options.isPublic) store.inTransaction(() => store.identity.serve(baseUrl, nameOf(changed)));
    },
  };
  const served = await serve(createApp(service), { port, host }, () => faults.settings().idleMs);
  const baseUrl = baseUrlOf(host, served.port);
  const prepare = () => {
    const isEmpty = store.orders.count() === 0 && store.customers.list(undefined, 0, 1).total === 2;
    const given = isEmpty ? seed : undefined;
    const hasProducts = store.products.count() > 0;
    const products =
      given?.products ?? options.catalogue ?? (hasProducts ? undefined : options.defaultCatalogue?.());
    if (products) store.products.replace(seededMerchantId, products);
    if (options.isPublic) store.identity.serve(baseUrl, nameOf(behaviour));
    const keys = storeKeys(store, options, randomUuid);
    const load = () => given && loadSeed(service, given);
    load();
    const catalogue = store.products.all(seededMerchantId);
    return { keys, behaviour, catalogue, seed: load, isSeedSkipped: seed !== given };
  };
  let initial: ReturnType<typeof prepare>;
  try {
    // Only now, because a failed start must not change the keys or the catalogue of another sandbox on this database.
    initial = store.inTransaction(prepare);
    const isRehearsal = options.anySku === 'rehearsal';
    if (isRehearsal && areSame(initial.catalogue, options.defaultCatalogue?.())) service.anySku = 'unknown';
  } catch (error) {
    await served.stop(0);
    throw error;
  }
  let stopping: Promise<void> | undefined;
  const stop = async (atOnce?: AbortSignal) => {
    faults.endWaits(true);
    await served.stop(graceMs, atOnce);
    database.close();
  };
  return {
    ...initial.keys,
    baseUrl,
    adminToken,
    get behaviour() {
      return nameOf(service.behaviour);
    },
    /** A UUID, which a reset replaces. */
    get identity() {
      return store.identity.read();
    },
    /** Requests to `/api/...` since the start. */
    requestCount: requestLog.requestCount,
    get exampleSku() {
      return store.products.example(seededMerchantId);
    },
    get checksSkus() {
      return service.anySku === false;
    },
    /** For the library. */
    service: service as AdminService,
    /** Whether a seed was given for a database that was not empty. */
    isSeedSkipped: initial.isSeedSkipped,
    /** Waits for responses under way, up to `graceMs` or until the signal; a request that a fault delays is closed. */
    stop: (atOnce?: AbortSignal): Promise<void> => {
      stopping ??= stop(atOnce);
      return stopping;
    },
  };
}

function areSame(stored: readonly Product[], products: readonly Product[] = []): boolean {
  const textOf = ({ sku, name = '', active }: Product) => JSON.stringify([sku, name, active]);
  const listOf = (all: readonly Product[]) => all.map(textOf).sort().join();
  return listOf(stored) === listOf(products);
}

/** Whether or not a process serves it. @throws CliError */
export async function describeSandbox(database: Database) {
  const store = openStore(database);
  const identity = store.identity.read();
  const servings = store.identity.servings();
  const found = await Promise.all(servings.map(({ baseUrl }) => probeSandbox(baseUrl)));
  const servers = servings.filter((_, index) => found[index] === identity);
  return {
    identity,
    /** The processes that serve it, the newest first. */
    servers,
    ...storeKeys(store, {}, randomUUID),
    products: store.products.count(),
    orders: store.orders.count(),
  };
}

function createApp(service: SandboxService): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.use(addIdentifyingHeaders(service));
  app.route('/_sandbox', createAdmin(service));
  app.use('/api/*', logRequests(service, service.onRequest));
  app.use(checkHost(service));
  app.use(
    '/api/*',
    authenticate(service),
    receiveBody(service),
    throttle(service),
    refuseKeyInUse(service),
    injectFaults(service),
  );
  addPage(app);
  app.get('/health', (context) => context.json({ status: 'ok', service: 'SANDBOX' }));
  app.get('/openapi.json', (context) => context.json(openapi));
  addOperations(app, service);
  app.notFound((context) =>
    sendError(service.behaviour, context, new ApiError('notFound', 'There is nothing at this path')),
  );
  app.onError((error, context) => {
    if (!(error instanceof RequestEnded)) return sendError(service.behaviour, context, error);
    context.env.outgoing.destroy();
    return RESPONSE_ALREADY_SENT;
  });
  return app;
}

function addIdentifyingHeaders({ store, randomUuid, clock }: FaultService): SandboxMiddleware {
  const identity = oncePerTurn(store.identity.read);
  return async (context, next) => {
    context.set('requestId', randomUuid());
    context.set('identity', identity(''));
    context.set('date', new Date(clock.now()).toUTCString());
    for (const [name, value] of Object.entries(identifyingHeaders(context))) {
      context.header(name, value);
    }
    await next();
  };
}

/** Rejects a create whose key belongs to a request without a response yet. */
function refuseKeyInUse(service: Service): SandboxMiddleware {
  const inUse = new Set<string>();
  return async (context, next) => {
    const { route, clientId, idempotencyKey } = context.get('logged');
    const isIgnored = service.behaviour.keys.repeated === 'ignored';
    if (route !== 'create' || !idempotencyKey || isIgnored) return next();
    const name = `${clientId}\n${idempotencyKey}`;
    if (inUse.has(name)) {
      throw new ApiError('idempotencyKeyInUse', 'A request with this Idempotency-Key is still under way');
    }
    inUse.add(name);
    try {
      await next();
    } finally {
      inUse.delete(name);
    }
  };
}
