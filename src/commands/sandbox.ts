import type { Command } from 'commander';
import type { Context, OpenContext } from '../context.ts';
import { CliError } from '../errors.ts';
import { explain, parseMilliseconds, parsePort } from '../flags.ts';
import { createStyle, streamColours } from '../output/colour.ts';
import { type EndedRequest, formatRequestLine } from '../output/request-line.ts';
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

/** One of the phone numbers that cause a fault in the sandbox. */
const demoPhone = '99000429';

const examples = `
Examples:
  $ merchant-orders import orders.csv --sandbox
  $ merchant-orders sandbox start --port 4010
  $ merchant-orders sandbox start --behaviour stripe-like
  $ merchant-orders sandbox info

The sandbox is a complete service on this machine for trying things out: its orders are never delivered.
Add --sandbox to any command to use it. To serve it to other programs, run sandbox start.`;

export function registerSandbox(command: Command, open: OpenContext): void {
  explain(command, examples);
  command
    .command('start')
    .description('serve the sandbox until it is stopped')
    .option('--port <port>', 'port on 127.0.0.1; 0 picks a free one', parsePort, 4010)
    .option('--db <file>', 'store the orders in this file, or in :memory:')
    .option('--catalogue <file>', 'products, as CSV or JSON')
    .option('--any-sku', 'accept every SKU')
    .option(
      '--behaviour <file>',
      'how the service behaves where its interface leaves it open: a JSON file, or a name such as stripe-like',
    )
    .option('--latency <ms>', 'delay every response by this many milliseconds', parseMilliseconds)
    .action(async (flags: StartFlags, self: Command) => runStart(await open(self), toStart(flags)));
  command
    .command('reset')
    .description('delete its orders and customers')
    .option('--db <file>', 'the sandbox in this file')
    .action(async ({ db }: DatabaseFlag, self: Command) => runReset(await open(self), db));
  command
    .command('info')
    .description('show its address, keys, database and contents')
    .option('--db <file>', 'the sandbox in this file')
    .action(async ({ db }: DatabaseFlag, self: Command) => runInfo(await open(self), db));
}

export async function runStart(context: Context, start: SandboxStart): Promise<void> {
  const { sandbox, report, print, interruption } = context;
  const served = await sandbox.start({ ...start, onRequest: showRequests(context) });
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
      `Some phone numbers cause a fault: for ${demoPhone} the first attempt gets status 429.`,
      'Press Ctrl-C to stop it.',
    ].join('\n'),
  );
  await new Promise<void>((resolve) => {
    if (interruption.stopping.aborted) resolve();
    interruption.stopping.addEventListener('abort', () => resolve(), { once: true });
  });
  await served.stop();
  const kept = database === ':memory:' ? '' : ` Its orders are in ${database}.`;
  throw new CliError('interrupted', `The sandbox has stopped.${kept}`);
}

/** Each request as one line on stderr. */
function showRequests({ system, settings, print }: Context): (request: EndedRequest) => void {
  const { err } = streamColours(system.env, system.terminal, settings.noColour);
  const width = system.terminal.stderr ? system.terminal.width : undefined;
  const look = { width, style: createStyle(err) };
  return (request) => print.styledNote(formatRequestLine(request, look));
}

export async function runReset({ sandbox, print }: Context, databasePath?: string): Promise<void> {
  await sandbox.reset(databasePath);
  print.note('The sandbox is empty now. Its keys and its catalogue are unchanged.');
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
    print.note('It is not being served. To serve it, run: merchant-orders sandbox start');
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
