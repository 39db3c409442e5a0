import type { Command } from 'commander';
import { advice, command } from '../../advice/advice.ts';
import type { Context, OpenContext } from '../../context.ts';
import { collect, explain, parseMilliseconds, parsePort } from '../../flags.ts';

interface DatabaseFlag {
  db?: string;
}

interface ResetFlags extends DatabaseFlag {
  everything?: boolean;
}

const examples = `
Examples:
  $ merchant-orders import orders.csv --sandbox
  $ merchant-orders sandbox start --port 4010
  $ merchant-orders sandbox start --behaviour stripe-like
  $ merchant-orders sandbox info

The sandbox is a complete service on this machine for trying things out: its orders are never delivered.
Add --sandbox to any command to use it. To serve it to other programs, run sandbox start.`;

const startExamples = `
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

export function registerSandbox(command: Command, open: OpenContext): void {
  explain(command, examples);
  registerStart(command.command('start'), open);
  command
    .command('reset')
    .description('delete its orders and customers')
    .option('--db <file>', 'the sandbox in this file')
    .option('--everything', 'also remove added keys and restore the built-in catalogue')
    .action(async (flags: ResetFlags, self: Command) => runReset(await open(self), flags));
  command
    .command('info')
    .description('show its address, keys, database and contents')
    .option('--db <file>', 'the sandbox in this file')
    .action(async ({ db }: DatabaseFlag, self: Command) => runInfo(await open(self), db));
  command
    .command('behaviours')
    .description('list the named behaviours for sandbox start --behaviour')
    .action(async (_flags: unknown, self: Command) => runBehaviours(await open(self)));
}

function registerStart(command: Command, open: OpenContext): void {
  explain(command.description('serve the sandbox until it is stopped'), startExamples)
    .option('--port <port>', 'port to listen on; 0 picks a free one', parsePort, 4010)
    .option('--db <file>', 'store the orders in this file, or in :memory:')
    .option('--catalogue <file>', 'products, as CSV or JSON')
    .option('--seed <file>', 'customers, products and orders that an empty database starts with, as JSON')
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
    .action(async (flags, self: Command) => (await import('./start.ts')).runStart(await open(self), flags));
}

async function runReset({ sandbox, print }: Context, { db, everything = false }: ResetFlags): Promise<void> {
  await sandbox.reset(db, { everything });
  const { servers } = everything ? await sandbox.describe(db) : { servers: [] };
  print.note(
    everything
      ? 'The sandbox is empty now. It has the built-in catalogue again, and its only keys are those that sandbox info shows.'
      : 'The sandbox is empty now. Its keys and its catalogue are unchanged.',
  );
  if (servers.length > 0) {
    const addresses = servers.map(({ baseUrl }) => baseUrl).join(' and ');
    print.error(
      `warning: It is being served at ${addresses}. Faults, a behaviour and a time that were set there stay: ` +
        'to reset them too, restart it, or send POST /_sandbox/reset with {"everything": true}.',
    );
  }
}

async function runInfo({ sandbox, report, print }: Context, databasePath?: string): Promise<void> {
  const described = await sandbox.describe(databasePath);
  const { servers, apiKey, readOnlyApiKey, identity, products, orders } = described;
  const [newest] = servers;
  report.facts({
    service: 'SANDBOX',
    baseUrl: newest?.baseUrl ?? null,
    apiKey,
    readOnlyApiKey,
    behaviour: newest?.behaviour ?? 'default',
    database: databasePath ?? sandbox.databasePath,
    catalogue: `${products} products`,
    orders,
    identity,
    servers,
  });
  if (newest === undefined) {
    print.note(advice`It is not being served. To serve it, run: ${command('sandbox', 'start')}`);
  }
}

async function runBehaviours({ sandbox, report, print }: Context): Promise<void> {
  report.records('behaviours', await sandbox.behaviours(), ['name', 'description']);
  print.note(advice`To use one, run: ${command('sandbox', 'start', '--behaviour', 'NAME')}`);
}
