import type { Command, Option } from 'commander';
import type { Context } from '../../context.ts';

interface Candidates {
  words: readonly { name: string; description?: string | undefined }[];
  takesFiles: boolean;
}

const none: Candidates = { words: [], takesFiles: false };

/** Candidates for the last word, which may be incomplete. `open` is called for stored names. */
export async function findCandidates(
  program: Command,
  line: readonly string[],
  open: () => Promise<Context>,
): Promise<Candidates> {
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
  if (valued !== undefined) return valuesOf(valued, open);
  if (current.startsWith('-')) return namesOf(flagsOf(program, command));
  if (command.commands.length > 0) return namesOf(subcommandsOf(command));
  return argumentsOf(program, command, open);
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

async function valuesOf(
  { long, flags, argChoices }: Option,
  open: () => Promise<Context>,
): Promise<Candidates> {
  if (argChoices !== undefined) return namesOf(argChoices.map((name) => ({ name })));
  if (long === '--profile') return namesOf(await profilesOf(await open()));
  if (long === '--item') return namesOf(await usedSkusOf(await open()));
  const takesFiles = flags.endsWith('<file>');
  if (long === '--behaviour') return { words: await (await open()).sandbox.behaviours(), takesFiles };
  return { ...none, takesFiles };
}

async function argumentsOf(
  program: Command,
  command: Command,
  open: () => Promise<Context>,
): Promise<Candidates> {
  const [first] = command.registeredArguments;
  if (first === undefined) return none;
  if (first.argChoices !== undefined) return namesOf(first.argChoices.map((name) => ({ name })));
  const group = command.parent?.name();
  switch (first.name()) {
    case 'run':
      return namesOf(await runsOf(await open()));
    case 'topic':
      return namesOf(subcommandsOf(program));
    case 'name':
      if (group === 'profiles') return namesOf(await profilesOf(await open()));
      return group === 'mappings' ? namesOf((await (await open()).mappings.read()).mappings) : none;
    default:
      return { ...none, takesFiles: first.name() === 'file' };
  }
}

async function profilesOf({ profiles }: Context): Promise<Candidates['words']> {
  const { profiles: stored } = await profiles.read();
  return Object.entries(stored).map(([name, { baseUrl }]) => ({ name, description: baseUrl }));
}

/** Of all services: the profile may come from a flag, the environment or the configuration. */
async function usedSkusOf({ skus }: Context): Promise<Candidates['words']> {
  const { used } = await skus.read();
  const codes = new Set(used.flatMap((list) => list.skus));
  return [...codes].filter((code) => needsNoQuotes.test(code)).map((name) => ({ name }));
}

/** A shell would split other words, or act on them. */
const needsNoQuotes = /^[\p{L}\p{N}_./-]+$/u;

const maxRuns = 20;

async function runsOf({ history }: Context): Promise<Candidates['words']> {
  const past = await history();
  try {
    return past.list(maxRuns).map(({ id, file }) => ({ name: id, description: file }));
  } finally {
    past.close();
  }
}
