import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context.ts';
import { explain } from '../../flags.ts';
import { registerStart } from './start.ts';

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

async function runReset({ sandbox, print }: Context, { db, everything = false }: ResetFlags): Promise<void> {
  await sandbox.reset(db, { everything });
  const { baseUrl } = everything ? await sandbox.describe(db) : {};
  print.note(
    everything
      ? 'The sandbox is empty now. It has the built-in catalogue again, and its only keys are those that sandbox info shows.'
      : 'The sandbox is empty now. Its keys and its catalogue are unchanged.',
  );
  if (baseUrl !== undefined) {
    print.error(
      `warning: It is being served at ${baseUrl}. Faults, a behaviour and a time that were set there stay: ` +
        'to reset them too, restart it, or send POST /_sandbox/reset with {"everything": true}.',
    );
  }
}

async function runInfo({ sandbox, report, print }: Context, databasePath?: string): Promise<void> {
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

async function runBehaviours({ sandbox, report, print }: Context): Promise<void> {
  const behaviours = await sandbox.behaviours();
  report.records(
    'behaviours',
    behaviours.map(({ name, description }) => ({ name, description })),
    ['name', 'description'],
  );
  print.note('To use one, run: merchant-orders sandbox start --behaviour NAME');
}
