import { Command, Option } from 'commander';
import { type Say, t } from './advice/advice.ts';
import type { OpenContext } from './context.ts';
import { CliError } from './errors.ts';
import { parseNames, parseSeconds } from './flags.ts';
import { type PackageFiles, readVersion } from './package-files.ts';
import { defaultTimeoutSeconds, formats } from './settings.ts';

/** `isWhole`: whether its help is to have all its flags. */
type Register = (command: Command, open: OpenContext, isWhole: boolean) => void;

interface CommandEntry {
  name: string;
  summary: string;
  load(): Promise<Register>;
}

const machineGroup = 'This machine:';

/** In the order of the help. A command is loaded only when its name is on the command line, or on the one to complete. */
const groups: readonly { heading: string; commands: readonly CommandEntry[] }[] = [
  {
    heading: 'Orders:',
    commands: [
      {
        name: 'create',
        summary: 'create one order',
        load: async () => (await import('./commands/create/create.ts')).registerCreate,
      },
      {
        name: 'get',
        summary: 'show one order or several',
        load: async () => (await import('./commands/get.ts')).registerGet,
      },
      {
        name: 'list',
        summary: 'list orders',
        load: async () => (await import('./commands/list/list.ts')).registerList,
      },
      {
        name: 'today',
        summary: 'show what there is to do today',
        load: async () => (await import('./commands/list/today.ts')).registerToday,
      },
      {
        name: 'cancel',
        summary: 'cancel orders, with a reason',
        load: async () => (await import('./commands/cancel/cancel.ts')).registerCancel,
      },
      {
        name: 'settle',
        summary: 'find out what became of orders whose outcome is unknown',
        load: async () => (await import('./commands/settle/settle.ts')).registerSettle,
      },
    ],
  },
  {
    heading: 'Files:',
    commands: [
      {
        name: 'import',
        summary: 'create the orders of a CSV file or an Excel workbook, each exactly once',
        load: async () => (await import('./commands/import/import.ts')).registerImport,
      },
      {
        name: 'status',
        summary: 'show what became of the orders of a file',
        load: async () => (await import('./commands/status/status.ts')).registerStatus,
      },
      {
        name: 'imports',
        summary: 'show past imports and their results',
        load: async () => (await import('./commands/imports/imports.ts')).registerImports,
      },
      {
        name: 'mappings',
        summary: 'list, show, add and remove remembered mappings of columns',
        load: async () => (await import('./commands/mappings/mappings.ts')).registerMappings,
      },
    ],
  },
  {
    heading: machineGroup,
    commands: [
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
        name: 'profiles',
        summary: 'list, choose and remove stored services, and set where fields are sent',
        load: async () => (await import('./commands/profiles.ts')).registerProfiles,
      },
      {
        name: 'sandbox',
        summary: 'run a local copy of the service for trying things out',
        load: async () => (await import('./commands/sandbox/sandbox.ts')).registerSandbox,
      },
      {
        name: 'doctor',
        summary: 'find out why something does not work',
        load: async () => (await import('./commands/doctor.ts')).registerDoctor,
      },
      {
        name: 'completion',
        summary: 'print a completion script for bash, zsh or fish',
        load: async () => (await import('./commands/completion/completion.ts')).registerCompletion,
      },
    ],
  },
];

const closing = `
Try it without a key:
  $ merchant-orders import --template > orders.csv
  $ merchant-orders import orders.csv --sandbox
  $ merchant-orders list --sandbox

More: merchant-orders help COMMAND, help exit-codes, help environment`;

const globalFlags = '\nFlags that every command takes: merchant-orders help';

export async function createProgram(
  args: readonly string[],
  files: PackageFiles,
  open: OpenContext,
  output: { data(text: string): void; note(text: string): void },
  say?: Say,
): Promise<Command> {
  const spoken = say && (await import('./commands/spoken-help.ts')).speakHelp(say);
  const inLanguage = (text: string) => spoken?.text(text) ?? text;
  const program = new Command('merchant-orders')
    .description('Delivery orders from the command line: each checked first and created exactly once.')
    .version(readVersion(files), '-V, --version')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.data(text.trimEnd()),
      writeErr: (text) => output.note(text.trimEnd()),
      outputError: () => undefined,
    })
    .addHelpText('after', inLanguage(closing));
  // Else descriptions beside long names would be cut anywhere.
  program.configureHelp({ minWidthToWrap: 30, ...spoken?.configuration });
  addGlobalFlags(program);
  const isWhole = args.includes('all');
  for (const { heading, commands } of groups) {
    for (const { name, summary, load } of commands) {
      const command = program
        .command(name)
        .helpGroup(heading)
        .description(summary)
        .addHelpText('afterAll', inLanguage(globalFlags));
      if (args.includes(name) || args.includes(`--words=${name}`)) (await load())(command, open, isWhole);
    }
  }
  program
    .command('help')
    .helpGroup(machineGroup)
    .description('show help for a command, or about exit-codes or environment')
    .argument('[topic...]', 'a command, or exit-codes, or environment')
    .action(async (words: string[]) => {
      const { helpTopics } = await import('./commands/help-topics.ts');
      const topic = words.length === 1 ? helpTopics[words[0] ?? ''] : undefined;
      if (topic !== undefined) return output.data(say?.(topic) ?? String(topic));
      commandAt(program, words, Object.keys(helpTopics)).outputHelp();
    });
  return program;
}

/** The command that these words name. Error: `usage`. */
function commandAt(program: Command, words: readonly string[], topics: readonly string[]): Command {
  return words.reduce((command, word) => {
    const found = command.commands.find((child) => child.name() === word);
    if (found !== undefined) return found;
    if (word === 'all') return command;
    const names = command.commands.map((child) => child.name());
    throw new CliError('usage', t`There is no help about this topic.`, {
      hint: t`Choose one of: ${[...names, ...(command === program ? topics : [])]}.`,
    });
  }, program);
}

function addGlobalFlags(program: Command): void {
  program
    .option('-p, --profile <name>', 'use the service and key stored under this name')
    .option('--base-url <url>', 'address of the service')
    .option('--sandbox', 'use the sandbox on this machine instead of the real service')
    .addOption(new Option('--format <format>', 'output format (default: table)').choices(formats))
    .option('--json', 'same as --format json')
    .option('--columns <names>', 'fields to show, such as id,customer.phone, or all', parseNames)
    .option('--no-header', 'leave out the header line')
    .option('-q, --quiet', 'print data only')
    .option('-v, --verbose', 'show every request, response, retry and wait')
    .option('--no-color', 'no colours')
    .option('--no-input', 'never ask questions')
    .option('-y, --yes', 'skip the confirmation')
    .option(
      '--timeout <seconds>',
      `time limit for one order or page (default: ${defaultTimeoutSeconds})`,
      parseSeconds,
    );
}
