import { advice, type Text, t } from './advice/advice.ts';
import type { Context } from './context.ts';
import { CliError } from './errors.ts';
import { checkKeyFor, isSameOrigin, labelOf, labelTexts, parseBaseUrl, profileChanged } from './identity.ts';
import { maskKey } from './redact.ts';

/** A key that the service does not reject. `warning`: what is missing or was not checked, as a sentence. */
interface CheckedKey {
  apiKey: string;
  warning?: Text;
}

/** Asks until the service accepts the key. Errors: those of reading the list, except for an invalid key. */
export async function askForKey(
  context: Context,
  prompts: NonNullable<Context['prompts']>,
  baseUrl: string,
): Promise<CheckedKey> {
  for (;;) {
    const apiKey = await prompts.secret({
      message: t`API key`,
      check: (answer) => (answer === '' ? t`Please paste the API key.` : undefined),
    });
    try {
      return await checkKey(context, baseUrl, apiKey);
    } catch (error) {
      const isOfKey = error instanceof CliError && ['key_refused', 'usage'].includes(error.code);
      if (!isOfKey) throw error;
      context.print.note(advice`${error.sentence}\n${t`Paste the key again, or press Ctrl-C to stop.`}`);
    }
  }
}

/**
 * A key without permission to read orders is accepted, and any other that a service responds to, but for a web page or a
 * redirect. Errors: those of reading the list, `usage`.
 */
export async function checkKey(context: Context, baseUrl: string, apiKey: string): Promise<CheckedKey> {
  checkKeyFor(parseBaseUrl(baseUrl), apiKey);
  await using connection = await context.connectTo(baseUrl, apiKey);
  const { probeService } = await import('./api/operations/check-address.ts');
  const { error, response } = await probeService(connection.client);
  if (error === undefined) return { apiKey };
  if (response === undefined || context.interruption.stopping.aborted) throw error;
  const warning =
    error.code === 'permission_missing'
      ? t`This key has no permission to read orders; get, list and cancel will be rejected.`
      : t`The key was stored, but it could not be checked: the service responded with ${response}.`;
  return { apiKey, warning };
}

/** Errors: those of the store, `file_changed`. */
export async function storeKey(
  { profiles, print }: Pick<Context, 'profiles' | 'print'>,
  profile: string,
  baseUrl: string,
  { apiKey, warning }: CheckedKey,
): Promise<void> {
  await profiles.update((now, seen) => {
    const known = now.profiles[profile];
    const isSame = (other: { baseUrl?: string | undefined; apiKey?: string | undefined } | undefined) =>
      known?.baseUrl === other?.baseUrl && known?.apiKey === other?.apiKey;
    if (!isSame(seen.profiles[profile]) && !isSame({ baseUrl, apiKey })) throw profileChanged(profile);
    const { baseUrl: before, fields } = known ?? {};
    const keepsFields = fields !== undefined && (before === undefined || isSameOrigin(before, baseUrl));
    const stored = { baseUrl, apiKey, ...(keepsFields ? { fields } : {}) };
    return {
      ...now,
      currentProfile: now.currentProfile ?? profile,
      profiles: { ...now.profiles, [profile]: stored },
    };
  });
  print.note(
    t`Stored the key ${maskKey(apiKey)} for ${baseUrl} (${labelTexts[labelOf(apiKey)]}) in profile ${profile}.`,
  );
  if (warning !== undefined) print.note(warning);
}
