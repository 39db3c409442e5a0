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

interface DatabaseFlag {
  db?: string;
}

/** One of those that the sandbox documents. */
const demoPhone = '99000429';

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
    .option('--db <file>', 'those in this file')
    .action(async ({ db }: DatabaseFlag, self: Command) => runReset(await open(self), db));
  command
    .command('info')
    .description('show its address, keys, database and contents')
    .option('--db <file>', 'of the one in this file')
    .action(async ({ db }: DatabaseFlag, self: Command) => runInfo(await open(self), db));
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
      `Orders for some phones meet with a fault, such as ${demoPhone}: the first attempt is answered 429.`,
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

export async function runReset({ sandbox, print }: Context, databasePath?: string): Promise<void> {
  await sandbox.reset(databasePath);
  print.note('The sandbox is empty; its keys and catalogue are as they were.');
}

export async function runInfo({ sandbox, report, print }: Context, databasePath?: string): Promise<void> {
  const described = await sandbox.describe(databasePath);
  const { baseUrl, apiKey, readOnlyApiKey, behaviour, identity, products, orders } = described;
  report.facts({
    service: 'SANDBOX',
    baseUrl: baseUrl ?? null,
    apiKey,
    readOnlyApiKey,
    behaviour,
    database: databasePath ?? sandbox.databasePath,
    catalogue: `${products} products`,
    orders,
    identity,
  });
  if (baseUrl === undefined) {
    print.note('It is served by: merchant-orders sandbox start; or inside each command that has --sandbox.');
  }
}

function toStart({ port, db, catalogue, anySku, latency, behaviour }: StartFlags): SandboxStart {
  return {
    port,
    isPublic: true,
    ...(db === undefined ? {} : { databasePath: db }),
    ...(catalogue === undefined ? {} : { cataloguePath: catalogue }),
    ...(anySku === undefined ? {} : { anySku }),
    ...(behaviour === undefined ? {} : { behaviour }),
    ...(latency === undefined ? {} : { latencyMilliseconds: latency }),
  };
}
