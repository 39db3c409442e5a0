import { advice, completeCommand, type Text, t } from './advice/advice.ts';
import { cleanCell } from './clean-text.ts';
import type { Connection, Context } from './context.ts';
import { CliError } from './errors.ts';
import { checkProfileName, isForSandbox } from './identity.ts';
import { FieldPathError } from './orders/field-path.ts';
import {
  defaultPlaces,
  type FieldPlaces,
  resolvePlaces,
  type UnnamedField,
  unnamedFields,
} from './orders/unnamed-fields.ts';
import type { ProfileStore } from './system/configuration-files.ts';

/** The places that were confirmed or set for a profile, default ones too. */
export type OwnPlaces = Partial<Record<UnnamedField, string>>;

/** Where the profile in force sends the fields that the interface does not name. Error: `configuration_invalid`. */
export async function readPlaces({
  settings,
  identity,
  profiles,
}: Pick<Context, 'settings' | 'identity' | 'profiles'>): Promise<FieldPlaces> {
  if (settings.sandbox) return defaultPlaces;
  const { profile, conflict } = await identity();
  if (conflict !== undefined) throw conflict;
  return placesOfProfile(await readOwnPlaces(profiles, profile), profiles.path);
}

/** Those that the profile says where to send; in the sandbox all. Error: `configuration_invalid`. */
export async function placedFields(
  context: Pick<Context, 'settings' | 'identity' | 'profiles'>,
): Promise<UnnamedField[]> {
  if (await isForSandbox(context)) return unnamedFields;
  const { profile } = await context.identity();
  return Object.keys(await readOwnPlaces(context.profiles, profile)) as UnnamedField[];
}

/** Error: `configuration_invalid` for an unknown field or an invalid place in the configuration file. */
export function placesOfProfile(own: OwnPlaces, path: string): FieldPlaces {
  try {
    return resolvePlaces(own);
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    throw new CliError(
      'configuration_invalid',
      `The configuration file ${path} has an invalid field: ${error.message}.`,
      { hint: 'Fix it there. Nothing was sent.', outcome: 'not_sent' },
    );
  }
}

export async function readOwnPlaces(profiles: ProfileStore, profile: string): Promise<OwnPlaces> {
  const { profiles: stored } = await profiles.read();
  return (Object.hasOwn(stored, profile) ? stored[profile]?.fields : undefined) ?? {};
}

/** A blank place restores the default. Errors: `usage`, those of the store. */
export async function storePlaces(profiles: ProfileStore, profile: string, places: OwnPlaces): Promise<void> {
  checkProfileName(profile);
  const configuration = await profiles.read();
  const stored = Object.hasOwn(configuration.profiles, profile) ? configuration.profiles[profile] : {};
  const { fields: before, ...others } = { ...stored };
  const fields = Object.fromEntries(
    Object.entries({ ...before, ...places }).filter(([, path]) => path !== ''),
  );
  configuration.profiles[profile] = { ...others, ...(Object.keys(fields).length === 0 ? {} : { fields }) };
  await profiles.write(configuration);
}

/**
 * Makes sure that somebody has said for this profile where a LIVE service expects these fields: at a terminal it asks,
 * once. Errors: `fields_unconfirmed` without one, and with `--yes`, since this is a decision; `not_confirmed`.
 */
export async function confirmPlaces(
  { settings, profiles, prompts, print, say }: Context,
  { label, labelWithProfile, profile }: Pick<Connection, 'label' | 'labelWithProfile' | 'profile'>,
  fields: readonly UnnamedField[],
): Promise<void> {
  if (label !== 'LIVE' || profile === undefined) return;
  const own = await readOwnPlaces(profiles, profile);
  const unset = fields.filter((field) => own[field] === undefined);
  if (unset.length === 0) return;
  const places = Object.fromEntries(unset.map((field) => [field, defaultPlaces[field]]));
  const commandFor = (assignments: string[]) =>
    completeCommand(['profiles', 'fields', profile, ...assignments]);
  const where = listOf(unset);
  if (!prompts || settings.yes) {
    const command = commandFor(unset.map((field) => `${field}=${places[field]}`));
    throw new CliError(
      'fields_unconfirmed',
      t`The service's documentation does not say where it expects ${where}, and the paths have not been confirmed. Nothing was sent.`,
      {
        hint: t`Run this once, with other paths if your platform expects them elsewhere, then start again:\n  ${command}`,
        outcome: 'not_sent',
      },
    );
  }
  const width = Math.max(...unset.map((field) => field.length));
  const list = unset.map((field) => `  ${field.padEnd(width)}  ${places[field]}`);
  const change = commandFor([`${unset[0]}=PATH`]);
  print.note(
    t`The service's documentation does not say where it expects ${where}. They will be sent as\n${list.join('\n')}\nTo change that:\n  ${change}\n`,
  );
  const whose = String(labelWithProfile) === label ? '' : advice`${labelWithProfile}: `;
  if (
    !(await prompts.confirm(advice`${whose}${t`Does your platform expect them there? (asked only once)`}`))
  ) {
    throw new CliError('not_confirmed', t`Nothing was sent.`, {
      hint: t`Set where your platform expects them, then start again:\n  ${change}`,
      outcome: 'not_sent',
    });
  }
  try {
    await storePlaces(profiles, profile, places);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'configuration_not_writable') throw error;
    print.note(cleanCell(say(t`warning: ${error.sentence} The places will be asked about again.`)));
  }
}

function listOf(names: readonly string[]): Text {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : t`${names.slice(0, -1).join(', ')} and ${last}`;
}
