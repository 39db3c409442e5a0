import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { applyChange, type Change, mutate } from './mutators.ts';

/** One change of one source file. The key stays the same while its line does. */
export interface Mutant extends Change {
  key: string;
  path: string;
  room: string;
  line: number;
  original: string;
}

/** Every room has at least this many mutants in a sample; the rest are shared by size. */
const minPerRoom = 24;

/** The mutants of all source files below `root`, by room. */
export function readMutants(root: string): Map<string, Mutant[]> {
  const rooms = new Map<string, Mutant[]>();
  for (const name of readdirSync(`${root}/src`, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.ts')) continue;
    const room = name.includes('/') ? (name.split('/')[0] ?? '') : 'root files';
    const mutants = mutantsOf(`src/${name}`, readFileSync(`${root}/src/${name}`, 'utf8'), room);
    rooms.set(room, [...(rooms.get(room) ?? []), ...mutants]);
  }
  return rooms;
}

function mutantsOf(path: string, source: string, room: string): Mutant[] {
  const seen = new Map<string, number>();
  return mutate(source).map((change) => {
    const lineStart = source.lastIndexOf('\n', change.start - 1) + 1;
    const lineText = source.slice(lineStart, source.indexOf('\n', change.start));
    const place = [path, lineText, change.start - lineStart, change.end - change.start, change.text].join(
      '\n',
    );
    const repeated = seen.get(place) ?? 0;
    seen.set(place, repeated + 1);
    return {
      ...change,
      key: hash(`${place}\n${repeated}`).slice(0, 12),
      path,
      room,
      line: source.slice(0, change.start).split('\n').length,
      original: source.slice(change.start, change.end),
    };
  });
}

/** How many mutants of each room a sample of this size has. */
export function sharesOf(rooms: ReadonlyMap<string, readonly Mutant[]>, size: number): Map<string, number> {
  const all = [...rooms.values()].reduce((sum, mutants) => sum + mutants.length, 0);
  const shared = Math.max(0, size - minPerRoom * rooms.size);
  return new Map(
    [...rooms].map(([room, mutants]) => [
      room,
      Math.min(mutants.length, minPerRoom + Math.ceil((shared * mutants.length) / all)),
    ]),
  );
}

/** The mutants in the order in which a sample with this seed takes them. */
export function inOrderOf(seed: string, mutants: readonly Mutant[]): Mutant[] {
  const order = new Map(mutants.map((mutant) => [mutant, hash(`${seed} ${mutant.key}`)]));
  return mutants.toSorted((a, b) => ((order.get(a) ?? '') < (order.get(b) ?? '') ? -1 : 1));
}

/** The source with a call at each place that a mutant is reached from, which has the mutants' keys. */
export function withCounters(source: string, mutants: readonly Mutant[]): string {
  const places = new Map<string, { place: NonNullable<Change['reached']>; keys: string[] }>();
  for (const { key, reached: place } of mutants) {
    if (place === undefined) continue;
    const id = `${place.start}-${place.end}`;
    places.set(id, { place, keys: [...(places.get(id)?.keys ?? []), key] });
  }
  const edits = [...places.values()].flatMap(({ place, keys }) => {
    const call = `globalThis.mutantReached?.(${keys.map((key) => `'${key}'`).join(', ')})`;
    if (!place.isExpression) return [{ start: place.start, end: place.start, text: `${call};` }];
    return [
      { start: place.start, end: place.start, text: `(${call}, ` },
      { start: place.end, end: place.end, text: ')' },
    ];
  });
  return edits.sort((a, b) => b.start - a.start).reduce(applyChange, source);
}

export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
