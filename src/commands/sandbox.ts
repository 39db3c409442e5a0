import type { Command } from 'commander';
import type { Context, OpenContext } from '../context.ts';
import { CliError } from '../errors.ts';
import { parseMilliseconds, parsePort } from '../flags.ts';
import type { SandboxStart } from '../sandbox-host.ts';

interface StartFlags {
  port: number;
  db?: string;
  catalogue?: string;
  anySku?: boolean;
  latency?: number;
  behaviour?: string;
}

const examples = `
The sandbox is the whole service on this machine, for rehearsing: nothing it creates is delivered.
Any command uses it with --sandbox; sandbox start serves it to other programs.

Examples:
  $ merchant-orders import orders.csv --sandbox
  $ merchant-orders sandbox start --port 4010
  $ merchant-orders sandbox start --behaviour stripe-like
  $ merchant-orders sandbox info`;

export function registerSandbox(command: Command, open: OpenContext): void {
  command.addHelpText('after', examples);
  command
    .command('start')
    .description('serve until stopped')
    .option('--port <port>', 'the port on 127.0.0.1; 0 takes a free one', parsePort, 4010)
    .option('--db <file>', 'keep the orders in this file, or :memory:')
    .option('--catalogue <file>', 'the products, as CSV or JSON')
    .option('--any-sku', 'every SKU is known and active')
    .option(
      '--behaviour <file>',
      'what the interface leaves open: a JSON file, or a name such as stripe-like',
    )
    .option('--latency <ms>', 'answer this much later', parseMilliseconds)
    .action(async (flags: StartFlags, self: Command) => runStart(await open(self), toStart(flags)));
  command
    .command('reset')
    .description('forget its orders and customers')
    .action(async (_flags: unknown, self: Command) => runReset(await open(self)));
  command
    .command('info')
    .description('show its database, keys and contents')
    .action(async (_flags: unknown, self: Command) => runInfo(await open(self)));
}

export async function runStart(context: Context, start: SandboxStart): Promise<void> {
  const { sandbox, report, print, interruption } = context;
  const served = await sandbox.start(start);
  const { baseUrl, apiKey, readOnlyApiKey, adminToken, behaviour } = served;
  const database = start.databasePath ?? sandbox.databasePath;
  report.facts({ service: 'SANDBOX', baseUrl, apiKey, readOnlyApiKey, adminToken, behaviour, database });
  print.note(
    [
      '',
      'Try it from another terminal:',
      `  printf %s ${apiKey} | merchant-orders login --profile sandbox --base-url ${baseUrl} --with-key`,
      '  merchant-orders create --profile sandbox --external-order-id TRY-1 --phone 99112233 --item TEA-001 --prepaid',
      '',
      'Ctrl-C stops it.',
    ].join('\n'),
  );
  await new Promise<void>((resolve) => {
    if (interruption.stopping.aborted) resolve();
    interruption.stopping.addEventListener('abort', () => resolve(), { once: true });
  });
  await served.stop();
  const kept = database === ':memory:' ? '' : ` Its orders are kept in ${database}.`;
  throw new CliError('interrupted', `The sandbox has stopped.${kept}`);
}

export async function runReset({ sandbox, print }: Context): Promise<void> {
  await sandbox.reset();
  print.note('The sandbox is empty; its keys and catalogue are as they were.');
}

export async function runInfo({ sandbox, report }: Context): Promise<void> {
  const { apiKey, readOnlyApiKey, identity, products, orders } = await sandbox.describe();
  report.facts({
    service: 'SANDBOX',
    address: 'inside each command that has --sandbox; sandbox start serves it',
    apiKey,
    readOnlyApiKey,
    behaviour: 'default',
    database: sandbox.databasePath,
    catalogue: `${products} products`,
    orders,
    identity,
  });
}

function toStart({ port, db, catalogue, anySku, latency, behaviour }: StartFlags): SandboxStart {
  return {
    port,
    ...(db === undefined ? {} : { databasePath: db }),
    ...(catalogue === undefined ? {} : { cataloguePath: catalogue }),
    ...(anySku === undefined ? {} : { anySku }),
    ...(behaviour === undefined ? {} : { behaviour }),
    ...(latency === undefined ? {} : { latencyMilliseconds: latency }),
  };
}
