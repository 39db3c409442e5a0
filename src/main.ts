import { type Command, CommanderError } from 'commander';
import { CliError, exitCodes } from './errors.ts';
import { streamColours } from './output/colour.ts';
import { formatCommandLine, formatError } from './output/error-text.ts';
import { createPrint, type Print } from './output/print.ts';
import { createProgram } from './program.ts';
import { createRedaction, type Redaction } from './redact.ts';
import { errorFormat, type GlobalFlags, programName } from './settings.ts';
import { PromptLeft } from './system/prompts/prompts.ts';
import { createShell, type Shell } from './system/shell.ts';
import type { System } from './system/system.ts';

export async function run(process: NodeJS.Process, packageRoot: URL): Promise<number> {
  const shell = createShell(process, packageRoot);
  try {
    return await runCommandLine(shell, async () => {
      const { createSystem } = await import('./system/system.ts');
      return createSystem(shell, process);
    });
  } finally {
    shell.interruption.release();
  }
}

/** Runs a command line, with a system that is opened when a command needs it. This is the only place that turns an error into text and an exit code. */
export async function runCommandLine(shell: Shell, openSystem: () => Promise<System>): Promise<number> {
  const redaction = createRedaction();
  const help = createPrint({ ...shell, ...redaction, quiet: false, colour: { out: false, err: false } });
  let flags: GlobalFlags = {};
  let program: Command | undefined;
  try {
    program = await createProgram(
      shell.args,
      shell.packageRoot,
      async (command) => {
        const { createContext } = await import('./create-context.ts');
        return createContext(await openSystem(), command.optsWithGlobals<GlobalFlags>(), redaction);
      },
      help,
    );
    flags = program.opts<GlobalFlags>();
    checkQuotes(shell);
    if (shell.args.length === 0) program.outputHelp();
    else await program.parseAsync([...shell.args], { from: 'user' });
    await checkOutput(shell);
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    return await reportError(toCliError(error, shell, program), flags, shell, redaction);
  }
}

/** PowerShell takes single quotes off. cmd does not, so that a quoted value has become several words. Error: `usage`. */
function checkQuotes({ isWindows, args }: Shell): void {
  if (!isWindows || !args.some((word) => /^'|'$/.test(word))) return;
  const sentence =
    "A word of the command begins or ends with a single quote ('), which this shell does not read as a quote. Nothing was sent.";
  throw new CliError('usage', sentence, {
    hint: 'Write double quotes: --reason "out of stock"',
    outcome: 'not_sent',
  });
}

async function checkOutput({ outputFailure }: Shell): Promise<void> {
  const failure = await outputFailure();
  if (failure === undefined) return;
  throw new CliError('output_not_writable', `Standard output could not be written: ${failure.message}.`, {
    hint: 'The command itself has finished. Write its output to another file, or run: merchant-orders list',
    cause: failure,
  });
}

async function reportError(
  error: CliError,
  flags: GlobalFlags,
  shell: Shell,
  redaction: Redaction,
): Promise<number> {
  const colour = streamColours(shell.env, shell.terminal, flags.color === false);
  const print: Print = createPrint({ ...shell, ...redaction, quiet: false, colour });
  const reported = withCommands(error, programName(flags, shell), shell);
  const { stderr, width } = shell.terminal;
  const text = stderr ? await import('./output/wrapped-text.ts') : undefined;
  const wrap = text && ((line: string) => text.wrapLine(line, width));
  print.error(formatError(reported, errorFormat(flags), flags.verbose ?? false, wrap));
  return error.exitCode;
}

/** Makes the commands of a hint ready to paste: with the flags for the same service, or the whole same command. */
function withCommands(error: CliError, program: string, shell: Shell): CliError {
  const { hint, cures } = error.details;
  if (hint === undefined) return error;
  const repeats = /\bsame command\b/.test(hint) && !hint.includes('merchant-orders ');
  const ways = cures ?? (repeats ? [[]] : []);
  const commands = ways.map((flags) => `\n  ${formatCommandLine([...shell.args, ...flags], shell)}`);
  const withService = hint.includes(program.slice('merchant-orders '.length))
    ? hint
    : // The profiles are the same for every service, and the one of the flags may not exist.
      hint.replaceAll(/merchant-orders (?!profiles\b)/g, () => `${program} `);
  return new CliError(error.code, error.message, {
    ...error.details,
    hint: commands.length > 0 ? hint + commands.join('') : withService,
    cause: error.cause ?? error,
  });
}

function toCliError(thrown: unknown, shell: Shell, program: Command | undefined): CliError {
  const error = thrown instanceof CliError ? thrown : fromOtherError(thrown, commandOf(program, shell.args));
  const signal = shell.interruption.signal();
  if (signal === undefined) return error;
  const again = error.code === 'unreachable' ? { hint: 'Run the same command again.' } : {};
  const code = signal === 'SIGINT' ? 'interrupted' : 'terminated';
  return new CliError(code, stoppedSentence(error), { ...error.details, ...again });
}

/** The signal ended a wait or a request; the service did not fail for good. */
function stoppedSentence({ code, message, details }: CliError): string {
  if (code !== 'unreachable' && code !== 'throttled') return message;
  const waitedFor =
    code === 'throttled'
      ? 'Stopped while waiting, as the service asks for fewer requests.'
      : details.status === undefined
        ? 'Stopped before the service responded.'
        : `Stopped while waiting to try again, after the service responded with status ${details.status}.`;
  return details.outcome === 'not_sent' ? `${waitedFor} Nothing was sent.` : waitedFor;
}

/** The command of this command line; undefined when there is none yet. */
function commandOf(program: Command | undefined, args: readonly string[]): Command | undefined {
  return args.reduce(
    (command, word) => command?.commands.find((child) => child.name() === word) ?? command,
    program,
  );
}

function helpOf(command: Command | undefined): string {
  const words: string[] = [];
  for (let at = command; at; at = at.parent ?? undefined) words.unshift(at.name());
  return [...(words.length === 0 ? ['merchant-orders'] : words), '--help'].join(' ');
}

/** Usage errors and interruptions; any other error is a bug, and says so. */
function fromOtherError(thrown: unknown, command: Command | undefined): CliError {
  if (thrown instanceof Error && thrown.name === 'AbortError') {
    return new CliError('interrupted', 'Stopped before anything was sent.');
  }
  if (thrown instanceof PromptLeft) {
    return new CliError('interrupted', 'Cancelled. Nothing was sent.');
  }
  if (thrown instanceof CommanderError) {
    const hint = `Run: ${helpOf(command)}`;
    if (thrown.code === 'commander.help') return new CliError('usage', 'A command is missing.', { hint });
    return new CliError('usage', usageSentence(thrown, command), { hint });
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CliError('unexpected_failure', `This is a bug in merchant-orders: ${message}`, {
    hint: 'Run it again with --verbose and report what it shows.',
    cause: thrown,
  });
}

const unknownFlag = /^error: unknown option '(?:(--[a-z][a-z-]{0,30})(?=[='])|(-\w))?(=?)/;
const unknownCommand = /^error: unknown command '([a-z][a-z-]{0,30})'/;
const suggestion = /\n(\(Did you mean [^'\n]{1,200}\?\))$/;
const invalidFlag = /^option '(?:-\w, )?(--[\w-]+)(?: [^']*)?' argument '.*' is invalid\. (.*)$/s;
const invalidArgument = /^command-argument value '(.*)' is invalid for argument '([^']*)'\. (.*)$/s;

/** What commander says, in plain words; without any value, since it may be a key in the wrong place. */
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

/** The long flags of a command and of those above it. */
function flagsOf({ options, parent }: Command): (string | undefined)[] {
  return [...options.map(({ long }) => long), ...(parent === null ? [] : flagsOf(parent))];
}

function choicesIn(rule: string): string {
  return rule.replace(/^Allowed choices are /, 'Choose one of: ');
}
