import type { Context } from './context.ts';
import { CliError } from './errors.ts';
import { checkProfileName } from './identity.ts';
import { FieldPathError } from './orders/field-path.ts';
import {
  defaultPlaces,
  type FieldPlaces,
  resolvePlaces,
  type UnnamedField,
} from './orders/unnamed-fields.ts';
import type { ProfileStore } from './system/profile-store.ts';

/** The places that somebody confirmed or set for a profile; they need not differ from the default ones. */
export type OwnPlaces = Partial<Record<UnnamedField, string>>;

/** Where the profile in force sends the fields that the interface does not name. Error: `configuration_invalid`. */
export async function readPlaces({
  settings,
  identity,
  profiles,
}: Pick<Context, 'settings' | 'identity' | 'profiles'>): Promise<FieldPlaces> {
  if (settings.sandbox) return defaultPlaces;
  const { profile } = await identity();
  return placesOfProfile(await readOwnPlaces(profiles, profile), profiles.path);
}

/** Error: `configuration_invalid` when the configuration file was edited and names no such field or place. */
export function placesOfProfile(own: OwnPlaces, path: string): FieldPlaces {
  try {
    return resolvePlaces(own);
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    throw new CliError(
      'configuration_invalid',
      `The configuration file ${path} has an invalid field: ${error.message}.`,
      {
        hint: 'Fix it there. Nothing was sent.',
        outcome: 'not_sent',
      },
    );
  }
}

export async function readOwnPlaces(profiles: ProfileStore, profile: string): Promise<OwnPlaces> {
  const { profiles: stored } = await profiles.read();
  return (Object.hasOwn(stored, profile) ? stored[profile]?.fields : undefined) ?? {};
}

/** Stores places in a profile, which may have nothing else; a blank one restores the default. Errors: `usage`, those of the store. */
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
