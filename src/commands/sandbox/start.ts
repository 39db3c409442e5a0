import { once } from 'node:events';
import type { Command } from 'commander';
import { basePath, isLoopback } from '../../api/http/address.ts';
import type { Context, OpenContext } from '../../context.ts';
import { collect, explain, parseMilliseconds, parsePort } from '../../flags.ts';
import { createStyle, streamColours } from '../../output/colour.ts';
import { type EndedRequest, formatRequestLine } from '../../output/request-line.ts';
import type { SandboxHost, SandboxStart } from '../../sandbox-host.ts';

interface StartFlags {
  port: number;
  host?: string;
  allowHost?: string[];
  db?: string;
  catalogue?: string;
  anySku?: boolean;
  latency?: number;
  behaviour?: string;
  apiKey?: string;
  readOnlyKey?: string;
  adminToken?: string;
}

const examples = `
Examples:
  $ merchant-orders sandbox start
  $ merchant-orders sandbox start --behaviour stripe-like --latency 200
  $ merchant-orders sandbox start --api-key sandbox_local
  $ merchant-orders sandbox start --host 0.0.0.0 --allow-host sandbox

Orders, keys and products are kept in a database: sandbox.db in the
configuration directory, which sandbox info names, or the file of --db.

The keys and the admin token can be chosen. Each begins with sandbox_, and a key
stays in the database. They can also be set in the environment:
MERCHANT_ORDERS_SANDBOX_API_KEY, MERCHANT_ORDERS_SANDBOX_READ_ONLY_KEY and
MERCHANT_ORDERS_SANDBOX_ADMIN_TOKEN.

Orders for these phones show what happens when something goes wrong:
  99000000  belongs to two customers: the order is rejected as ambiguous
  99000429  the response to the first attempt is 429 with Retry-After: 2
  99000504  the first attempt creates the order, and its response is 504
  99000500  the first attempt creates the order, and the connection is reset
  99000003  every response is delayed by 3 seconds`;

export function registerStart(command: Command, open: OpenContext): void {
  explain(command.description('serve the sandbox until it is stopped'), examples)
    .option('--port <port>', 'port to listen on; 0 picks a free one', parsePort, 4010)
    .option('--db <file>', 'store the orders in this file, or in :memory:')
    .option('--catalogue <file>', 'products, as CSV or JSON')
    .option('--any-sku', 'accept every SKU')
    .option(
      '--behaviour <file>',
      'how the service behaves where its interface leaves it open: a JSON file, or a name such as stripe-like',
    )
    .option('--latency <ms>', 'delay every response by this many milliseconds', parseMilliseconds)
    .option('--api-key <key>', 'the API key (default: the one in the database)')
    .option('--read-only-key <key>', 'the read-only API key (default: the one in the database)')
    .option('--admin-token <token>', 'the token of the admin API (default: a new one)')
    .option(
      '--host <address>',
      'IP address to listen on, such as 0.0.0.0 in a container; other machines can reach it (default: 127.0.0.1)',
    )
    .option(
      '--allow-host <name>',
      'accept requests to this host name too, not only to localhost; repeatable',
      collect,
    )
    .action(async (flags: StartFlags, self: Command) => {
      const context = await open(self);
      await runStart(context, toStart(flags, context.system.env));
    });
}

async function runStart(context: Context, start: SandboxStart): Promise<void> {
  const { sandbox, report, print, interruption } = context;
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
  for (const warning of warningsOf(start)) print.error(`warning: ${warning}`);
  print.note(['', ...commandsToTry(served), '', 'Press Ctrl-C to stop it.'].join('\n'));
  if (!interruption.stopping.aborted) await once(interruption.stopping, 'abort');
  await served.stop(interruption.leaving);
  const kept = database === ':memory:' ? '' : ` Its orders are in ${database}.`;
  print.note(`The sandbox has stopped.${kept}`);
}

/** Each request as one line on stderr. */
function showRequests({ system, settings, print }: Context): (request: EndedRequest) => void {
  const { err } = streamColours(system.env, system.terminal, settings.noColour);
  const width = system.terminal.stderr ? system.terminal.width : undefined;
  const look = { width, style: createStyle(err) };
  return (request) => print.styledNote(formatRequestLine(request, look));
}

function warningsOf({ host, allowHosts = [] }: SandboxStart): string[] {
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

type Served = Awaited<ReturnType<SandboxHost['start']>>;

/** Ready to paste into bash. */
function commandsToTry({ baseUrl, apiKey, exampleSku }: Served): string[] {
  const order = `{"externalOrderId":"TRY-2","customer":{"phone":"99112233"},"items":[{"sku":"${exampleSku}"}],"collectionMode":"NONE"}`;
  const curl = [
    `  curl ${baseUrl}${basePath} \\`,
    `    -H 'Authorization: Bearer ${apiKey}' -H 'Idempotency-Key: try-2' \\`,
    `    -H 'Content-Type: application/json' -d '${order}'`,
  ];
  if (!isLoopback(new URL(baseUrl).hostname)) return ['Try it from another terminal:', ...curl];
  return [
    'Try it from another terminal:',
    `  printf %s ${apiKey} | merchant-orders login --profile sandbox --base-url ${baseUrl} --with-key`,
    `  merchant-orders create --profile sandbox --external-order-id TRY-1 --phone 99112233 --item ${exampleSku} --prepaid`,
    ...curl,
  ];
}

function toStart(flags: StartFlags, env: Readonly<Record<string, string | undefined>>): SandboxStart {
  const { port, host, allowHost, db, catalogue, anySku, latency, behaviour } = flags;
  const apiKey = flags.apiKey ?? variable(env.MERCHANT_ORDERS_SANDBOX_API_KEY);
  const readOnlyApiKey = flags.readOnlyKey ?? variable(env.MERCHANT_ORDERS_SANDBOX_READ_ONLY_KEY);
  const adminToken = flags.adminToken ?? variable(env.MERCHANT_ORDERS_SANDBOX_ADMIN_TOKEN);
  return {
    port,
    isPublic: true,
    ...(host === undefined ? {} : { host: host.replace(/^\[(.*)\]$/, '$1') }),
    ...(allowHost === undefined ? {} : { allowHosts: allowHost }),
    ...(db === undefined ? {} : { databasePath: db }),
    ...(catalogue === undefined ? {} : { cataloguePath: catalogue }),
    ...(anySku === undefined ? {} : { anySku }),
    ...(behaviour === undefined ? {} : { behaviour }),
    ...(latency === undefined ? {} : { latencyMs: latency }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(readOnlyApiKey === undefined ? {} : { readOnlyApiKey }),
    ...(adminToken === undefined ? {} : { adminToken }),
  };
}

function variable(value: string | undefined): string | undefined {
  return value?.trim() || undefined;
}
