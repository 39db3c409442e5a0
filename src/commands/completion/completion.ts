import { Argument, type Command, Option } from 'commander';
import type { OpenContext } from '../../context.ts';
import { collect, explain } from '../../flags.ts';
import { findCandidates } from './candidates.ts';
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
