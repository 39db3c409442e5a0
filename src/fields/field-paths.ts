import { command, joinTexts, type Text, t } from '../advice/advice.ts';
import type { Connection, Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { checkProfileName, profileChanged } from '../identity.ts';
import type { Ledger, LedgerFieldPath } from '../ledger/ledger.ts';
import { FieldPathError } from '../orders/field-path.ts';
import {
  defaultPaths,
  type FieldPaths,
  fieldNames,
  isNeeded,
  resolvePaths,
  type UnnamedField,
} from '../orders/unnamed-fields.ts';
import type { ProfileStore } from '../system/configuration-files.ts';

/** The paths that were set for a profile, default ones too. */
export type OwnPaths = Partial<Record<UnnamedField, string>>;

interface KnownPaths {
  fieldPaths: FieldPaths;
  /** `profile`: set for it by hand; otherwise as in the ledger. */
  known: Partial<Record<UnnamedField, 'profile' | LedgerFieldPath['known']>>;
}

type PlaceContext = Pick<Context, 'settings' | 'identity' | 'profiles' | 'openLedger'>;

/** Where the client in force sends the fields that the interface does not name. Error: `configuration_invalid`. */
async function readKnownPaths(context: PlaceContext): Promise<KnownPaths> {
  const { settings, identity, profiles } = context;
  if (settings.sandbox) return { fieldPaths: defaultPaths, known: {} };
  const { profile, conflict } = await identity();
  if (conflict !== undefined) throw conflict;
  const own = await readOwnPaths(profiles, profile);
  return mergePaths(own, await readLedgerPaths(context), profiles.path);
}

export async function readPaths(context: PlaceContext): Promise<FieldPaths> {
  return (await readKnownPaths(context)).fieldPaths;
}

/** Those of the profile come before those of the ledger. Error: `configuration_invalid`. */
export function mergePaths(own: OwnPaths, inLedger: readonly LedgerFieldPath[], path: string): KnownPaths {
  const paths: OwnPaths = { ...own };
  const known: KnownPaths['known'] = {};
  for (const field of Object.keys(own) as UnnamedField[]) known[field] = 'profile';
  for (const { field, path, known: how } of inLedger) {
    if (own[field] !== undefined) continue;
    paths[field] = path;
    known[field] = how;
  }
  return { fieldPaths: pathsOfProfile(paths, path), known };
}

/** Empty when the ledger cannot be read: the command that writes to it reports that. */
async function readLedgerPaths({ openLedger }: Pick<Context, 'openLedger'>): Promise<LedgerFieldPath[]> {
  let ledger: Ledger | undefined;
  try {
    ledger = await openLedger('read');
    return ledger?.fieldPaths.all() ?? [];
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [];
  } finally {
    ledger?.close();
  }
}

/** Error: `configuration_invalid` for an unknown field or an invalid path in the configuration file. */
function pathsOfProfile(own: OwnPaths, path: string): FieldPaths {
  try {
    return resolvePaths(own);
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    throw new CliError(
      'configuration_invalid',
      `The configuration file ${path} has an invalid field: ${error.message}.`,
      { hint: 'Fix it there. Nothing was sent.' },
    );
  }
}

export async function readOwnPaths(profiles: ProfileStore, profile: string): Promise<OwnPaths> {
  const { profiles: stored } = await profiles.read();
  return (Object.hasOwn(stored, profile) ? stored[profile]?.fields : undefined) ?? {};
}

/** A blank path restores the default. Errors: `usage`, `file_changed`, those of the store. */
export async function storePaths(
  profiles: ProfileStore,
  profile: string,
  fieldPaths: OwnPaths,
): Promise<void> {
  checkProfileName(profile);
  await profiles.update((now, seen) => {
    const [known, before] = [now, seen].map(({ profiles }) =>
      Object.hasOwn(profiles, profile) ? profiles[profile] : undefined,
    );
    const isChanged = ([field, path]: [string, string]) =>
      known?.fields?.[field] !== before?.fields?.[field] && known?.fields?.[field] !== path;
    if (known?.baseUrl !== before?.baseUrl || Object.entries(fieldPaths).some(isChanged))
      throw profileChanged(profile);
    const { fields: _, ...others } = { ...known };
    const fields = Object.fromEntries(
      Object.entries({ ...known?.fields, ...fieldPaths }).filter(([, path]) => path !== ''),
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
  const { known } = await readKnownPaths(context);
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
