import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PauseReason } from './api/pacing/admission.ts';
import type { AttemptPolicy } from './api/pacing/attempts.ts';
import type { RequestLimits } from './api/pacing/concurrency.ts';
import type { Connection } from './context.ts';
import { CliError } from './errors.ts';
import { checkKeyFor, labelOf, parseBaseUrl, resolveIdentity } from './identity.ts';
import type { Ledger, LedgerClient } from './ledger/ledger.ts';
import type { RunHistory } from './ledger/run-history.ts';
import type { SandboxHost } from './sandbox-host.ts';
import type { Settings } from './settings.ts';
import { makePrivateDirectory } from './system/files.ts';
import type { ProfileStore } from './system/profile-store.ts';
import { createRunLocks } from './system/run-locks.ts';
import { openDatabase, type Schema } from './system/sqlite.ts';
import type { System } from './system/system.ts';

export interface ConnectParts {
  settings: Settings;
  system: System;
  profiles: ProfileStore;
  sandbox: SandboxHost;
  version: string;
  trace(line: string): void;
}

export interface ConnectOptions {
  /** Waits for a failing service, up to `--max-outage`, instead of giving up after some attempts. */
  sitsOutOutages: boolean;
  /** How fast requests may leave; absent for as fast as they come. */
  limits?: RequestLimits;
  /** Aborted: begin nothing new, wait for nothing; absent for what only an interruption ends. */
  stopping?: AbortSignal;
  /** Called when no request is sent for some time. */
  onPause?: (milliseconds: number, reason: PauseReason) => void;
}

/** Opens the service from flags, environment and profile, or the embedded sandbox. */
export async function connect(parts: ConnectParts, options: ConnectOptions): Promise<Connection> {
  const { settings, profiles, sandbox } = parts;
  if (settings.sandbox) {
    const embedded = await sandbox.start({});
    const connection = await open(
      parts,
      options,
      embedded.baseUrl,
      embedded.apiKey,
      undefined,
      `sandbox ${embedded.identity}`,
    );
    return {
      ...connection,
      [Symbol.asyncDispose]: async () => {
        await connection[Symbol.asyncDispose]();
        await embedded.stop();
      },
    };
  }
  const identity = await resolveIdentity(settings, profiles);
  if (identity.apiKey === undefined) {
    throw new CliError(
      'no_key',
      `There is no API key for ${identity.baseUrl?.value ?? `profile ${identity.profile}`}.`,
      {
        hint: 'Run: merchant-orders login, or try everything out first with: --sandbox',
      },
    );
  }
  if (identity.baseUrl === undefined) {
    throw new CliError('usage', 'There is a key but no base URL.', {
      hint: 'Name the service with --base-url or MERCHANT_ORDERS_BASE_URL.',
    });
  }
  return open(parts, options, identity.baseUrl.value, identity.apiKey.value, identity.profile);
}

/**
 * Opens one service with one key; `service` is its name in the ledger.
 * Errors: `usage` for an address or key that cannot be used.
 */
export async function open(
  { settings, system, version, trace }: Omit<ConnectParts, 'profiles' | 'sandbox'>,
  { sitsOutOutages, limits, onPause, stopping }: ConnectOptions,
  address: string,
  apiKey: string,
  profile: string | undefined,
  service?: string,
): Promise<Connection> {
  const baseUrl = parseBaseUrl(address);
  checkKeyFor(baseUrl, apiKey);
  const [{ createTransport }, { createClient }, { nameSandbox, refuseSandbox }] = await Promise.all([
    import('./api/http/transport.ts'),
    import('./api/client.ts'),
    import('./api/sandbox-identity.ts'),
  ]);
  const label = labelOf(apiKey);
  if (label === 'LIVE') await refuseSandbox(baseUrl);
  const nameService = async () =>
    service ?? (label === 'SANDBOX' ? await nameSandbox(baseUrl) : baseUrl.origin);
  const policy: AttemptPolicy = {
    clock: system.clock,
    random: () => system.random(),
    timeoutMilliseconds: settings.timeoutMilliseconds,
    maxWaitMilliseconds: settings.maxWaitMilliseconds,
    maxOutageMilliseconds: settings.maxOutageMilliseconds,
    sitsOutOutages,
    ...(limits === undefined ? {} : { limits }),
    ...(onPause === undefined ? {} : { onPause }),
    stopping: stopping ?? system.interruption.stopping,
    leaving: system.interruption.leaving,
    trace,
  };
  const transport = createTransport({
    baseUrl,
    apiKey,
    userAgent: `merchant-orders/${version}`,
    env: system.env,
  });
  const client = createClient(transport, policy, baseUrl.origin);
  return {
    client,
    profile,
    baseUrl: address,
    label,
    openLedger: async () => openLedgerFor(system, { service: await nameService(), apiKey }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** One file holds the ledgers of all services. Error: `ledger_not_writable`. */
async function openLedgerFor(system: System, client: LedgerClient): Promise<Ledger> {
  const { openLedger } = await import('./ledger/ledger.ts');
  const { configDirectory, clock } = system;
  await makePrivateDirectory(configDirectory);
  const parts = {
    open: (schema: Schema) => openDatabase(ledgerPath(system), schema),
    locks: await openRunLocks(system),
    now: () => clock.now(),
  };
  return openLedger(parts, client);
}

/** The past imports of all services and keys. Error: `ledger_not_writable`. */
export async function openHistory(system: System): Promise<RunHistory> {
  const { openRunHistory } = await import('./ledger/run-history.ts');
  const path = ledgerPath(system);
  return openRunHistory({
    open: async (schema) => (existsSync(path) ? openDatabase(path, schema) : undefined),
    locks: await openRunLocks(system),
  });
}

function ledgerPath({ configDirectory }: System): string {
  return join(configDirectory, 'ledger.db');
}

function openRunLocks({ configDirectory }: System) {
  return createRunLocks(join(configDirectory, 'runs'));
}
