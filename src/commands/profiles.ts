import { Argument, type Command } from 'commander';
import { advice, command, joinTexts, type Text, t } from '../advice/advice.ts';
import { cleanCell } from '../clean-text.ts';
import type { Context, OpenContext } from '../context.ts';
import { CliError } from '../errors.ts';
import type { OwnPaths } from '../fields/field-paths.ts';
import { explain } from '../flags.ts';
import { labelOf } from '../identity.ts';
import type { LedgerFieldPath } from '../ledger/ledger.ts';
import { FieldPathError } from '../orders/field-path.ts';
import type { JsonObject } from '../orders/json.ts';
import { defaultPaths, resolvePaths, type UnnamedField, unnamedFields } from '../orders/unnamed-fields.ts';
import { maskKey } from '../redact.ts';
import { type LanguageCode, languageCodes } from '../settings.ts';
import type { Configuration, Profile } from '../system/configuration-files.ts';

const examples = `
Examples:
  $ merchant-orders profiles
  $ merchant-orders profiles use shop
  $ merchant-orders profiles language mn
  $ merchant-orders profiles fields shop 'quantity=items[].quantity'

A profile holds the address and the key of one service; "login --profile NAME" creates one.`;

/** `explain` does not wrap lines that are indented. */
const linesOfFields = () =>
  unnamedFields
    .join(', ')
    .replaceAll(/(.{1,70})(?:, |$)/g, '\n  $1,')
    .slice(0, -1);

const fieldExamples = () => `
Examples:
  $ merchant-orders profiles fields
  $ merchant-orders profiles fields --default
  $ merchant-orders profiles fields shop 'quantity=items[].qty' note=remark
  $ merchant-orders profiles fields shop quantity=

The service's documentation does not name these fields, so each platform may expect them elsewhere:${linesOfFields()}
FIELD=PATH says where one is sent, and FIELD= restores the default. --default says that all belong at the default paths.
Without any of them the paths are listed, and how each is known. What is set here is not checked any more; otherwise the
first order shows whether the service takes it. With a name it is stored in that profile; without one it is stored for the
API key in use, also when that comes from the environment.`;

const profileName = ['<name>', 'the name of a profile'] as const;

export function registerProfiles(command: Command, open: OpenContext): void {
  explain(command, examples).action(async (_flags: unknown, self: Command) => runProfiles(await open(self)));
  command
    .command('use')
    .description('use this profile from now on')
    .argument(...profileName)
    .action(async (name: string, _flags: unknown, self: Command) => runUse(await open(self), name));
  command
    .command('remove')
    .description('remove a profile with its address, key, fields, mappings and used product codes')
    .argument(...profileName)
    .action(async (name: string, _flags: unknown, self: Command) => runRemove(await open(self), name));
  command
    .command('language')
    .description('speak this language at a terminal from now on')
    .addArgument(new Argument('<language>', 'mn (Mongolian) or en (English)').choices(languageCodes))
    .action(async (language: LanguageCode, _flags: unknown, self: Command) =>
      runLanguage(await open(self, language), language),
    );
  const fields = command
    .command('fields')
    .description('show or set where fields are sent that the documentation of the service does not name');
  explain(fields, fieldExamples())
    .argument('[name]', 'the name of a profile')
    .argument('[field=path...]', 'fields and the paths they are sent as')
    .option('--default', 'all fields belong at the default paths')
    .action(
      async (name: string | undefined, fieldPaths: string[], flags: { default?: boolean }, self: Command) => {
        // Without a name, the first argument is a field with "=".
        const words = name === undefined ? [] : [name, ...fieldPaths];
        const named = words[0]?.includes('=') ? undefined : words.shift();
        await runFields(await open(self), named, words, flags.default ?? false);
      },
    );
}

async function runProfiles({ profiles, report, print }: Context): Promise<void> {
  const { currentProfile, profiles: stored } = await profiles.read();
  const records = Object.entries(stored).map(([name, profile]) => {
    const { baseUrl = null, apiKey } = profile;
    return {
      name,
      current: name === currentProfile,
      service: apiKey === undefined ? null : labelOf(apiKey),
      baseUrl,
      apiKey: apiKey === undefined ? null : maskKey(apiKey),
    };
  });
  report.records('profiles', records, ['name', 'current', 'service', 'baseUrl', 'apiKey'], {
    heads: [t`name`, t`current`, t`service`, t`address`, t`API key`],
    rows: records.map(({ name, current, service, baseUrl, apiKey }) => {
      return [name, current ? t`yes` : '', service ?? '', baseUrl ?? '', apiKey ?? ''];
    }),
  });
  if (records.length === 0) print.note(t`No profiles. To store one, run: ${command('login')}`);
}

async function runUse({ profiles, settings, print }: Context, name: string): Promise<void> {
  const profile = findProfile(await profiles.read(), name);
  await profiles.update((now) => {
    findProfile(now, name);
    return { ...now, currentProfile: name };
  });
  print.note(t`Profile ${name} is used from now on (${describe(profile)}).`);
  const { profile: other } = settings;
  if (other !== undefined && other.value !== name) {
    const source = other.source === 'flag' ? '--profile' : 'MERCHANT_ORDERS_PROFILE';
    print.note(t`${source} takes precedence while it is set: it names ${cleanCell(other.value)}.`);
  }
}

async function runLanguage({ profiles, print, system }: Context, language: LanguageCode): Promise<void> {
  await profiles.update((now) => ({ ...now, language }));
  print.note(t`Stored: ${language === 'mn' ? 'Монгол' : 'English'}.`);
  const { MERCHANT_ORDERS_LANG: named = '' } = system.env;
  if (named !== '')
    print.note(t`${'MERCHANT_ORDERS_LANG'} takes precedence while it is set: it names ${cleanCell(named)}.`);
}

async function runRemove(context: Context, name: string): Promise<void> {
  const { profiles, skus, print } = context;
  const profile = findProfile(await profiles.read(), name);
  // The profile is removed last, so that the command can be repeated if a file cannot be written.
  const { forgetMappings } = await import('../mappings/remembered-mappings.ts');
  const forgotten = await forgetMappings(context, (known) => known.profile === name);
  const { used } = await skus.read();
  if (used.some((list) => list.profile === name))
    await skus.update((all) => ({ used: all.used.filter((list) => list.profile !== name) }));
  let isCurrent = false;
  let others: string[] = [];
  await profiles.update(({ currentProfile, ...now }) => {
    const { [name]: _, ...kept } = now.profiles;
    isCurrent = currentProfile === name;
    others = Object.keys(kept);
    return { ...now, ...(isCurrent ? {} : { currentProfile }), profiles: kept };
  });
  print.note(t`Removed profile ${name} (${describe(profile)}).`);
  if (forgotten.length > 0) print.note(t`Its remembered mappings are removed: ${forgotten}.`);
  const [first] = others;
  if (isCurrent && first !== undefined)
    print.note(t`To choose another, run:\n  ${command('profiles', 'use', first)}`);
}

/** Without assignments it only prints. The current profile may have no key of its own. */
async function runFields(
  context: Context,
  named: string | undefined,
  assignments: readonly string[],
  isDefault: boolean,
): Promise<void> {
  const { profiles, identity, report, print } = context;
  if (isDefault && assignments.length > 0)
    throw new CliError('usage', t`--default and a path cannot be used together.`, {
      hint: t`Remove one of them.`,
    });
  const { mergePaths, readOwnPaths, storePaths } = await import('../fields/field-paths.ts');
  const inUse = (await identity()).profile;
  const name = named ?? inUse;
  if (name !== inUse) findProfile(await profiles.read(), name);
  const isChange = isDefault || assignments.length > 0;
  const ledger = name === inUse ? await context.openLedger(isChange ? 'write' : 'read') : undefined;
  try {
    const own = await readOwnPaths(profiles, name);
    const { fieldPaths } = mergePaths(own, ledger?.fieldPaths.all() ?? [], profiles.path);
    const changes = isDefault ? defaultPaths : parsePaths(assignments, fieldPaths);
    const fields = Object.keys(changes) as UnnamedField[];
    if (isChange) {
      const isOfKey = named === undefined && ledger !== undefined;
      await ledger?.transaction(() => {
        ledger.fieldPaths.forget(fields);
        if (isOfKey) ledger.fieldPaths.record(setPaths(changes));
      });
      // Those of the profile come first.
      const isInProfile = fields.some((field) => own[field] !== undefined);
      const forgotten = Object.fromEntries(fields.map((field) => [field, '']));
      if (!isOfKey || isInProfile) await storePaths(profiles, name, isOfKey ? forgotten : changes);
      print.note(isOfKey ? t`Stored for the API key in use.` : t`Stored in profile ${name}.`);
    }
    const { fieldPaths: now, known } = mergePaths(
      await readOwnPaths(profiles, name),
      ledger?.fieldPaths.all() ?? [],
      profiles.path,
    );
    const rows = unnamedFields.map(
      (field) => [field, now[field], howKnown[known[field] ?? 'unknown']] as const,
    );
    const records = rows.map(([field, path, how]): JsonObject => ({ field, path, known: String(how) }));
    report.records('fields', records, ['field', 'path', 'known'], {
      heads: [t`field`, t`path`, t`known`],
      rows,
    });
  } finally {
    ledger?.close();
  }
}

const howKnown = {
  profile: t`set in the profile`,
  set: t`set for the API key`,
  shown: t`shown by an order`,
  chosen: t`chosen, and not shown yet`,
  not_shown: t`not shown by an order`,
  unknown: t`not known yet`,
} as const;

/** A blank path is forgotten. */
function setPaths(changes: OwnPaths): LedgerFieldPath[] {
  return Object.entries(changes).flatMap(([field, path]) =>
    path === '' ? [] : { field: field as UnnamedField, path, known: 'set' as const },
  );
}

/** `quantity=items[].qty` → the changes, checked together with the paths that stay. Error: `usage`. */
function parsePaths(assignments: readonly string[], before: OwnPaths): OwnPaths {
  const changes: OwnPaths = Object.fromEntries(
    assignments.map((assignment) => {
      const [field = '', path] = assignment.split(/=(.*)/s);
      if (path === undefined) throw invalidPath(t`A field and its path need "=" between them`);
      return [field.trim(), path.trim()];
    }),
  );
  try {
    resolvePaths({ ...before, ...changes });
    return changes;
  } catch (error) {
    if (error instanceof FieldPathError) throw invalidPath(error.problem);
    throw error;
  }
}

function invalidPath(problem: Text): CliError {
  return new CliError('usage', advice`${problem}.`, {
    hint: t`See: ${command('profiles', 'fields', '--help')}`,
  });
}

/** Error: `usage`. */
function findProfile({ profiles }: Configuration, name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const known = Object.keys(profiles).join(', ');
  const login = t`To store one, run: ${command('login', '--profile', name)}`;
  const hint = known === '' ? login : t`The profiles are: ${known}.`;
  throw new CliError('usage', t`There is no profile "${name}".`, { hint });
}

function describe({ baseUrl, apiKey }: Profile): Text {
  const key = apiKey === undefined ? t`no key` : t`key ${maskKey(apiKey)}, ${labelOf(apiKey)}`;
  return baseUrl === undefined ? key : joinTexts([baseUrl, key], ', ');
}
