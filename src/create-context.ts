import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { advice, command, type Piece } from './advice/advice.ts';
import { basePath, ordersUrl } from './api/http/address.ts';
import type { AttemptPolicy, TimeLeft } from './api/pacing/attempts.ts';
import type { Connection, ConnectOptions, Context } from './context.ts';
import { CliError } from './errors.ts';
import {
  checkBaseUrl,
  checkKeyFor,
  type Identity,
  labelOf,
  parseBaseUrl,
  resolveIdentity,
} from './identity.ts';
import type { Ledger, LedgerClient } from './ledger/ledger.ts';
import type { RunHistory } from './ledger/run-history.ts';
import { streamColours } from './output/colour.ts';
import { createPrint } from './output/print.ts';
import { createReporter } from './output/reporters.ts';
import { createStatusLine, type StatusLine } from './output/status-line.ts';
import { wrapLine } from './output/wrapped-text.ts';
import type { Redaction } from './redact.ts';
import { createSandboxHost, type SandboxHost } from './sandbox-host.ts';
import { type GlobalFlags, isOn, resolveSettings, type Settings } from './settings.ts';
import { ownNames } from './system/files.ts';
import {
  createPrivateDirectory,
  makePrivateDirectory,
  needDirectory,
  type PrivateDirectory,
} from './system/private-files.ts';
import { createPlainPrompts } from './system/prompts/plain-prompts.ts';
import { createRunLocks } from './system/run-locks.ts';
import { type Database, openDatabase, openPrivateDatabase, type Schema } from './system/sqlite.ts';
import {
  createMappingStore,
  createProfileStore,
  createSkuStore,
  type ProfileStore,
} from './system/stores/profile-store.ts';
import type { System } from './system/system.ts';
import { reserveSpace } from './system/temporary-file.ts';
import { readVersion } from './version.ts';

const forOneOrder: ConnectOptions = { waitsForOutages: false, isOneOrder: true };

/** `redaction` learns the key of the command. */
export function createContext(system: System, flags: GlobalFlags, redaction: Redaction): Context {
  const settings = resolveSettings(flags, system.env);
  // One in the environment may be meant for other commands.
  if (settings.baseUrl?.source === 'flag') checkBaseUrl(settings.baseUrl);
  const { terminal, clock, interruption } = system;
  const colour = streamColours(system.env, terminal, settings.noColour);
  const wrapNote = (line: readonly Piece[]) => wrapLine(line, terminal.width);
  const print = createPrint({
    ...system,
    ...redaction,
    quiet: settings.quiet,
    colour,
    ...(terminal.stderr ? { wrapNote } : {}),
  });
  const report = createReporter({
    format: settings.format,
    print,
    ...(settings.columns === undefined ? {} : { columns: settings.columns }),
    header: settings.header,
    terminal: { isTerminal: terminal.stdout, width: terminal.width, colour: colour.out },
  });
  const directory = createPrivateDirectory(system.configDirectory, (text) =>
    print.note(advice`warning: ${text}`),
  );
  const profiles = createProfileStore(directory);
  const sandbox = createSandboxHost(system);
  const trace = (line: string) => (settings.verbose ? print.note(line) : undefined);
  const status = createStatusLine({ system, clock, settings, interruption, print });
  const parts = {
    status,
    redaction,
    settings,
    system,
    directory,
    profiles,
    sandbox,
    version: readVersion(system.packageRoot),
    trace,
  };
  const canAsk = terminal.stdin && terminal.stderr && !settings.noInput && system.env.TERM !== 'dumb';
  return {
    settings,
    system,
    clock,
    interruption,
    print,
    report,
    status,
    profiles,
    mappings: createMappingStore(directory),
    skus: createSkuStore(directory),
    sandbox,
    prompts: canAsk ? promptsFor(system, settings) : undefined,
    identity: () => identify(parts),
    connect: (options = forOneOrder) => connect(parts, options),
    describe: async (request) => {
      const { baseUrl } = settings.sandbox ? {} : await identityInForce(parts);
      const address = baseUrl === undefined ? undefined : ordersUrl(parseBaseUrl(baseUrl.value)).href;
      const { describeRequest } = await import('./api/requests.ts');
      return describeRequest(request, address ?? `{base_url}${basePath}`);
    },
    hasLedger: () => hasLedger(directory),
    history: () => openHistory(directory),
    connectTo: (baseUrl, apiKey) => open(parts, forOneOrder, baseUrl, apiKey, undefined),
  };
}

function promptsFor({ stdin, stderr, prompts }: System, { isPlain }: Settings): System['prompts'] {
  return isPlain ? createPlainPrompts(stdin, stderr) : prompts;
}

async function identify({ settings, profiles, redaction }: ConnectParts): Promise<Identity> {
  const identity = await resolveIdentity(settings, profiles);
  if (identity.apiKey !== undefined) redaction.add(identity.apiKey.value);
  return identity;
}

async function identityInForce(parts: ConnectParts): Promise<Identity> {
  const identity = await identify(parts);
  if (identity.conflict !== undefined) throw identity.conflict;
  return identity;
}

interface ConnectParts {
  status: StatusLine;
  redaction: Redaction;
  settings: Settings;
  system: System;
  directory: PrivateDirectory;
  profiles: ProfileStore;
  sandbox: SandboxHost;
  version: string;
  trace(line: string): void;
}

async function connect(parts: ConnectParts, options: ConnectOptions): Promise<Connection> {
  const { settings, sandbox } = parts;
  if (settings.sandbox) {
    const embedded = await sandbox.start({});
    const { baseUrl, apiKey, identity } = embedded;
    const connection = await open(parts, options, baseUrl, apiKey, undefined, `sandbox ${identity}`);
    return {
      ...connection,
      [Symbol.asyncDispose]: async () => {
        await connection[Symbol.asyncDispose]();
        await embedded.stop();
      },
    };
  }
  const identity = await identityInForce(parts);
  if (identity.apiKey === undefined) {
    const service = identity.baseUrl?.value ?? `profile ${identity.profile}`;
    throw new CliError('no_key', `There is no API key for ${service}.`, {
      hint: advice`Run: ${command('login')}, or try everything out first with: --sandbox`,
    });
  }
  if (identity.baseUrl === undefined) {
    throw new CliError('usage', 'There is a key but no base URL.', {
      hint: 'Name the service with --base-url or MERCHANT_ORDERS_BASE_URL.',
    });
  }
  return open(parts, options, identity.baseUrl.value, identity.apiKey.value, identity.profile);
}

/** `service` is its name in the ledger. Error: `usage` for an address or key that cannot be used. */
async function open(
  parts: Omit<ConnectParts, 'profiles' | 'sandbox'>,
  { waitsForOutages, waits, isOneOrder, limits, stopping }: ConnectOptions,
  address: string,
  apiKey: string,
  profile: string | undefined,
  service?: string,
): Promise<Connection> {
  const { redaction, settings, system, directory, version, trace, status } = parts;
  redaction.add(apiKey);
  const baseUrl = parseBaseUrl(address);
  checkKeyFor(baseUrl, apiKey);
  const [{ createTransport }, { createClient }, { nameSandbox, ensureNotSandbox }] = await Promise.all([
    import('./api/http/transport.ts'),
    import('./api/client.ts'),
    import('./api/sandbox-identity.ts'),
  ]);
  const label = labelOf(apiKey);
  const time: TimeLeft = { milliseconds: settings.timeoutMilliseconds };
  // Where outages are waited out, progress is shown, and its pauses.
  const watch = waitsForOutages || isOn(system.env.CI) ? undefined : status;
  const during = <Result>(work: () => Promise<Result>) => watch?.during(work) ?? work();
  if (label === 'LIVE') await during(() => ensureNotSandbox(baseUrl, time));
  const nameService = async () =>
    service ?? (label === 'SANDBOX' ? await during(() => nameSandbox(baseUrl, time)) : baseUrl.origin);
  const policy: AttemptPolicy = {
    clock: system.clock,
    random: () => system.random(),
    timeoutMilliseconds: settings.timeoutMilliseconds,
    maxWaitMilliseconds: (waits?.maxWait ?? 300) * 1000,
    maxOutageMilliseconds: (waits?.maxOutage ?? 900) * 1000,
    hasWaitFlags: waits !== undefined,
    waitsForOutages,
    ...(limits === undefined ? {} : { limits }),
    ...(waitsForOutages
      ? { onPause: (milliseconds, reason) => status.pause(milliseconds, reason === 'server_requested') }
      : {}),
    stopping: stopping ?? system.interruption.stopping,
    leaving: system.interruption.leaving,
    trace,
    ...(watch === undefined ? {} : { watch }),
  };
  const userAgent = `merchant-orders/${version}`;
  const transport = createTransport({ baseUrl, apiKey, userAgent, env: system.env });
  const client = createClient(transport, policy, baseUrl.origin);
  return {
    client: isOneOrder ? client.forOneOrder(time) : client,
    profile,
    baseUrl: address,
    label,
    openLedger: async ({ isDryRun } = { isDryRun: false }) => {
      const openFile = isDryRun ? openForDryRun : openForWriting;
      const client = { service: await nameService(), apiKey };
      return openLedgerFor(system, directory, client, (schema) => openFile(directory, schema));
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** One file holds the ledgers of all services. Error: `ledger_not_writable`. */
async function openLedgerFor(
  { clock }: System,
  directory: PrivateDirectory,
  client: LedgerClient,
  open: (schema: Schema) => Promise<Database>,
): Promise<Ledger> {
  const { openLedger } = await import('./ledger/ledger.ts');
  directory.check();
  const parts = {
    open,
    locks: await openRunLocks(directory),
    reserve: (bytes: number) => reserveSpace(needDirectory(directory.path), bytes),
    now: () => clock.now(),
  };
  return openLedger(parts, client);
}

async function openForWriting(directory: PrivateDirectory, schema: Schema): Promise<Database> {
  makePrivateDirectory(needDirectory(directory.path));
  return openPrivateDatabase(ledgerPath(directory), schema);
}

/** A mounted configuration may be read-only; an empty ledger then takes the place of the one that cannot be opened. */
async function openForDryRun(directory: PrivateDirectory, schema: Schema): Promise<Database> {
  try {
    if (hasLedger(directory)) return await openPrivateDatabase(ledgerPath(directory), schema);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'configuration_not_writable') throw error;
    directory.warn(`The orders were not compared with earlier imports: ${error.message}`);
  }
  return openDatabase(':memory:', schema);
}

/** The past imports of all services and keys. Error: `ledger_not_writable`. */
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
