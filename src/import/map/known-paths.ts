import { distance } from 'fastest-levenshtein';

/** The fields of an order that the interface names (section 2.2), as headers write them. */
export const knownPaths = [
  'externalOrderId',
  'customer.phone',
  'customer.externalCustomerId',
  'items[].sku',
  'collectionMode',
  'collectionAmount',
  'total',
  'requestedDeliveryDate',
] as const;

const knownByName = new Map<string, string>(knownPaths.map((path) => [normalise(path), path]));

/** The known path that this name spells, for the line of its row or for a fixed one. */
export function knownPath(text: string): string | undefined {
  const name = normalise(text);
  const place = /^items(\[\d+\])/.exec(name)?.[1] ?? '[]';
  return knownByName.get(name.replace(place, '[]'))?.replace('[]', place);
}

/** A known path that this name all but spells; plain words and short ones must come closer than dotted ones. */
export function nearMiss(text: string, isPath: boolean): string | undefined {
  const name = withoutPlaces(normalise(text).replace(/[_-]/g, ''));
  return knownPaths.find((path) => {
    const lastName = path.slice(path.lastIndexOf('.') + 1);
    const most = isPath && lastName.length > 3 ? 2 : 1;
    return path.length >= 8 && distance(name, withoutPlaces(normalise(path))) <= most;
  });
}

function withoutPlaces(text: string): string {
  return text.replace(/\[\d*\]/g, '');
}

function normalise(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase();
}
