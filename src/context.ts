import type { Command } from 'commander';
import type { ApiClient } from './api/client.ts';
import type { HttpRequest } from './api/http/transport.ts';
import type { RequestLimits } from './api/pacing/concurrency.ts';
import type { Identity } from './identity.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { RunHistory } from './ledger/run-history.ts';
import type { Print } from './output/print.ts';
import type { Reporter, RequestPreview } from './output/reporter.ts';
import type { StatusLine } from './output/status-line.ts';
import type { SandboxHost } from './sandbox-host.ts';
import type { Settings } from './settings.ts';
import type { Prompts } from './system/prompts/prompts.ts';
import type { Interruption } from './system/shell.ts';
import type { MappingStore, ProfileStore, SkuStore } from './system/stores/profile-store.ts';
import type { Clock, System } from './system/system.ts';

export interface ConnectOptions {
  /** Waits for a failing service instead of giving up after some attempts. Such a command shows its progress. */
  waitsForOutages: boolean;
  /** The flags of `import`; absent for a command that has none. */
  waits?: { maxWait?: number; maxOutage?: number };
  /** All requests have one `--timeout`; otherwise each order or page has its own. */
  isOneOrder?: boolean;
  /** The limits on requests; absent for none. */
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
  /** The orders that this machine sent there; empty, and not created, for a dry run that cannot open it. Error: `ledger_not_writable`. */
  openLedger(options?: { isDryRun: boolean }): Promise<Ledger>;
}

/** Everything a command may use. What is expensive or can fail is a function. */
export interface Context {
  settings: Settings;
  system: System;
  clock: Clock;
  interruption: Interruption;
  print: Print;
  report: Reporter;
  status: StatusLine;
  profiles: ProfileStore;
  mappings: MappingStore;
  skus: SkuStore;
  sandbox: SandboxHost;
  /** Undefined without a terminal, or with `--no-input`. */
  prompts: Prompts | undefined;
  /** The service and key from flags, environment and profile. Error: `configuration_invalid`. */
  identity(): Promise<Identity>;
  /** Opens that service, or the embedded sandbox; without options, for a command about one order. Errors: `no_key`, `usage`, `configuration_invalid`. */
  connect(options?: ConnectOptions): Promise<Connection>;
  /** A request as it would be sent, for `--dry-run`; needs neither a key nor a service. */
  describe(request: HttpRequest): Promise<RequestPreview>;
  /** Whether this machine may have sent orders before. */
  hasLedger(): boolean;
  /** The imports of this machine, of all services and keys. Error: `ledger_not_writable`. */
  history(): Promise<RunHistory>;
  /** Opens a service with a key that is not stored. Error: `usage`. */
  connectTo(baseUrl: string, apiKey: string): Promise<Connection>;
}

/** Creates the context of a command from its flags. Error: `usage` for flags that contradict each other. */
export type OpenContext = (command: Command) => Promise<Context>;
