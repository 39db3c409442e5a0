import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import type { Database } from '../system/sqlite.ts';
import { createAdmin } from './admin/admin.ts';
import type { AdminService } from './admin/admin-request.ts';
import { ApiError } from './behaviour/api-error.ts';
import { nameOf, parseBehaviour } from './behaviour/parse.ts';
import type { BehaviourSettings } from './behaviour/schema.ts';
import type { FaultService } from './faults/fault-context.ts';
import { createFaultControl } from './faults/fault-control.ts';
import { injectFaults, throttle } from './faults/inject-faults.ts';
import { createSecondOrigin } from './faults/second-origin.ts';
import { authenticate, checkHost } from './http/authenticate.ts';
import { identifyingHeaders, oncePerTurn, type SandboxEnv, type SandboxMiddleware } from './http/context.ts';
import { logRequests } from './http/log-requests.ts';
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
import { openapi } from './openapi/document.ts';
import { createPage } from './page/page.ts';
import type { JournalEntry } from './record/journal.ts';
import { createRequestLog } from './record/request-log.ts';
import { createServiceClock, type Service } from './rules/service.ts';
import { checkCredentials, type GivenCredentials, type Keys, storeKeys } from './store/credentials.ts';
import type { Product } from './store/products.ts';
import { newKey, seededMerchantId, setSharedPhone } from './store/seed.ts';
import { openStore } from './store/store.ts';

export { resetSandbox } from './store/reset.ts';
export { sandboxSchema } from './store/schema.ts';

export interface SandboxOptions extends GivenCredentials {
  /** Empty, or of a sandbox; closed by `stop`. Other processes may have the same file open. */
  database: Database;
  /** Replaces the stored catalogue. */
  catalogue?: Product[];
  /** Every SKU is known and active. */
  anySku?: boolean;
  latencyMs?: number;
  /** The settings that differ from the default behaviour. */
  behaviour?: BehaviourSettings;
  /** 0 or absent: a free port. */
  port?: number;
  /** The IP address to listen on; 127.0.0.1 when absent. Any other than loopback can be reached from other machines. */
  host?: string;
  /** Names of this machine, beside those of loopback and `host`, that requests may have as their `Host`. */
  allowHosts?: readonly string[];
  /** Stores the address in the database, where `describeSandbox` finds it. */
  isPublic?: boolean;
  /** Epoch milliseconds. */
  now(): number;
  randomUuid(): string;
  /** Called with each request to the API when it has ended. */
  onRequest?: ((request: JournalEntry) => void) | undefined;
}

export interface Sandbox extends Keys {
  /** `http://127.0.0.1:PORT`, or with the address of `host`. */
  baseUrl: string;
  adminToken: string;
  readonly behaviour: string;
  /** UUID of the data, until it is reset. */
  readonly identity: string;
  /** Requests to `/api/...` since the start. */
  requestCount(): number;
  /** A SKU for commands to try. */
  readonly exampleSku: string;
  /** Its state, for the library. */
  service: AdminService;
  /** Waits for the responses under way, for two seconds at most, or until the signal. */
  stop(atOnce?: AbortSignal): Promise<void>;
}

export interface SandboxDescription extends Keys {
  identity: string;
  /** Undefined while it is not served. */
  baseUrl: string | undefined;
  behaviour: string;
  products: number;
  orders: number;
}

type SandboxService = AdminService & Pick<SandboxOptions, 'onRequest'>;

const graceMs = 2000;
const defaultName = 'default';

/**
 * Starts the service of the interface document on a loopback port. The database stays open when it cannot start.
 * @throws CliError `port_in_use`, `usage` for a key or an address that cannot be used,
 * `file_invalid` for an invalid behaviour,
 * `configuration_invalid` for a database that is not of this version
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const {
    database,
    catalogue,
    anySku = false,
    latencyMs = 0,
    port = 0,
    host = loopback,
    now,
    randomUuid,
  } = options;
  checkCredentials(options, { isOpen: !isLoopback(host) });
  checkAddress(host);
  const behaviour = parseBehaviour(options.behaviour ?? {}, 'The behaviour');
  const store = openStore(database);
  const adminToken = options.adminToken ?? newKey(randomUuid);
  const requestLog = createRequestLog(store, now, adminToken);
  const faults = createFaultControl(behaviour.faults, now);
  const secondOrigin = createSecondOrigin(requestLog);
  const service: SandboxService = {
    store,
    behaviour,
    requestLog,
    faults,
    adminToken,
    allowHosts: [...(anyAddress.includes(host) ? [] : [host]), ...(options.allowHosts ?? [])],
    anySku,
    latencyMs,
    randomUuid,
    clock: createServiceClock(now),
    secondOrigin: secondOrigin.open,
    onRequest: options.onRequest,
    initial: () => initial,
    setBehaviour(changed) {
      service.behaviour = changed;
      faults.set(changed.faults);
      store.inTransaction(() => {
        setSharedPhone(store, changed.customers.phone);
        if (options.isPublic) store.identity.serve({ baseUrl, behaviour: nameOf(changed) });
      });
    },
  };
  const served = await serve(createApp(service), { port, host }, () => faults.settings().connections);
  const baseUrl = baseUrlOf(host, served.port);
  let initial: ReturnType<AdminService['initial']>;
  try {
    // Only now: a start that fails must not change the keys or the catalogue of another sandbox on this database.
    initial = store.inTransaction(() => {
      if (catalogue) store.products.replace(seededMerchantId, catalogue);
      setSharedPhone(store, behaviour.customers.phone);
      if (options.isPublic) store.identity.serve({ baseUrl, behaviour: nameOf(behaviour) });
      const keys = storeKeys(store, options, randomUuid);
      return { keys, behaviour, catalogue: store.products.all(seededMerchantId) };
    });
  } catch (error) {
    await served.stop(0);
    throw error;
  }
  const stop = async (atOnce?: AbortSignal) => {
    faults.endWaits();
    await served.stop(graceMs, atOnce);
    await faults.finish();
    await secondOrigin.close();
    database.close();
  };
  let stopping: Promise<void> | undefined;
  return {
    ...initial.keys,
    baseUrl,
    adminToken,
    get behaviour() {
      return nameOf(service.behaviour);
    },
    get identity() {
      return store.identity.read();
    },
    requestCount: requestLog.requestCount,
    get exampleSku() {
      return store.products.example(seededMerchantId);
    },
    service,
    stop(atOnce) {
      stopping ??= stop(atOnce);
      return stopping;
    },
  };
}

/** Whether a database has no catalogue. Creates the tables in an empty database. @throws CliError */
export function lacksCatalogue(database: Database): boolean {
  return openStore(database).products.count() === 0;
}

/** Describes the sandbox in a database. Creates the tables in an empty one. @throws CliError */
export async function describeSandbox(database: Database): Promise<SandboxDescription> {
  const store = openStore(database);
  const identity = store.identity.read();
  const servings = store.identity.servings();
  const found = await Promise.all(servings.map(({ baseUrl }) => probeSandbox(baseUrl)));
  const served = servings.find((_, index) => found[index] === identity);
  return {
    identity,
    baseUrl: served?.baseUrl,
    behaviour: served?.behaviour ?? defaultName,
    ...storeKeys(store, {}, randomUUID),
    products: store.products.count(),
    orders: store.orders.count(),
  };
}

/** The service of the interface document, not listening yet. */
function createApp(service: SandboxService): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.use(addIdentifyingHeaders(service));
  app.route('/', createPage(service));
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
  app.get('/health', (context) => context.json({ status: 'ok', service: 'SANDBOX' }));
  app.get('/openapi.json', (context) => context.json(openapi));
  addOperations(app, service);
  app.notFound((context) =>
    sendError(service, context, new ApiError('routeUnknown', 'There is nothing at this path')),
  );
  app.onError((error, context) => sendError(service, context, error));
  return app;
}

function addIdentifyingHeaders({ store, randomUuid }: FaultService): SandboxMiddleware {
  const identity = oncePerTurn(store.identity.read);
  return async (context, next) => {
    context.set('requestId', randomUuid());
    context.set('identity', identity(''));
    for (const [name, value] of Object.entries(identifyingHeaders(context))) {
      context.header(name, value);
    }
    await next();
  };
}

/** Rejects a create whose key belongs to a request that has no response yet, unless the behaviour lets it wait. */
function refuseKeyInUse(service: Service): SandboxMiddleware {
  const inUse = new Set<string>();
  return async (context, next) => {
    const { route, clientId, idempotencyKey } = context.get('logged');
    const { underWay, repeated } = service.behaviour.keys;
    if (route !== 'create' || !idempotencyKey || underWay === 'waits' || repeated === 'ignored')
      return next();
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
