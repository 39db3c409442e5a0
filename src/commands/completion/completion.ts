import { Argument, type Command, Option } from 'commander';
import type { OpenContext } from '../../context.ts';
import { collect, explain } from '../../flags.ts';
import { scripts } from './scripts.ts';

const examples = `
Examples:
  $ merchant-orders completion bash \\
      > ~/.local/share/bash-completion/completions/merchant-orders
  $ merchant-orders completion zsh > "\${fpath[1]}/_merchant-orders"
  $ merchant-orders completion fish \\
      > ~/.config/fish/completions/merchant-orders.fish

Start a new shell afterwards. To try it in this one, or to load it from ~/.bashrc, ~/.zshrc or $PROFILE of PowerShell:
  $ source <(merchant-orders completion bash)
  $ source <(merchant-orders completion zsh)
  > merchant-orders completion powershell | Out-String | Invoke-Expression`;

export function registerCompletion(command: Command, open: OpenContext): void {
  const shell = new Argument('<shell>', 'the shell that loads it').choices(Object.keys(scripts));
  explain(command, examples)
    .addArgument(shell)
    .addOption(
      new Option('--words <word>', 'a word of the line to complete (repeatable)')
        .argParser(collect)
        .hideHelp(),
    )
    .action(async (name: keyof typeof scripts, { words }: { words?: string[] }, self: Command) => {
      if (words === undefined) (await open(self)).print.data(scripts[name]);
      else printCandidates(self, words);
    });
}

/** One per line, with its description after a tab; `:files` stands for file names. */
function printCandidates(command: Command, line: string[]): void {
  const { words, takesFiles } = findCandidates(command.parent as Command, line);
  const lines = words.map(({ name, description }) => {
    return description === undefined ? name : `${name}\t${description}`;
  });
  if (takesFiles) lines.push(':files');
  if (lines.length > 0) command.configureOutput().writeOut?.(lines.join('\n'));
}

interface Candidates {
  words: readonly { name: string; description?: string | undefined }[];
  takesFiles: boolean;
}

const none: Candidates = { words: [], takesFiles: false };

/** Candidates for the last word, which may be incomplete. */
function findCandidates(program: Command, line: readonly string[]): Candidates {
  const words = joinValues(line);
  const current = words.pop() ?? '';
  let command = program;
  let flag: Option | undefined;
  for (const word of words) {
    const before = flag;
    flag = before === undefined ? findFlag(program, command, word) : undefined;
    if (before !== undefined || flag !== undefined) continue;
    command = command.commands.find((child) => child.name() === word) ?? command;
  }
  const [, name = ''] = /^(--[^=]+)=/.exec(current) ?? [];
  const valued = flag ?? findFlag(program, command, name);
  if (valued !== undefined) return valuesOf(valued);
  if (current.startsWith('-')) return namesOf(flagsOf(program, command));
  if (command.commands.length > 0) return namesOf(subcommandsOf(command));
  return argumentsOf(program, command);
}

/** Bash splits `--format=json` into three words. */
function joinValues(line: readonly string[]): string[] {
  const words: string[] = [];
  for (const word of line) {
    const last = words.at(-1) ?? '';
    const continues = word === '=' ? /^--[^=]+$/.test(last) : /^--[^=]+=$/.test(last);
    if (continues) words[words.length - 1] = last + word;
    else words.push(word);
  }
  return words;
}

function findFlag(program: Command, command: Command, name: string): Option | undefined {
  const options = [...command.options, ...program.options];
  return options.find(({ long, short, required }) => required && (name === long || name === short));
}

function flagsOf(program: Command, command: Command) {
  const help = program.createHelp();
  const options = [...help.visibleOptions(command), ...(command === program ? [] : program.options)];
  return options.flatMap(({ long, short, description }) =>
    [long, short].flatMap((name) => (name === undefined ? [] : [{ name, description }])),
  );
}

function subcommandsOf(command: Command) {
  const help = command.createHelp();
  return help
    .visibleCommands(command)
    .map((child) => ({ name: child.name(), description: help.subcommandDescription(child) }));
}

function namesOf(words: Candidates['words']): Candidates {
  return { words, takesFiles: false };
}

function valuesOf({ flags, argChoices }: Option): Candidates {
  return argChoices === undefined
    ? { ...none, takesFiles: flags.endsWith('<file>') }
    : namesOf(argChoices.map((name) => ({ name })));
}

function argumentsOf(program: Command, command: Command): Candidates {
  const [first] = command.registeredArguments;
  if (first?.argChoices !== undefined) return namesOf(first.argChoices.map((name) => ({ name })));
  if (first?.name() === 'topic') return namesOf(subcommandsOf(program));
  return { ...none, takesFiles: first?.name() === 'file' };
}
