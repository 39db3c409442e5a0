import type { Command, CommanderError } from 'commander';
import { advice, command } from '../advice/advice.ts';
import { CliError } from '../errors.ts';

export function toUsageError(
  thrown: CommanderError,
  program: Command | undefined,
  args: readonly string[],
): CliError {
  const found = commandOf(program, args);
  const sentence = thrown.code === 'commander.help' ? 'A command is missing.' : usageSentence(thrown, found);
  return new CliError('usage', sentence, { hint: advice`Run: ${command(...namesOf(found), '--help')}` });
}

function commandOf(program: Command | undefined, args: readonly string[]): Command | undefined {
  return args.reduce(
    (command, word) => command?.commands.find((child) => child.name() === word) ?? command,
    program,
  );
}

function namesOf(found: Command | undefined): string[] {
  return found?.parent ? [...namesOf(found.parent), found.name()] : [];
}

const unknownFlag = /^error: unknown option '(?:(--[a-z][a-z-]{0,30})(?=[='])|(-\w))?(=?)/;
const unknownCommand = /^error: unknown command '([a-z][a-z-]{0,30})'/;
const suggestion = /\n(\(Did you mean [^'\n]{1,200}\?\))$/;
const invalidFlag = /^option '(?:-\w, )?(--[\w-]+)(?: [^']*)?' argument '.*' is invalid\. (.*)$/s;
const invalidArgument = /^command-argument value '(.*)' is invalid for argument '([^']*)'\. (.*)$/s;

/** commander reports details only as text. Values are left out: they may be a key in the wrong place. */
function usageSentence({ code, message }: CommanderError, command: Command | undefined): string {
  const [, similar = ''] = suggestion.exec(message) ?? [];
  const unknown = (what: string, name: string | undefined) =>
    [`Unknown ${what}${name === undefined ? '.' : ` '${name}'`}`, similar].join(' ').trimEnd();
  if (code === 'commander.unknownOption') {
    const [, long, short, equals] = unknownFlag.exec(message) ?? [];
    const isKnown = long && equals && command && flagsOf(command).includes(long);
    return isKnown ? `${long} takes no value.` : unknown('option', long ?? short);
  }
  if (code === 'commander.unknownCommand') return unknown('command', unknownCommand.exec(message)?.[1]);
  const text = message.replace(/^error: /, '');
  const [, flag, flagRule = ''] = invalidFlag.exec(text) ?? [];
  if (flag !== undefined) return `The value of ${flag} is not valid. ${choicesIn(flagRule)}`;
  const [, value, name = '', rule = ''] = invalidArgument.exec(text) ?? [];
  if (value?.trim() === '') return choicesIn(rule);
  if (value !== undefined) return `The ${name} is not valid. ${choicesIn(rule)}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function flagsOf({ options, parent }: Command): (string | undefined)[] {
  return [...options.map(({ long }) => long), ...(parent === null ? [] : flagsOf(parent))];
}

function choicesIn(rule: string): string {
  return rule.replace(/^Allowed choices are /, 'Choose one of: ');
}
