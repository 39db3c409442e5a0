import type { Command } from 'commander';
import type { ApiClient } from './api/client.ts';
import type { HttpRequest } from './api/http/transport.ts';
import type { ConnectOptions } from './connect.ts';
import type { Identity } from './identity.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { RunHistory } from './ledger/run-history.ts';
import type { Print } from './output/print.ts';
import type { Reporter, RequestPreview } from './output/reporter.ts';
import type { SandboxHost } from './sandbox-host.ts';
import type { Settings } from './settings.ts';
import type { Clock } from './system/clock.ts';
import type { Interruption } from './system/interruption.ts';
import type { ProfileStore } from './system/profile-store.ts';
import type { Prompts } from './system/prompts.ts';
import type { System } from './system/system.ts';

/** A service that orders go to; disposing of it closes what was opened for it. */
export interface Connection extends AsyncDisposable {
  client: ApiClient;
  /** Undefined for the embedded sandbox. */
  profile: string | undefined;
  baseUrl: string;
  label: 'LIVE' | 'SANDBOX';
  /** What was sent there from this machine. Error: `ledger_not_writable`. */
  openLedger(): Promise<Ledger>;
}

/** All that a command may use. What is costly or can fail is a function. */
export interface Context {
  settings: Settings;
  system: System;
  clock: Clock;
  interruption: Interruption;
  print: Print;
  report: Reporter;
  profiles: ProfileStore;
  sandbox: SandboxHost;
  /** Undefined when nobody is there to answer: no terminal, or `--no-input`. */
  prompts: Prompts | undefined;
  /** Which service and key the flags, the environment and the profile name. Error: `configuration_invalid`. */
  identity(): Promise<Identity>;
  /** Opens that service, or the embedded sandbox. Errors: `no_key`, `usage`, `configuration_invalid`. */
  connect(options?: ConnectOptions): Promise<Connection>;
  /** A request as it would leave, for `--dry-run`; needs neither a key nor a service. */
  describe(request: HttpRequest): Promise<RequestPreview>;
  /** The imports of this machine, of all services and keys. Error: `ledger_not_writable`. */
  history(): Promise<RunHistory>;
  /** Opens a service with a key that is not stored yet. Error: `usage`. */
  connectTo(baseUrl: string, apiKey: string): Promise<Connection>;
}

/** Opens what a command may use, from the flags of its command line. Errors: `usage` for flags that contradict. */
export type OpenContext = (command: Command) => Promise<Context>;
