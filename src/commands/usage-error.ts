import type { Command, CommanderError } from 'commander';
import { advice, command, Sentence, type Text, t } from '../advice/advice.ts';
import { CliError } from '../errors.ts';

export function toUsageError(
  thrown: CommanderError,
  program: Command | undefined,
  args: readonly string[],
): CliError {
  const found = commandOf(program, args);
  const sentence = thrown.code === 'commander.help' ? t`A command is missing.` : usageSentence(thrown, found);
  return new CliError('usage', sentence, { hint: t`Run: ${command(...namesOf(found), '--help')}` });
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

/** What people call a command that has another name here. */
const meantCommands: Readonly<Record<string, readonly string[]>> = {
  find: ['list', '--search', 'TEXT'],
  search: ['list', '--search', 'TEXT'],
  show: ['get', 'ORDER'],
};

const unknownFlag = /^error: unknown option '(?:(--[a-z][a-z-]{0,30})(?=[='])|(-\w))?(=?)/;
const unknownCommand = /^error: unknown command '([a-z][a-z-]{0,30})'/;
const suggestion = /\n\(Did you mean ([^'\n]{1,200})\?\)$/;
const missingValue = /^option '([^']*)' argument missing$/;
const missingArgument = /^missing required argument '([^']*)'$/;
const tooMany = /^too many arguments for '([^']*)'\. Expected (\d+) arguments? but got (\d+)\.$/;
const allowedChoices = /^Allowed choices are (.*)$/s;
const invalidFlag = /^option '(?:-\w, )?(--[\w-]+)(?: [^']*)?' argument '.*' is invalid\. (.*)$/s;
const invalidArgument = /^command-argument value '(.*)' is invalid for argument '([^']*)'\. (.*)$/s;

/** commander reports details only as text. Values are left out: they may be a key in the wrong place. */
function usageSentence({ code, message }: CommanderError, of: Command | undefined): Text {
  if (code === 'commander.unknownOption') {
    const [, long, short, equals] = unknownFlag.exec(message) ?? [];
    const isKnown = long && equals && of && flagsOf(of).includes(long);
    if (isKnown) return t`${long} takes no value.`;
    const name = long ?? short;
    return withSimilar(name === undefined ? t`Unknown option.` : t`Unknown option '${name}'`, message);
  }
  if (code === 'commander.unknownCommand') {
    const [, name] = unknownCommand.exec(message) ?? [];
    const meant = name === undefined ? undefined : meantCommands[name];
    if (meant !== undefined) return t`Unknown command '${name ?? ''}'. Use: ${command(...meant)}`;
    return withSimilar(name === undefined ? t`Unknown command.` : t`Unknown command '${name}'`, message);
  }
  const text = message.replace(/^error: /, '');
  const [, flag, flagRule = ''] = invalidFlag.exec(text) ?? [];
  if (flag !== undefined) return t`The value of ${flag} is not valid. ${ruleIn(flagRule)}`;
  const [, value, name = '', rule = ''] = invalidArgument.exec(text) ?? [];
  if (value?.trim() === '') return ruleIn(rule);
  if (value !== undefined) return t`The ${name} is not valid. ${ruleIn(rule)}`;
  const [, option] = missingValue.exec(text) ?? [];
  if (option !== undefined) return t`Option '${option}' argument missing`;
  const [, argument] = missingArgument.exec(text) ?? [];
  if (argument !== undefined) return t`Missing required argument '${argument}'`;
  const [, owner, expected = '', given = ''] = tooMany.exec(text) ?? [];
  if (owner !== undefined)
    return t`Too many arguments for '${owner}'. Expected ${Number(expected)} {argument|arguments} but got ${given}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** With the similar name that commander found. */
function withSimilar(unknown: Text, message: string): Text {
  const [, similar] = suggestion.exec(message) ?? [];
  return similar === undefined ? unknown : advice`${unknown} ${t`(Did you mean ${similar}?)`}`;
}

function flagsOf({ options, parent }: Command): (string | undefined)[] {
  return [...options.map(({ long }) => long), ...(parent === null ? [] : flagsOf(parent))];
}

/** Of commander, or of src/flags.ts. */
function ruleIn(rule: string): Text {
  const [, choices] = allowedChoices.exec(rule) ?? [];
  return choices === undefined ? new Sentence([rule], []) : t`Choose one of: ${choices}`;
}
