import { Argument, type Command, type Option } from 'commander';
import type { OpenContext } from '../../context.ts';
import { explain } from '../../flags.ts';
import {
  type CommandTree,
  type CompletedCommand,
  type CompletedFlag,
  formatBash,
  formatFish,
  formatZsh,
  type Values,
} from './scripts.ts';

const examples = `
Examples:
  $ merchant-orders completion bash \\
      > ~/.local/share/bash-completion/completions/merchant-orders
  $ merchant-orders completion zsh > "\${fpath[1]}/_merchant-orders"
  $ merchant-orders completion fish \\
      > ~/.config/fish/completions/merchant-orders.fish

Start a new shell afterwards. To try it in this one:
  $ source <(merchant-orders completion bash)`;

const formatters = { bash: formatBash, zsh: formatZsh, fish: formatFish };
type Shell = keyof typeof formatters;

/** The other commands must have been registered before it runs: the script has all of them. */
export function registerCompletion(command: Command, open: OpenContext): void {
  const shell = new Argument('<shell>', 'the shell that loads it').choices(Object.keys(formatters));
  explain(command, examples)
    .addArgument(shell)
    .action(async (name: Shell, _flags: unknown, self: Command) => {
      const { print, sandbox } = await open(self);
      const behaviours = (await sandbox.behaviours()).map((behaviour) => behaviour.name);
      print.data(formatters[name](readTree(self.parent as Command, behaviours)));
    });
}

/** `behaviours` are the names that stand for a file of behaviour. */
export function readTree(program: Command, behaviours: readonly string[]): CommandTree {
  const help = program.createHelp();
  const subcommandsOf = (command: Command) =>
    help
      .visibleCommands(command)
      .map((it) => ({ name: it.name(), description: help.subcommandDescription(it) }));
  const read = (command: Command, path: string): CompletedCommand[] => [
    {
      path,
      subcommands: subcommandsOf(command),
      flags: command === program ? [] : command.options.map((option) => readFlag(option, behaviours)),
      argument: readArgument(command),
    },
    ...command.commands.flatMap((child) => read(child, `${path} ${child.name()}`)),
  ];
  return {
    name: program.name(),
    commands: read(program, ''),
    flags: [
      ...program.options.map((option) => readFlag(option)),
      { names: ['--help', '-h'], description: 'show the help of a command', values: undefined },
    ],
  };
}

function readFlag(option: Option, behaviours: readonly string[] = []): CompletedFlag {
  const { long, short, description, required, argChoices, flags } = option;
  const names = [long, short].filter((name) => name !== undefined);
  const [, value = ''] = /<([^<>]*)>/.exec(flags) ?? [];
  const words = long === '--behaviour' ? behaviours : [];
  const values = long === '--profile' ? profileNames : valuesOf(value, argChoices, words);
  return { names, description, values: required ? values : undefined };
}

const profileNames: Values = {
  kind: 'printed',
  args: 'profiles --format tsv --no-header --columns name',
};
const mappingNames: Values = {
  kind: 'printed',
  args: 'mappings --format tsv --no-header --columns name',
};
const runs: Values = { kind: 'printed', args: 'imports --format tsv --no-header --columns run' };

function readArgument(command: Command): Values | undefined {
  const [first] = command.registeredArguments;
  if (first === undefined) return undefined;
  if (first.name() === 'run') return runs;
  if (first.name() === 'topic') return { kind: 'words', words: namesIn(command.parent) };
  if (command.parent?.name() === 'profiles' && first.name() === 'name') return profileNames;
  if (command.parent?.name() === 'mappings' && first.name() === 'name') return mappingNames;
  return valuesOf(first.name(), first.argChoices);
}

function namesIn(program: Command | null): string[] {
  return program?.commands.map((command) => command.name()) ?? [];
}

function valuesOf(
  name: string,
  choices: readonly string[] | undefined,
  words: readonly string[] = [],
): Values {
  if (choices !== undefined) return { kind: 'words', words: choices };
  return name === 'file' || name === 'csv' ? { kind: 'files', words } : { kind: 'any' };
}
