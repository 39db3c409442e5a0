import { again, command, type Text, t } from './advice/advice.ts';
import { basePath, isLoopback, ordersUrl } from './api/http/address.ts';
import { CliError } from './errors.ts';
import type { Settings, Sourced } from './settings.ts';
import type { Profile, ProfileStore } from './system/configuration-files.ts';

export interface Identity {
  profile: string;
  profileSource: Sourced<string>['source'] | 'default';
  baseUrl: Sourced<string> | undefined;
  apiKey: Sourced<string> | undefined;
  hasOtherProfiles: boolean;
  /** Why no request may be sent with it: `--profile` or a stored key contradicts the environment. */
  conflict: CliError | undefined;
}

export const maxKeyBytes = 4096;
const sandboxKeyPrefix = 'sandbox_';
const defaultProfile = 'default';

/** Flag over environment over profile. Errors: `configuration_invalid`, `usage`. */
export async function resolveIdentity(settings: Settings, profiles: ProfileStore): Promise<Identity> {
  if (settings.baseUrl !== undefined) checkBaseUrl(settings.baseUrl);
  const configuration = await profiles.read();
  const profile = settings.profile?.value ?? configuration.currentProfile ?? defaultProfile;
  const found = Object.hasOwn(configuration.profiles, profile) ? configuration.profiles[profile] : undefined;
  const stored = found ?? {};
  const fromProfile = (value: string | undefined): Sourced<string> | undefined =>
    value === undefined ? undefined : { value, source: 'profile' };
  return {
    profile,
    profileSource: settings.profile?.source ?? (configuration.currentProfile ? 'profile' : 'default'),
    baseUrl: settings.baseUrl ?? fromProfile(stored.baseUrl),
    apiKey: settings.apiKey ?? keyForOrigin(settings, stored),
    hasOtherProfiles: Object.keys(configuration.profiles).some((name) => name !== profile),
    conflict: findConflict(settings, profile, found),
  };
}

/** `--profile` selects its address and key; a key of the environment needs an address, or a profile without a key. */
function findConflict(settings: Settings, name: string, stored: Profile | undefined): CliError | undefined {
  const { profile, apiKey, baseUrl, contradictsSandbox } = settings;
  const isOtherKey = apiKey !== undefined && ![undefined, apiKey.value].includes(stored?.apiKey);
  if (profile?.source !== 'flag') {
    if (!isOtherKey || baseUrl !== undefined) return undefined;
    return contradiction(
      t`MERCHANT_ORDERS_API_KEY is not the key of profile ${name}, and no address was given for it.`,
      t`Set MERCHANT_ORDERS_BASE_URL to the address of that key, or unset MERCHANT_ORDERS_API_KEY to use profile ${name}.`,
    );
  }
  const variable = baseUrl?.source === 'environment' ? baseUrl.value : undefined;
  if (stored === undefined && (apiKey !== undefined || variable !== undefined)) {
    return contradiction(
      t`There is no profile "${name}".`,
      t`List the profiles with: ${command('profiles')}, or remove --profile to use the environment.`,
    );
  }
  const isOtherUrl =
    stored?.baseUrl !== undefined && variable !== undefined && !isSameUrl(variable, stored.baseUrl);
  const variables = [
    ...(isOtherKey ? ['MERCHANT_ORDERS_API_KEY'] : []),
    ...(isOtherUrl ? ['MERCHANT_ORDERS_BASE_URL'] : []),
    ...(contradictsSandbox ? ['MERCHANT_ORDERS_SANDBOX'] : []),
  ];
  const [last, ...others] = variables.reverse();
  if (last === undefined) return undefined;
  const list = others.length === 0 ? last : t`${others.reverse()} and ${last}`;
  return contradiction(
    t`--profile ${name} names another service or key than ${list}.`,
    t`Unset ${list} to use the profile, or remove --profile to use the environment.`,
  );
}

function contradiction(sentence: Text, hint: Text): CliError {
  return new CliError('usage', sentence, { hint });
}

const mayHavePassword = /[@?#]/;

/** Must run before anything prints the address, which may hold a password. Error: `usage`. */
export function checkBaseUrl({ value, source }: Sourced<string>): void {
  if (!mayHavePassword.test(value)) return;
  const name = source === 'flag' ? '--base-url' : 'MERCHANT_ORDERS_BASE_URL';
  throw new CliError('usage', t`${name} has a user, password, ? or #.`, {
    hint: t`Write the base URL as https://host/path.`,
  });
}

/** A base URL to which a key may be sent. Error: `usage`. */
export function parseBaseUrl(text: string): URL {
  if (mayHavePassword.test(text)) {
    throw new CliError('usage', t`A base URL has no user, password, ? or #.`, {
      hint: t`Write it as https://host/path.`,
    });
  }
  if (!URL.canParse(text)) {
    throw new CliError('usage', t`This is not a base URL.`, {
      hint: t`Write it as https://host or https://host/path.`,
    });
  }
  const url = new URL(text);
  const isPlain = url.protocol === 'http:' && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !isPlain) {
    throw new CliError('usage', t`The base URL is not https.`, {
      hint: t`A key is sent over https only; http:// is for 127.0.0.1 and localhost.`,
    });
  }
  if (url.pathname.replace(/\/$/, '').endsWith(basePath)) {
    throw new CliError('usage', t`This is the address of the orders, not the base URL.`, {
      hint: t`Leave out ${basePath}: write it as https://host or https://host/path.`,
    });
  }
  return url;
}

/** Checks that a key fits in a header and may be sent to this service. Error: `usage`. */
export function checkKeyFor(baseUrl: URL, apiKey: string): void {
  if (apiKey.length > maxKeyBytes) {
    throw new CliError('usage', t`This is not an API key: it has more than ${maxKeyBytes} characters.`, {
      hint: t`Copy only the key.`,
    });
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new CliError(
      'usage',
      t`This is not an API key: it contains characters that no key has, such as spaces.`,
      {
        hint: t`Copy the whole key again.`,
      },
    );
  }
  if (apiKey.startsWith(sandboxKeyPrefix) && !isLoopback(baseUrl.hostname)) {
    throw new CliError('usage', t`A sandbox key is not sent to ${baseUrl.host}.`, {
      hint: t`Use the key of the live service; sandbox keys go to this machine only.`,
    });
  }
}

/** Error: `usage`. */
export function checkProfileName(name: string): void {
  if (/^[\w.-]{1,64}$/.test(name) && !(name in {})) return;
  throw new CliError('usage', t`This cannot be the name of a profile.`, {
    hint: t`Use letters, digits, dots, dashes and underscores.`,
  });
}

/** Error: `file_changed`, when a profile is no longer as this command has read it. */
export function profileChanged(name: string): CliError {
  return new CliError(
    'file_changed',
    t`Profile ${name} was changed by another window or program meanwhile. It is left as it is now, and nothing was sent.`,
    { hint: t`Run the same command again.${again()}` },
  );
}

/** What is said of a service to a person. */
export const labelTexts = { LIVE: t`LIVE`, SANDBOX: t`SANDBOX` };

export function labelOf(apiKey: string): 'LIVE' | 'SANDBOX' {
  return apiKey.startsWith(sandboxKeyPrefix) ? 'SANDBOX' : 'LIVE';
}

/** Error: `configuration_invalid`. */
export async function isForSandbox({
  settings,
  identity,
}: {
  settings: Settings;
  identity(): Promise<Identity>;
}): Promise<boolean> {
  if (settings.sandbox) return true;
  const { apiKey } = await identity();
  return apiKey !== undefined && labelOf(apiKey.value) === 'SANDBOX';
}

/** A stored key is sent only to the origin for which it was stored. */
function keyForOrigin(settings: Settings, stored: Profile): Sourced<string> | undefined {
  if (stored.apiKey === undefined) return undefined;
  const requested = settings.baseUrl?.value;
  if (requested !== undefined && !isSameOrigin(requested, stored.baseUrl)) return undefined;
  return { value: stored.apiKey, source: 'profile' };
}

export function isSameOrigin(left: string | undefined, right: string | undefined): boolean {
  return originOf(left) === originOf(right);
}

function isSameUrl(left: string, right: string): boolean {
  const [one, other] = [left, right].map((url) => (URL.canParse(url) ? ordersUrl(new URL(url)).href : url));
  return one === other;
}

function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
}
