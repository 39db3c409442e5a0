import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { advice, again, command, createSay, type Piece, type Say, type Text, t } from './advice/advice.ts';
import type { ApiClient } from './api/client.ts';
import { basePath, ordersUrl } from './api/http/address.ts';
import type { HttpRequest } from './api/http/transport.ts';
import type { AttemptPolicy, TimeLeft } from './api/pacing/attempts.ts';
import type { RequestLimits } from './api/pacing/limiter.ts';
import { CliError } from './errors.ts';
import {
  checkBaseUrl,
  checkKeyFor,
  type Identity,
  labelOf,
  labelTexts,
  parseBaseUrl,
  resolveIdentity,
} from './identity.ts';
import type { Ledger, LedgerClient } from './ledger/ledger.ts';
import type { RunHistory } from './ledger/run-history.ts';
import { createLocalSandbox } from './local-sandbox.ts';
import { createPrint, type Print, streamColours } from './output/print.ts';
import { createReporter, type Reporter } from './output/reporter.ts';
import { createStatusLine } from './output/status-line.ts';
import { wrapLine } from './output/wrapped-text.ts';
import { readVersion } from './package-files.ts';
import type { Redaction } from './redact.ts';
import {
  type GlobalFlags,
  isOn,
  type LanguageCode,
  type Languages,
  resolveSettings,
  type Settings,
} from './settings.ts';
import {
  createMappingStore,
  createProfileStore,
  createSkuStore,
  type ProfileStore,
} from './system/configuration-files.ts';
import {
  createPrivateDirectory,
  makePrivateDirectory,
  needDirectory,
  ownNames,
  type PrivateDirectory,
} from './system/private-files.ts';
import { createPlainPrompts } from './system/prompts/plain-prompts.ts';
import type { Prompts } from './system/prompts/prompts.ts';
import { createRunLocks } from './system/run-locks.ts';
import type { Interruption } from './system/shell.ts';
import { type Database, openDatabase, openPrivateDatabase, type Schema } from './system/sqlite.ts';
import type { Clock, System } from './system/system.ts';
import { countFreeDescriptors, reserveSpace } from './system/temporary-file.ts';

interface ConnectOptions {
  /** Waits until a failing service works again, and shows progress, instead of giving up after some attempts. */
  waitsForOutages: boolean;
  waits?: { maxWait?: number; maxOutage?: number };
  /** All requests share one `--timeout`; otherwise each order or page has its own. */
  isOneOrder?: boolean;
  limits?: RequestLimits;
  /** When aborted, no request is started and no wait continues. Absent when only an interruption ends the calls. */
  stopping?: AbortSignal;
}

/** A service to which orders are sent; disposing of it closes everything that was opened for it. */
export interface Connection extends AsyncDisposable {
  client: ApiClient;
  /** Undefined for the embedded sandbox. */
  profile: string | undefined;
  baseUrl: string;
  label: 'LIVE' | 'SANDBOX';
  /** False for an embedded sandbox with the catalogue that comes with the program. */
  checksSkus: boolean;
  /** For questions: the label, and of several profiles the one that is live: `LIVE (shop-b)`. */
  labelWithProfile: Text;
  /** The orders that this machine sent there. Empty for a dry run that cannot open it. Error: `ledger_not_writable`. */
  openLedger(options?: { isDryRun: boolean }): Promise<Ledger>;
  /** What was looked up for the same work, with the same key and profile, in the last hour. */
}

/** What is expensive or can fail is a function. */
export interface Context {
  settings: Settings;
  system: System;
  clock: Clock;
  interruption: Interruption;
  print: Print;
  /** For what is written with `print.styledNote`, and for parts of questions that are measured. */
  say: Say;
  report: Reporter;
  status: ReturnType<typeof createStatusLine>;
  profiles: ProfileStore;
  mappings: ReturnType<typeof createMappingStore>;
  skus: ReturnType<typeof createSkuStore>;
  sandbox: ReturnType<typeof createLocalSandbox>;
  /** Undefined without a terminal, or with `--no-input`. */
  prompts: Prompts | undefined;
  /** The service and key from flags, environment and profile. Error: `configuration_invalid`. */
  identity(): Promise<Identity>;
  /** Whether `connect` has a key. Errors: `no_key`, `usage`, `configuration_invalid`. */
  checkKey(): Promise<void>;
  /** By default for a command about one order. Errors: `no_key`, `usage`, `configuration_invalid`. */
  connect(options?: ConnectOptions): Promise<Connection>;
  /** A request as it would be sent, for `--dry-run`; needs neither a key nor a service. */
  describe(request: HttpRequest): Promise<Parameters<Reporter['requests']>[0][number]>;
  hasLedger(): boolean;
  /**
   * The ledger of the LIVE service and key in force, without a request to the service; undefined without such a key and,
   * to read, while there is no ledger. Errors: `ledger_not_writable`, `configuration_invalid`.
   */
  openLedger(use: 'read' | 'write'): Promise<Ledger | undefined>;
  /** The imports of this machine, of all services and keys. Error: `ledger_not_writable`. */
  history(): Promise<RunHistory>;
  /** Opens a service with a key that is not stored. Error: `usage`. */
  connectTo(baseUrl: string, apiKey: string): Promise<Connection>;
}

/** Error: `usage` for flags that contradict each other. */
export type OpenContext = (command: Command, language?: LanguageCode) => Promise<Context>;

const forOneOrder: ConnectOptions = { waitsForOutages: false, isOneOrder: true };

/** `redaction` learns the key of the command. */
export function createContext(
  system: System,
  flags: GlobalFlags,
  redaction: Redaction,
  languages: Languages,
): Context {
  const settings = resolveSettings(flags, system.env);
  // An address in the environment may be meant for other commands.
  if (settings.baseUrl?.source === 'flag') checkBaseUrl(settings.baseUrl);
  const { terminal, clock, interruption } = system;
  const colour = streamColours(system.env, terminal, settings.noColour);
  const wrapNote = (line: readonly Piece[]) => wrapLine(line, terminal.width);
  const print = createPrint({
    ...system,
    ...redaction,
    quiet: settings.quiet,
    colour,
    language: languages.err,
    ...(terminal.stderr ? { wrapNote } : {}),
  });
  const say = createSay(system, languages.err);
  const directory = createPrivateDirectory(system.configDirectory, (text) => print.note(t`warning: ${text}`));
  const profiles = createProfileStore(directory);
  const sandbox = createLocalSandbox(system);
  const canAsk = terminal.stdin && terminal.stderr && !settings.noInput && system.env.TERM !== 'dumb';

  const identity = async () => {
    const found = await resolveIdentity(settings, profiles);
    if (found.apiKey !== undefined) redaction.add(found.apiKey.value);
    return found;
  };
  const identityInForce = async () => {
    const found = await identity();
    if (found.conflict !== undefined) throw found.conflict;
    return found;
  };
  const open = async (find: () => Promise<Service>, options: ConnectOptions) => {
    // A list requests the page after the next one while it reads.
    const maxConnections = connectionsFor(options.limits === undefined ? 2 : mostConnections);
    const service = await find();
    redaction.add(service.apiKey);
    try {
      return await openService(context, { ...service, maxConnections }, options, directory);
    } catch (error) {
      await service.stop?.();
      throw error;
    }
  };

  const context: Context = {
    settings,
    system,
    clock,
    interruption,
    print,
    say,
    report: createReporter({
      format: settings.format,
      print,
      say: createSay(system, languages.out),
      columns: settings.columns,
      header: settings.header,
      terminal: { isTerminal: terminal.stdout, width: terminal.width, colour: colour.out },
    }),
    status: createStatusLine({ system, clock, settings, interruption, print, say }),
    profiles,
    mappings: createMappingStore(directory),
    skus: createSkuStore(directory),
    sandbox,
    prompts: canAsk ? promptsFor(system, settings, say) : undefined,
    identity,
    checkKey: async () => {
      if (!settings.sandbox) serviceOf(await identityInForce());
    },
    connect: async (options = forOneOrder) =>
      open(
        async () => (settings.sandbox ? startSandbox(sandbox) : serviceOf(await identityInForce())),
        options,
      ),
    connectTo: (baseUrl, apiKey) => open(async () => ({ baseUrl, apiKey }), forOneOrder),
    describe: async (request) => {
      const { baseUrl } = settings.sandbox ? {} : await identityInForce();
      const address = baseUrl === undefined ? undefined : ordersUrl(parseBaseUrl(baseUrl.value)).href;
      const { describeRequest } = await import('./api/requests.ts');
      return describeRequest(request, address ?? `{base_url}${basePath}`);
    },
    hasLedger: () => hasLedger(directory),
    openLedger: async (use) => {
      const { baseUrl, apiKey, conflict } = await identity();
      const isInForce = !settings.sandbox && conflict === undefined;
      if (!isInForce || baseUrl === undefined || apiKey === undefined) return undefined;
      if (labelOf(apiKey.value) !== 'LIVE') return undefined;
      if (use === 'read' && !hasLedger(directory)) return undefined;
      const client = { service: parseBaseUrl(baseUrl.value).origin, apiKey: apiKey.value };
      return openLedger(system, directory, client, openForWriting);
    },
    history: () => openHistory(directory),
  };
  return context;
}

function promptsFor({ stdin, stderr, prompts }: System, { isPlain }: Settings, say: Say): Prompts {
  return isPlain ? createPlainPrompts(stdin, stderr, say) : prompts(say);
}

interface Service {
  baseUrl: string;
  apiKey: string;
  profile?: string;
  hasOtherProfiles?: boolean;
  /** Its name in the ledger, if it is known without asking the service. */
  name?: string;
  checksSkus?: boolean;
  stop?(): Promise<void>;
}

async function startSandbox(sandbox: Context['sandbox']): Promise<Service> {
  const { baseUrl, apiKey, identity, checksSkus, stop } = await sandbox.start({ anySku: 'rehearsal' });
  return { baseUrl, apiKey, name: `sandbox ${identity}`, checksSkus, stop };
}

/** Errors: `no_key`, `usage`. */
function serviceOf({ profile, baseUrl, apiKey, hasOtherProfiles }: Identity): Service {
  if (apiKey === undefined) {
    const sentence =
      baseUrl === undefined
        ? t`There is no API key for profile ${profile}.`
        : t`There is no API key for ${baseUrl.value}.`;
    throw new CliError('no_key', sentence, {
      hint: t`Run: ${command('login')}, or try everything out first with: --sandbox`,
    });
  }
  if (baseUrl === undefined) {
    throw new CliError('usage', t`There is a key but no base URL.`, {
      hint: t`Name the service with --base-url or MERCHANT_ORDERS_BASE_URL.`,
    });
  }
  return {
    baseUrl: baseUrl.value,
    apiKey: apiKey.value,
    profile,
    hasOtherProfiles: hasOtherProfiles && apiKey.source === 'profile',
  };
}

/** For the ledger, its locks, parts of this program, and files that are read and written. */
const ownDescriptors = 24;
const mostConnections = 64;

/** Connecting may take two files, and the sandbox in this process has one as well. Error: `out_of_resources`. */
function connectionsFor(wanted: number): number {
  const free = countFreeDescriptors(ownDescriptors + 3 * wanted) - ownDescriptors;
  if (free >= 3) return Math.floor(free / 3);
  throw new CliError(
    'out_of_resources',
    t`This program may not open as many files as it needs. Nothing was sent.`,
    {
      hint: t`Allow it more (ulimit -n 4096), then run the same command again.${again()}`,
      outcome: 'not_sent',
    },
  );
}

/** Error: `usage` for an address or key that cannot be used. */
async function openService(
  { settings, system, status, print }: Context,
  service: Service & { maxConnections: number },
  { waitsForOutages, waits, isOneOrder, limits, stopping }: ConnectOptions,
  directory: PrivateDirectory,
): Promise<Connection> {
  const { apiKey, profile, maxConnections } = service;
  const baseUrl = parseBaseUrl(service.baseUrl);
  checkKeyFor(baseUrl, apiKey);
  const [{ createTransport }, { createClient }, { nameSandbox, ensureNotSandbox }] = await Promise.all([
    import('./api/http/transport.ts'),
    import('./api/client.ts'),
    import('./api/sandbox-identity.ts'),
  ]);
  const label = labelOf(apiKey);
  const time: TimeLeft = { milliseconds: settings.timeoutMilliseconds };
  // A command that waits for outages shows its own progress.
  const watch = waitsForOutages || isOn(system.env.CI) ? undefined : status;
  const during = <Result>(work: () => Promise<Result>) => watch?.during(work) ?? work();
  if (label === 'LIVE') await during(() => ensureNotSandbox(baseUrl, time));
  let name = service.name;
  const findName = async () => {
    name ??= label === 'SANDBOX' ? await during(() => nameSandbox(baseUrl, time)) : baseUrl.origin;
    return name;
  };
  const policy: AttemptPolicy = {
    clock: system.clock,
    random: () => system.random(),
    timeoutMilliseconds: settings.timeoutMilliseconds,
    maxWaitMilliseconds: (waits?.maxWait ?? 300) * 1000,
    maxOutageMilliseconds: (waits?.maxOutage ?? 900) * 1000,
    hasWaitFlags: waits !== undefined,
    waitsForOutages,
    limits,
    onPause: waitsForOutages
      ? (milliseconds, reason) => status.pause(milliseconds, reason === 'server_requested')
      : undefined,
    stopping: stopping ?? system.interruption.stopping,
    leaving: system.interruption.leaving,
    trace: (line) => {
      if (settings.verbose) print.note(line);
    },
    watch,
  };
  const userAgent = `merchant-orders/${readVersion(system.packageFiles)}`;
  const transport = createTransport({
    baseUrl,
    apiKey,
    userAgent,
    env: system.env,
    clock: system.clock,
    maxConnections,
  });
  const client = createClient(transport, policy, baseUrl.origin);
  return {
    client: isOneOrder ? client.forOneOrder(time) : client,
    profile,
    baseUrl: service.baseUrl,
    label,
    checksSkus: service.checksSkus ?? true,
    labelWithProfile:
      label === 'LIVE' && service.hasOtherProfiles
        ? advice`${labelTexts.LIVE} (${profile ?? ''})`
        : labelTexts[label],
    openLedger: async ({ isDryRun } = { isDryRun: false }) => {
      const openFile = isDryRun ? openForDryRun : openForWriting;
      const ledgerClient = { service: await findName(), apiKey };
      return openLedger(system, directory, ledgerClient, openFile);
    },
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await service.stop?.();
    },
  };
}

/** Error: `ledger_not_writable`. */
async function openLedger(
  { clock }: System,
  directory: PrivateDirectory,
  client: LedgerClient,
  openFile: (directory: PrivateDirectory, schema: Schema) => Promise<Database>,
): Promise<Ledger> {
  const ledger = await import('./ledger/ledger.ts');
  directory.check();
  const parts = {
    open: (schema: Schema) => openFile(directory, schema),
    locks: await openRunLocks(directory),
    reserve: (bytes: number) => reserveSpace(needDirectory(directory.path), bytes),
    now: () => clock.now(),
  };
  return ledger.openLedger(parts, client);
}

async function openForWriting(directory: PrivateDirectory, schema: Schema): Promise<Database> {
  makePrivateDirectory(needDirectory(directory.path));
  return openPrivateDatabase(ledgerPath(directory), schema);
}

/** A read-only configuration directory, as in a container, is fine here: an empty ledger in memory replaces it. */
async function openForDryRun(directory: PrivateDirectory, schema: Schema): Promise<Database> {
  try {
    if (hasLedger(directory)) return await openPrivateDatabase(ledgerPath(directory), schema);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'configuration_not_writable') throw error;
    directory.warn(`The orders were not compared with earlier imports: ${error.message}`);
  }
  return openDatabase(':memory:', schema);
}

/** Error: `ledger_not_writable`. */
async function openHistory(directory: PrivateDirectory): Promise<RunHistory> {
  const { openRunHistory } = await import('./ledger/run-history.ts');
  directory.check();
  return openRunHistory({
    open: async (schema) =>
      hasLedger(directory) ? openPrivateDatabase(ledgerPath(directory), schema) : undefined,
    locks: await openRunLocks(directory),
  });
}

function hasLedger(directory: PrivateDirectory): boolean {
  return directory.path !== undefined && existsSync(ledgerPath(directory));
}

function ledgerPath({ path }: PrivateDirectory): string {
  return join(needDirectory(path), ownNames.ledger);
}

function openRunLocks({ path, warn }: PrivateDirectory) {
  return createRunLocks(path === undefined ? undefined : join(path, ownNames.runs), warn);
}
