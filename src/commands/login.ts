import type { Command } from 'commander';
import { advice, command, type Text, t } from '../advice/advice.ts';
import type { UserShell } from '../advice/command-line.ts';
import { askForKey, checkKey, storeKey } from '../api-key.ts';
import type { Context, OpenContext } from '../context.ts';
import { CliError } from '../errors.ts';
import { explain } from '../flags.ts';
import { checkProfileName, maxKeyBytes, parseBaseUrl } from '../identity.ts';
import { type LanguageCode, localeLanguage, looksMongolian } from '../settings.ts';

const examples = `
Examples:
  $ merchant-orders login
  $ merchant-orders login --base-url https://api.example --with-key < key.txt

The operator of the delivery platform issues the API key to the merchant; ask them if you have none. key.txt is a file with
the key and nothing else. The key is never given on the command line, where other programs can read it.`;

const whereFrom = t`The API key comes from the operator of the delivery platform. If you have none, ask them for one; to create orders it needs the permission orders:write.`;

export function registerLogin(command: Command, open: OpenContext): void {
  explain(command, examples)
    .option('--with-key', 'read the key from standard input')
    .action(async ({ withKey = false }: { withKey?: boolean }) => {
      const context = await open(command);
      const language = withKey ? undefined : await chooseLanguage(context);
      await runLogin(language === undefined ? context : await open(command, language), withKey);
      // Another window may have stored one meanwhile.
      if (language !== undefined) await context.profiles.update((now) => ({ language, ...now }));
    });
}

/** Asks once, where the machine looks Mongolian and nothing names the language. It is stored when `login` is done. */
async function chooseLanguage({ prompts, profiles, system }: Context): Promise<LanguageCode | undefined> {
  if (!prompts || !looksMongolian(system.env, (await system.machine()).timeZone)) return undefined;
  if ((await profiles.read()).language !== undefined) return undefined;
  // The names are not translated, so that everybody can find their own language.
  return prompts.choose<LanguageCode>(
    'Хэл / Language (merchant-orders profiles language mn|en)',
    [
      { value: 'mn', name: 'Монгол' },
      { value: 'en', name: 'English' },
    ],
    localeLanguage(system.env),
  );
}

async function runLogin(context: Context, withKey: boolean): Promise<void> {
  const { profiles, identity, print } = context;
  const configuration = await profiles.read();
  const { profile } = await identity();
  checkProfileName(profile);
  const baseUrl = await askBaseUrl(context, configuration.profiles[profile]?.baseUrl, withKey);
  // A wrong address is no reason to ask for a key.
  parseBaseUrl(baseUrl);
  if (context.prompts && !withKey) print.note(whereFrom);
  const key = withKey
    ? await checkKey(context, baseUrl, await readKey(context.system))
    : await askForKey(context, promptsOf(context), baseUrl);
  await storeKey(context, profile, baseUrl, key);
}

async function askBaseUrl(
  { settings, prompts, system }: Context,
  stored: string | undefined,
  withKey: boolean,
): Promise<string> {
  const given = settings.baseUrl?.value ?? (withKey || !prompts ? stored : undefined);
  if (given !== undefined) return given;
  if (!prompts || withKey) {
    throw new CliError('usage', t`The base URL is missing.`, {
      hint: t`Run: ${withKeyFile(system, '--base-url', 'https://...')}`,
    });
  }
  return prompts.text({
    message: t`Base URL of the service`,
    preset: stored,
    check: (answer) => problemOf(() => parseBaseUrl(answer)),
  });
}

function promptsOf({ prompts, system }: Context): NonNullable<Context['prompts']> {
  if (prompts) return prompts;
  throw new CliError('usage', t`The API key is missing, and the program cannot ask questions here.`, {
    hint: t`Pass it on standard input: ${withKeyFile(system)}`,
  });
}

async function readKey(system: Context['system']): Promise<string> {
  const key = (await system.files.readStream(system.stdin, 'Standard input', maxKeyBytes)).trim();
  if (key !== '') return key;
  throw new CliError('usage', t`There was no key on standard input.`, {
    hint: t`Run: ${withKeyFile(system)}`,
  });
}

/** PowerShell has no `<`; cmd has `type` too. */
function withKeyFile({ isWindows }: UserShell, ...flags: string[]): Text {
  const login = command('login', ...flags, '--with-key');
  return isWindows ? advice`type key.txt | ${login}` : advice`${login} < key.txt`;
}

function problemOf(check: () => unknown): Text | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof CliError ? advice`${error.sentence} ${error.details.hint ?? ''}` : String(error);
  }
}
