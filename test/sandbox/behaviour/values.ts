import { listSettings, type Setting } from '../../../src/sandbox/behaviour/parse.ts';

/** What the interface document leaves open; neither names nor faults. */
export function openPoints(): Setting[] {
  return listSettings().filter(({ path }) => path.includes('.') && !path.startsWith('faults.'));
}

/** The value of a setting, or of a group of settings, by its path. */
export function valueAt(settings: object, path: string): unknown {
  return path.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], settings);
}

/**
 * The values of a setting that `used` leaves out. One without an end of values needs its default and another;
 * a list needs each member, and none.
 */
export function missingValues({ values, isList, default: preset }: Setting, used: unknown[]): string[] {
  const texts = new Set(used.map((value) => JSON.stringify(value)));
  const missing = (wanted: unknown[]) =>
    wanted.map((value) => JSON.stringify(value)).filter((text) => !texts.has(text));
  if (values === undefined) {
    return [...missing([preset]), ...(texts.size > 1 ? [] : ['a value that is not the default'])];
  }
  if (!isList) return missing(values);
  const members = used.flat();
  return [...missing([[]]), ...values.filter((value) => !members.includes(value)).map(String)];
}
