import { advice, again, command } from '../../advice/advice.ts';
import { ownNames } from '../files.ts';
import type { PrivateDirectory } from '../private-files.ts';
import { createJsonStore, type JsonStore } from './json-store.ts';

export interface Profile {
  baseUrl?: string;
  apiKey?: string;
  /** Field → the path as which it is sent, as the user confirmed or set it. */
  fields?: Record<string, string>;
}

export interface Configuration {
  currentProfile?: string;
  profiles: Record<string, Profile>;
}

export type ProfileStore = Omit<JsonStore<Configuration>, 'update'>;

export function createProfileStore(directory: PrivateDirectory): ProfileStore {
  return createJsonStore<Configuration>(directory, {
    fileName: ownNames.configuration,
    empty: { profiles: {} },
    loadShape: async () => (await import('./configuration-shape.ts')).configurationShape,
    what: 'configuration file',
    cure: advice`run: ${command('login')}`,
    unchanged: 'The stored profiles are unchanged.',
  });
}

/** A mapping of columns that holds for files with these columns, in any order. */
export interface StoredMapping {
  name: string;
  profile: string;
  /** The names of the columns, without blank ones and those that begin with `_`. */
  columns: string[];
  /** JSON text, whose numbers keep their digits. */
  mapping: string;
  /** Column → the values of the files for which it was made (`SeenValues`). */
  seen: Record<string, string[]>;
  /** Times in RFC 3339. */
  savedAt: string;
  usedAt: string;
}

export interface StoredMappings {
  mappings: StoredMapping[];
}

export type MappingStore = JsonStore<StoredMappings>;

export function createMappingStore(directory: PrivateDirectory): MappingStore {
  return createJsonStore<StoredMappings>(directory, {
    fileName: ownNames.mappings,
    empty: { mappings: [] },
    loadShape: async () => (await import('./configuration-shape.ts')).mappingsShape,
    what: 'file of remembered mappings',
    cure: 'add the mappings again; --map none imports without them',
    unchanged: 'The remembered mappings are unchanged.',
  });
}

interface UsedSkus {
  /** The list that was used last comes first; so does the SKU in each. */
  used: { profile: string; service: string; skus: string[] }[];
}

export type SkuStore = JsonStore<UsedSkus>;

export function createSkuStore(directory: PrivateDirectory): SkuStore {
  return createJsonStore<UsedSkus>(directory, {
    fileName: ownNames.skus,
    empty: { used: [] },
    loadShape: async () => (await import('./configuration-shape.ts')).skusShape,
    what: 'file of product codes',
    cure: advice`run the same command again.${again()}`,
    unchanged: 'The product codes that were used before are unchanged.',
  });
}
