import { type Command, CommanderError } from 'commander';
import { again, command, createSay, type Language, type Piece, type Text, t } from './advice/advice.ts';
import { toUsageError } from './commands/usage-error.ts';
import { CliError, type ErrorCode, exitCodes, findResourceCause, PromptLeft } from './errors.ts';
import { formatError } from './output/error-text.ts';
import { createPrint, streamColours } from './output/print.ts';
import type { PackageFiles } from './package-files.ts';
import { createProgram } from './program.ts';
import { createRedaction, type Redaction } from './redact.ts';
import { chooseLanguages, errorFormat, type GlobalFlags, type Languages, serviceFlags } from './settings.ts';
import { createShell, type Shell } from './system/shell.ts';
import type { System } from './system/system.ts';

export { packageFilesIn } from './package-files.ts';

export async function run(process: NodeJS.Process, files: PackageFiles): Promise<number> {
  const shell = createShell(process, files);
  try {
    return await runCommandLine(shell, async () => {
      const { createSystem } = await import('./system/system.ts');
      return createSystem(shell, process);
    });
  } finally {
    shell.interruption.release();
  }
}

/** The only place that turns an error into text and an exit code. The system is opened when a command needs it. */
export async function runCommandLine(shell: Shell, openSystem: () => Promise<System>): Promise<number> {
  const redaction = createRedaction();
  const help = createPrint({ ...shell, ...redaction, quiet: false, colour: { out: false, err: false } });
  let flags: GlobalFlags = {};
  let program: Command | undefined;
  let system: Promise<System> | undefined;
  let languages: Languages = { out: undefined, err: undefined };
  try {
    languages = await chooseLanguages(shell);
    program = await createProgram(
      shell.args,
      shell.packageFiles,
      async (command, language) => {
        const { createContext } = await import('./context.ts');
        const flags = command.optsWithGlobals<GlobalFlags>();
        if (flags.format === 'text' && command.name() !== 'get') throw textIsForGet();
        languages = await chooseLanguages(shell, { isForPerson: flags.format === 'text', language });
        system ??= openSystem();
        return createContext(await system, flags, redaction, languages);
      },
      help,
      languages.out && createSay(shell, languages.out),
    );
    flags = program.opts<GlobalFlags>();
    checkQuotes(shell);
    if (shell.args.length === 0) program.outputHelp();
    else await program.parseAsync([...shell.args], { from: 'user' });
    await checkOutput(shell);
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    return await reportError(toCliError(error, shell, program), flags, shell, {
      redaction,
      language: languages.err,
    });
  }
}

function textIsForGet(): CliError {
  return new CliError('usage', t`--format text is only for get.`, {
    hint: t`Remove it, or run:\n  ${command('get', 'ORDER', '--format', 'text')}`,
  });
}

/** PowerShell takes single quotes off. cmd does not, so that a quoted value has become several words. Error: `usage`. */
function checkQuotes({ isWindows, args }: Shell): void {
  if (!isWindows || !args.some((word) => /^'|'$/.test(word))) return;
  const sentence = t`A word of the command begins or ends with a single quote ('), which this shell does not read as a quote. Nothing was sent.`;
  throw new CliError('usage', sentence, {
    hint: t`Write double quotes: --reason "out of stock"`,
  });
}

async function checkOutput({ outputFailure }: Shell): Promise<void> {
  const failure = await outputFailure();
  if (failure === undefined) return;
  throw new CliError('output_not_writable', t`Standard output could not be written: ${failure.message}.`, {
    hint: t`The command itself has finished. Write its output to another file, or run: ${command('list')}`,
    cause: failure,
  });
}

async function reportError(
  error: CliError,
  flags: GlobalFlags,
  shell: Shell,
  { redaction, language }: { redaction: Redaction; language: Language | undefined },
): Promise<number> {
  const colour = streamColours(shell.env, shell.terminal, flags.color === false);
  const print = createPrint({ ...shell, ...redaction, quiet: false, colour });
  const { stderr, width } = shell.terminal;
  // It may be missing files that cannot be opened.
  const text = stderr ? await import('./output/wrapped-text.ts').catch(() => undefined) : undefined;
  const wrap = text && ((line: readonly Piece[]) => text.wrapLine(line, width));
  const line = { ...shell, serviceFlags: serviceFlags(flags) };
  print.error(
    formatError(error, errorFormat(flags), line, {
      stack: flags.verbose === true,
      language,
      ...(wrap && { wrap }),
    }),
  );
  return error.exitCode;
}

function toCliError(thrown: unknown, shell: Shell, program: Command | undefined): CliError {
  const error =
    thrown instanceof CliError ? withResource(thrown) : fromOtherError(thrown, program, shell.args);
  const signal = shell.interruption.signal();
  if (signal === undefined) return error;
  const next = error.code === 'unreachable' ? { hint: t`Run the same command again.${again()}` } : {};
  const code = signal === 'SIGINT' ? 'interrupted' : 'terminated';
  return new CliError(code, stoppedSentence(error), { ...error.details, ...next });
}

function stoppedSentence({ code, sentence, details }: CliError): Text {
  if (code !== 'unreachable' && code !== 'throttled') return sentence;
  const waitedFor =
    code === 'throttled'
      ? t`Stopped while waiting, as the service asks for fewer requests.`
      : details.status === undefined
        ? t`Stopped before the service responded.`
        : t`Stopped while waiting to try again, after the service responded with status ${details.status}.`;
  return details.outcome === 'not_sent' ? t`${waitedFor} Nothing was sent.` : waitedFor;
}

/** Those that have nothing to do with the file or the ledger itself when the computer has run out of something. */
const resourceCodes: readonly ErrorCode[] = [
  'file_not_readable',
  'file_not_writable',
  'configuration_invalid',
  'configuration_not_writable',
  'ledger_not_writable',
  'sqlite_not_loaded',
];

function withResource(error: CliError): CliError {
  const found = findResourceCause(error.details.cause);
  const isFile = found !== undefined && !['ENOSPC', 'EDQUOT'].includes(found.code);
  if (!isFile || !resourceCodes.includes(error.code)) return error;
  const hint = t`${found.cure}, then run the same command again.${again()}`;
  return new CliError('out_of_resources', error.sentence, { ...error.details, hint });
}

/** Usage errors and interruptions; any other error is a bug, and says so, unless the computer has run out of something. */
function fromOtherError(thrown: unknown, program: Command | undefined, args: readonly string[]): CliError {
  if (thrown instanceof Error && thrown.name === 'AbortError') {
    return new CliError('interrupted', t`Stopped before anything was sent.`);
  }
  if (thrown instanceof PromptLeft) {
    return new CliError('interrupted', t`Stopped. Nothing was sent.`);
  }
  if (thrown instanceof CommanderError) return toUsageError(thrown, program, args);
  const found = findResourceCause(thrown);
  if (found !== undefined) {
    return new CliError('out_of_resources', t`This computer cannot go on: ${found.reason} (${found.code}).`, {
      hint: t`${found.cure}, then run the same command again: no order is created twice.${again()}`,
      cause: thrown,
    });
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CliError('unexpected_failure', t`This is a bug in merchant-orders: ${message}`, {
    hint: t`Run it again with --verbose and report what it shows.`,
    cause: thrown,
  });
}
