import { distance } from 'fastest-levenshtein';
import { namesOf } from './lexicon.ts';
import { allRoles, roles } from './roles.ts';

const aliases = allRoles.flatMap((role) => {
  const { field } = roles[role];
  return (namesOf[role]?.aliases ?? []).flatMap((name) => (field === undefined ? [] : { name, field }));
});

/** The fields of the interface that a column may fill. */
export const knownPaths = [...new Set(aliases.map(({ field }) => field))];

const pathByAlias = new Map(aliases.map(({ name, field }) => [foldHeader(name), field]));

/** The service assigns the order number, so it is never the merchant's order ID, although it looks like an alias. */
const assignedByService = 'orderNumber';

export function pathOfAlias(header: string): string | undefined {
  return header === assignedByService ? undefined : pathByAlias.get(foldHeader(header));
}

export function closestHeaders(names: readonly string[], headers: readonly string[]): string[] {
  const folded = names.map(foldHeader);
  const difference = (header: string) =>
    Math.min(...folded.map((name) => distance(foldHeader(header), name) / name.length));
  return headers
    .map((header) => ({ header, difference: difference(header) }))
    .filter(({ difference }) => difference <= 0.34)
    .sort((left, right) => left.difference - right.difference)
    .map(({ header }) => header);
}

/** Header text for comparison: without case, spaces and byte order mark. */
export function foldHeader(header: string): string {
  return header
    .normalize('NFC')
    .replace(/[\s\u200b-\u200d\u2060\ufeff]+/g, '')
    .toLowerCase();
}

const knownByName = new Map<string, string>(knownPaths.map((path) => [normalise(path), path]));

/** The known path that a header spells, in any case and spacing; `items[2].sku` counts as `items[].sku`. */
export function knownPath(text: string): string | undefined {
  const name = normalise(text);
  const index = /^items(\[\d+\])/.exec(name)?.[1] ?? '[]';
  return knownByName.get(name.replace(index, '[]'))?.replace('[]', index);
}

/** A known path with a small misspelling; plain words and short names must be closer than dotted paths. */
export function nearMiss(text: string, isPath: boolean): string | undefined {
  if (knownPath(text) !== undefined) return undefined;
  const name = withoutIndexes(normalise(text).replace(/[_-]/g, ''));
  return knownPaths.find((path) => {
    const lastName = path.slice(path.lastIndexOf('.') + 1);
    const maxDistance = isPath && lastName.length > 3 ? 2 : 1;
    return path.length >= 8 && distance(name, withoutIndexes(normalise(path))) <= maxDistance;
  });
}

function withoutIndexes(text: string): string {
  return text.replace(/\[\d*\]/g, '');
}

function normalise(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase();
}
