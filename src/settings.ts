import { createSay, type Language, type Say, t } from './advice/advice.ts';
import type { UserShell } from './advice/command-line.ts';
import { CliError } from './errors.ts';
import type { Format } from './output/reporter.ts';

export const formats = ['table', 'json', 'ndjson', 'csv', 'tsv', 'text'] as const satisfies readonly Format[];

/** Of `--timeout`: the time limit of one order or page. */
export const defaultTimeoutSeconds = 60;

export interface GlobalFlags {
  profile?: string;
  baseUrl?: string;
  sandbox?: boolean;
  format?: Format;
  json?: boolean;
  columns?: string[];
  header?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  color?: boolean;
  input?: boolean;
  yes?: boolean;
  timeout?: number;
}

export type Settings = ReturnType<typeof resolveSettings>;

export interface Sourced<Value> {
  value: Value;
  source: 'flag' | 'environment' | 'profile';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Flags win over the environment. Error: `usage` when two settings contradict each other. */
export function resolveSettings(flags: GlobalFlags, env: Environment) {
  if (flags.sandbox && flags.baseUrl !== undefined) {
    throw new CliError('usage', t`--sandbox and --base-url name two different services.`, {
      hint: t`Remove one of them.`,
    });
  }
  if (flags.json && flags.format !== undefined && flags.format !== 'json') {
    throw new CliError('usage', t`--json and --format ${flags.format} contradict each other.`, {
      hint: t`Remove one of them.`,
    });
  }
  const takesSandboxVariable =
    flags.sandbox === undefined && flags.baseUrl === undefined && isOn(env.MERCHANT_ORDERS_SANDBOX);
  const format: Format = flags.json ? 'json' : (flags.format ?? 'table');
  if (flags.columns !== undefined && (format === 'json' || format === 'ndjson')) {
    throw new CliError('usage', t`--columns chooses columns, and ${format} has none.`, {
      hint: t`Remove it, or add --format csv.`,
    });
  }
  return {
    profile: sourced(flags.profile, env.MERCHANT_ORDERS_PROFILE),
    baseUrl: sourced(flags.baseUrl, env.MERCHANT_ORDERS_BASE_URL),
    apiKey: sourced(undefined, env.MERCHANT_ORDERS_API_KEY?.trim()),
    sandbox: flags.sandbox ?? (takesSandboxVariable && flags.profile === undefined),
    /** The environment asks for the sandbox, and `--profile` for another service. */
    contradictsSandbox: takesSandboxVariable && flags.profile !== undefined,
    format,
    columns: flags.columns,
    header: flags.header ?? true,
    quiet: flags.quiet ?? false,
    verbose: flags.verbose ?? false,
    noColour: flags.color === false,
    noInput: flags.input === false || isOn(env.MERCHANT_ORDERS_NO_INPUT) || isOn(env.CI),
    /** Nothing that was written to the terminal is drawn again: for screen readers, and for terminals that cannot. */
    isPlain: env.TERM === 'dumb' || isOn(env.ACCESSIBLE),
    yes: flags.yes ?? false,
    /** The time limit of one order or page, with all its attempts. */
    timeoutMilliseconds: Math.ceil((flags.timeout ?? defaultTimeoutSeconds) * 1000),
  };
}

/** Needed even when the flags are invalid. */
export function errorFormat(flags: GlobalFlags): Format {
  return flags.json ? 'json' : (formats.find((format) => format === flags.format) ?? 'table');
}

function sourced(flag: string | undefined, variable: string | undefined): Sourced<string> | undefined {
  if (flag !== undefined) return { value: flag, source: 'flag' };
  return variable ? { value: variable, source: 'environment' } : undefined;
}

export function isOn(variable: string | undefined): boolean {
  return variable !== undefined && !['', '0', 'false', 'no'].includes(variable.toLowerCase());
}

export function serviceFlags({ sandbox, profile, baseUrl }: GlobalFlags): string[][] {
  return [
    ...(sandbox ? [['--sandbox']] : []),
    ...(profile === undefined ? [] : [['--profile', profile]]),
    ...(baseUrl === undefined ? [] : [['--base-url', baseUrl]]),
  ];
}

interface LanguageReader {
  env: Environment;
  terminal: { stdout: boolean; stderr: boolean };
  /** What `login` stored, if the configuration can be read. */
  storedLanguage(): Promise<unknown>;
}

/** The language of each stream; undefined for English, which files, pipes and programs get. */
export interface Languages {
  out: Language | undefined;
  err: Language | undefined;
}

interface LanguageChoice {
  /** Whether standard output is, even in a pipe. */
  isForPerson?: boolean;
  /** What was chosen just now, and is not stored yet. */
  language?: LanguageCode | undefined;
}

/** Error: `usage` for an unknown language. */
export async function chooseLanguages(
  reader: LanguageReader,
  { isForPerson = false, language: chosen }: LanguageChoice = {},
): Promise<Languages> {
  const named = namedLanguage(reader.env) ?? chosen;
  const { stdout, stderr } = reader.terminal;
  const [out, err] = [stdout || isForPerson, stderr];
  if (!out && !err) return { out: undefined, err: undefined };
  const code = named ?? (await storedLanguage(reader)) ?? localeLanguage(reader.env);
  const language = code === 'mn' ? await loadMongolian() : undefined;
  return { out: out ? language : undefined, err: err ? language : undefined };
}

export type LanguageCode = 'en' | Language['code'];
export const languageCodes: readonly LanguageCode[] = ['en', 'mn'];

/** Error: `usage`. */
function namedLanguage({ MERCHANT_ORDERS_LANG: named }: LanguageReader['env']): LanguageCode | undefined {
  if (named === undefined || named === '') return undefined;
  const code = languageCodes.find((one) => one === named);
  if (code !== undefined) return code;
  throw new CliError(
    'usage',
    `MERCHANT_ORDERS_LANG is "${named}", which is no language of merchant-orders.`,
    {
      hint: 'Set it to mn (Mongolian) or en (English).',
    },
  );
}

async function storedLanguage(
  reader: Pick<LanguageReader, 'storedLanguage'>,
): Promise<LanguageCode | undefined> {
  const stored = await reader.storedLanguage();
  return languageCodes.find((code) => code === stored);
}

/** Whether nothing names a language, and the locale or the time zone is of Mongolia. */
export function looksMongolian(env: Environment, timeZone: string): boolean {
  if (env.MERCHANT_ORDERS_LANG) return false;
  return localeLanguage(env) === 'mn' || mongolianTimeZones.has(timeZone);
}

/** With the former names, which some systems still have. */
const mongolianTimeZones = new Set(
  ['Ulaanbaatar', 'Ulan_Bator', 'Choibalsan', 'Hovd'].map((city) => `Asia/${city}`),
);

/** As gettext reads it; `mn_MN.UTF-8` is Mongolian. */
export function localeLanguage({ LC_ALL, LC_MESSAGES, LANG }: LanguageReader['env']): LanguageCode {
  return /^mn(?![a-z])/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'mn' : 'en';
}

export async function sayIn(code: LanguageCode, shell: UserShell): Promise<Say> {
  return createSay(shell, code === 'mn' ? await loadMongolian() : undefined);
}

async function loadMongolian(): Promise<Language> {
  const { default: sentences } = await import('./output/language/mn.json', { with: { type: 'json' } });
  return { code: 'mn', sentences };
}
