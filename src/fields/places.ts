import { command, joinTexts, type Text, t } from '../advice/advice.ts';
import type { Connection, Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { checkProfileName, profileChanged } from '../identity.ts';
import type { Ledger, LedgerPlace } from '../ledger/ledger.ts';
import { FieldPathError } from '../orders/field-path.ts';
import {
  defaultPlaces,
  type FieldPlaces,
  fieldNames,
  isNeeded,
  resolvePlaces,
  type UnnamedField,
} from '../orders/unnamed-fields.ts';
import type { ProfileStore } from '../system/configuration-files.ts';

/** The places that were set for a profile, default ones too. */
export type OwnPlaces = Partial<Record<UnnamedField, string>>;

interface KnownPlaces {
  places: FieldPlaces;
  /** `profile`: set for it by hand; otherwise as in the ledger. */
  known: Partial<Record<UnnamedField, 'profile' | LedgerPlace['known']>>;
}

type PlaceContext = Pick<Context, 'settings' | 'identity' | 'profiles' | 'openLedger'>;

/** Where the client in force sends the fields that the interface does not name. Error: `configuration_invalid`. */
export async function readKnownPlaces(context: PlaceContext): Promise<KnownPlaces> {
  const { settings, identity, profiles } = context;
  if (settings.sandbox) return { places: defaultPlaces, known: {} };
  const { profile, conflict } = await identity();
  if (conflict !== undefined) throw conflict;
  const own = await readOwnPlaces(profiles, profile);
  return mergePlaces(own, await readLedgerPlaces(context), profiles.path);
}

export async function readPlaces(context: PlaceContext): Promise<FieldPlaces> {
  return (await readKnownPlaces(context)).places;
}

/** Those of the profile come before those of the ledger. Error: `configuration_invalid`. */
export function mergePlaces(own: OwnPlaces, inLedger: readonly LedgerPlace[], path: string): KnownPlaces {
  const paths: OwnPlaces = { ...own };
  const known: KnownPlaces['known'] = {};
  for (const field of Object.keys(own) as UnnamedField[]) known[field] = 'profile';
  for (const { field, path, known: how } of inLedger) {
    if (own[field] !== undefined) continue;
    paths[field] = path;
    known[field] = how;
  }
  return { places: placesOfProfile(paths, path), known };
}

/** Empty when the ledger cannot be read: the command that writes to it reports that. */
async function readLedgerPlaces({ openLedger }: Pick<Context, 'openLedger'>): Promise<LedgerPlace[]> {
  let ledger: Ledger | undefined;
  try {
    ledger = await openLedger('read');
    return ledger?.places.all() ?? [];
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [];
  } finally {
    ledger?.close();
  }
}

/** Error: `configuration_invalid` for an unknown field or an invalid place in the configuration file. */
function placesOfProfile(own: OwnPlaces, path: string): FieldPlaces {
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

/** A blank place restores the default. Errors: `usage`, `file_changed`, those of the store. */
export async function storePlaces(profiles: ProfileStore, profile: string, places: OwnPlaces): Promise<void> {
  checkProfileName(profile);
  await profiles.update((now, seen) => {
    const [known, before] = [now, seen].map(({ profiles }) =>
      Object.hasOwn(profiles, profile) ? profiles[profile] : undefined,
    );
    const isChanged = ([field, path]: [string, string]) =>
      known?.fields?.[field] !== before?.fields?.[field] && known?.fields?.[field] !== path;
    if (known?.baseUrl !== before?.baseUrl || Object.entries(places).some(isChanged))
      throw profileChanged(profile);
    const { fields: _, ...others } = { ...known };
    const fields = Object.fromEntries(
      Object.entries({ ...known?.fields, ...places }).filter(([, path]) => path !== ''),
    );
    const stored = { ...others, ...(Object.keys(fields).length === 0 ? {} : { fields }) };
    return { ...now, profiles: { ...now.profiles, [profile]: stored } };
  });
}

/** `hidden`: those of the needed ones that an earlier order did not show. */
export interface FieldsToShow {
  open: UnnamedField[];
  hidden: UnnamedField[];
}

/**
 * Those of the fields, which orders carry, that a LIVE service has not shown yet. Where a person can be asked, the first
 * order shows them. Errors elsewhere, when one of them is needed: `fields_unconfirmed`, `fields_not_shown`.
 */
export async function fieldsToShow(
  context: PlaceContext,
  label: Connection['label'],
  fields: readonly UnnamedField[],
  canAsk: boolean,
): Promise<FieldsToShow> {
  if (label !== 'LIVE' || fields.length === 0) return { open: [], hidden: [] };
  const { known } = await readKnownPlaces(context);
  const open = fields.filter((field) => !['profile', 'set', 'shown'].includes(known[field] ?? ''));
  const needed = open.filter(isNeeded);
  const hidden = needed.filter((field) => known[field] === 'not_shown');
  if (needed.length === 0 || canAsk) return { open, hidden };
  const { profile, apiKey } = await context.identity();
  const name = apiKey?.source === 'profile' ? [profile] : [];
  const set = ['profiles', 'fields', ...name];
  throw new CliError(
    hidden.length > 0 ? 'fields_not_shown' : 'fields_unconfirmed',
    hidden.length > 0
      ? t`An earlier order showed that the service drops ${listFields(hidden)}. Nothing was sent.`
      : t`The service's documentation does not say where it expects ${listFields(needed)}, and no order has shown it yet. Nothing was sent.`,
    {
      hint: t`Ask your platform. Then store the paths:\n  ${command(...set, ...needed.map((field) => `${field}=PATH`))}\nor, if it takes them at the default paths:\n  ${command(...set, '--default')}`,
      outcome: 'not_sent',
    },
  );
}

/** Why the next order with these fields is watched. */
export function reasonToShow(fields: readonly UnnamedField[], hidden: readonly UnnamedField[]): Text {
  return fields.some((field) => hidden.includes(field))
    ? t`An earlier order showed that this service drops ${listFields(fields)}.`
    : t`No order has shown yet that this service takes ${listFields(fields)}.`;
}

/** `the quantity and the address` */
export function listFields(fields: readonly UnnamedField[]): Text {
  const ofAddress = fields.filter((field) => field.startsWith('address.'));
  const isWhole = ofAddress.length > 1;
  const names = fields.flatMap((field) => {
    if (!isWhole || !ofAddress.includes(field)) return fieldNames[field];
    return field === ofAddress[0] ? t`the address` : [];
  });
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : t`${joinTexts(names.slice(0, -1), ', ')} and ${last}`;
}
