import { once } from 'node:events';
import { formatCommandLine, quote } from '../../advice/command-line.ts';
import { basePath, isLoopback } from '../../api/http/address.ts';
import type { Context } from '../../context.ts';
import { createStyle, streamColours } from '../../output/print.ts';
import { type EndedRequest, formatRequestLine } from '../../output/request-line.ts';

export interface StartFlags {
  port: number;
  host?: string;
  allowHost?: string[];
  db?: string;
  catalogue?: string;
  seed?: string;
  anySku?: boolean;
  latency?: number;
  behaviour?: string;
  apiKey?: string;
  readOnlyKey?: string;
  adminToken?: string;
}

export async function runStart(context: Context, flags: StartFlags): Promise<void> {
  const { sandbox, report, print, interruption, system } = context;
  const start = toStart(flags, system.env);
  const served = await sandbox.start({ ...start, onRequest: showRequests(context) });
  const { baseUrl, apiKey, readOnlyApiKey, adminToken, behaviour } = served;
  const database = start.databasePath ?? sandbox.databasePath;
  const page = `${baseUrl}/#token=${adminToken}`;
  report.started({
    service: 'SANDBOX',
    baseUrl,
    apiKey,
    readOnlyApiKey,
    adminToken,
    behaviour,
    database,
    page,
  });
  if (served.isSeedSkipped) {
    print.error(`warning: The seed was skipped: ${database} already has orders or customers.`);
  }
  for (const warning of warningsOf(start)) print.error(`warning: ${warning}`);
  // `note` would wrap them.
  print.styledNote(['', ...commandsToTry(served, system), '', 'Press Ctrl-C to stop it.'].join('\n'));
  if (!interruption.stopping.aborted) await once(interruption.stopping, 'abort');
  await served.stop(interruption.leaving);
  const kept = database === ':memory:' ? '' : ` Its orders are in ${database}.`;
  print.note(`The sandbox has stopped.${kept}`);
}

function showRequests({ system, settings, print }: Context): (request: EndedRequest) => void {
  const { err } = streamColours(system.env, system.terminal, settings.noColour);
  const width = system.terminal.stderr ? system.terminal.width : undefined;
  const look = { width, style: createStyle(err) };
  return (request) => print.styledNote(formatRequestLine(request, look));
}

function warningsOf({ host, allowHosts = [] }: StartOptions): string[] {
  const isOpen = host !== undefined && !isLoopback(host.includes(':') ? `[${host}]` : host);
  return [
    ...(isOpen
      ? [
          `The sandbox can be reached from other machines (--host ${host}). Anyone who has a key or the admin token can read and change its orders.`,
        ]
      : []),
    ...(allowHosts.length > 0 ? [`It accepts requests to ${allowHosts.join(', ')} too.`] : []),
  ];
}

type Start = Context['sandbox']['start'];
type StartOptions = Parameters<Start>[0];
type Served = Awaited<ReturnType<Start>>;

function commandsToTry({ baseUrl, apiKey, exampleSku }: Served, system: Context['system']): string[] {
  const { isWindows } = system;
  const order = `{"externalOrderId":"TRY-2","customer":{"phone":"99112233"},"items":[{"sku":"${exampleSku}"}],"collectionMode":"NONE"}`;
  const headers = [
    `Authorization: Bearer ${apiKey}`,
    // Some behaviours take only a UUID.
    'Idempotency-Key: 5f0e4c1a-7d2b-4e8f-9a63-1c0d5b7e9f24',
    'Content-Type: application/json',
  ];
  const curl = [
    ...['curl', quote(baseUrl + basePath)],
    ...headers.flatMap((header) => ['-H', quote(header)]),
    ...['-d', quote(order)],
  ].join(' ');
  const login = formatCommandLine(
    ['login', '--profile', 'sandbox', '--base-url', baseUrl, '--with-key'],
    system,
  );
  const create = ['create', '--profile', 'sandbox', '--external-order-id', 'TRY-1', '--phone', '99112233'];
  const commands = [
    ...(isLoopback(new URL(baseUrl).hostname)
      ? [
          `${isWindows ? 'echo' : 'printf %s'} ${apiKey} | ${login}`,
          formatCommandLine([...create, '--item', exampleSku, '--prepaid'], system),
        ]
      : []),
    // No quotes keep JSON intact in both cmd and PowerShell.
    ...(isWindows ? [] : [curl]),
  ];
  return ['Try it from another terminal:', ...commands.map((command) => `  ${command}`)];
}

function toStart(flags: StartFlags, env: Readonly<Record<string, string | undefined>>): StartOptions {
  const { host, allowHost, db, catalogue, seed, latency, readOnlyKey, ...others } = flags;
  const { apiKey, adminToken } = others;
  return {
    ...others,
    isPublic: true,
    host: host?.replace(/^\[(.*)\]$/, '$1'),
    allowHosts: allowHost,
    databasePath: db,
    cataloguePath: catalogue,
    seedPath: seed,
    latencyMs: latency,
    apiKey: apiKey ?? variable(env.MERCHANT_ORDERS_SANDBOX_API_KEY),
    readOnlyApiKey: readOnlyKey ?? variable(env.MERCHANT_ORDERS_SANDBOX_READ_ONLY_KEY),
    adminToken: adminToken ?? variable(env.MERCHANT_ORDERS_SANDBOX_ADMIN_TOKEN),
  };
}

function variable(value: string | undefined): string | undefined {
  return value?.trim() || undefined;
}
