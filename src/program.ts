import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import type { OpenContext } from './context.ts';
import { parseNames, parseSeconds } from './flags.ts';
import { formats } from './output/reporter.ts';

type Register = (command: Command, open: OpenContext) => void;

interface CommandEntry {
  name: string;
  summary: string;
  load(): Promise<Register>;
}

/** The commands in the order in which help lists them; one is loaded only when its name is on the command line. */
const commands: readonly CommandEntry[] = [
  {
    name: 'create',
    summary: 'create one order',
    load: async () => (await import('./commands/create/create.ts')).registerCreate,
  },
  {
    name: 'import',
    summary: 'create the orders of a CSV file, each exactly once',
    load: async () => (await import('./commands/import/import.ts')).registerImport,
  },
  {
    name: 'get',
    summary: 'show one order',
    load: async () => (await import('./commands/get.ts')).registerGet,
  },
  {
    name: 'list',
    summary: 'list orders',
    load: async () => (await import('./commands/list.ts')).registerList,
  },
  {
    name: 'cancel',
    summary: 'cancel orders, with a reason',
    load: async () => (await import('./commands/cancel/cancel.ts')).registerCancel,
  },
  {
    name: 'login',
    summary: 'store the API key of a service',
    load: async () => (await import('./commands/login.ts')).registerLogin,
  },
  {
    name: 'logout',
    summary: 'remove a stored API key',
    load: async () => (await import('./commands/logout.ts')).registerLogout,
  },
  {
    name: 'whoami',
    summary: 'show which service and key are used',
    load: async () => (await import('./commands/whoami.ts')).registerWhoami,
  },
  {
    name: 'sandbox',
    summary: 'run the whole service on this machine',
    load: async () => (await import('./commands/sandbox.ts')).registerSandbox,
  },
  {
    name: 'imports',
    summary: 'show past imports, and settle what they left open',
    load: async () => (await import('./commands/imports/imports.ts')).registerImports,
  },
];

const closing = `
Exit codes: 0 done, 1 bug, 2 nothing was sent, 3 no such order, 4 key, 5 refused, 6 some orders failed,
7 service not reached, 8 outcome unknown, 130 interrupted.

Try it without a key:
  $ merchant-orders import fixtures/orders.csv --sandbox
  $ merchant-orders list --sandbox`;

export async function createProgram(
  args: readonly string[],
  packageRoot: URL,
  open: OpenContext,
  output: { data(text: string): void; note(text: string): void },
): Promise<Command> {
  const program = new Command('merchant-orders')
    .description('Delivery orders from the command line: each checked first and created exactly once.')
    .version(readVersion(packageRoot), '-V, --version')
    .helpCommand('help [command]', 'show help for a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.data(text.trimEnd()),
      writeErr: (text) => output.note(text.trimEnd()),
      outputError: () => undefined,
    })
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', closing);
  addGlobalFlags(program);
  for (const { name, summary, load } of commands) {
    const command = program.command(name).description(summary);
    if (args.includes(name)) (await load())(command, open);
  }
  return program;
}

export function readVersion(packageRoot: URL): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as {
    version: string;
  };
  return version;
}

function addGlobalFlags(program: Command): void {
  program
    .option('-p, --profile <name>', 'use the service and key stored under this name')
    .option('--base-url <url>', 'the address of the service')
    .option('--sandbox', 'use the service inside this program instead of the real one')
    .addOption(new Option('--format <format>', 'how data is written (default: table)').choices(formats))
    .option('--json', 'the same as --format json')
    .option('--columns <names>', 'fields to show, such as id,customer.phone', parseNames)
    .option('--no-header', 'leave the header line away')
    .option('-q, --quiet', 'write data only')
    .option('-v, --verbose', 'show every request, answer, retry and wait')
    .option('--no-color', 'no colours')
    .option('--no-input', 'never ask')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--timeout <seconds>', 'the longest for one order or page (default: 60)', parseSeconds)
    .option('--max-wait <seconds>', 'the longest wait the service may ask for (default: 300)', parseSeconds)
    .option('--max-outage <seconds>', 'import: the longest outage to sit out (default: 900)', parseSeconds);
}
