import { listSettings, type Setting } from '../../../src/sandbox/behaviour/parse.ts';

/** The settings for what the interface document leaves open: all but names and faults. */
export function openPoints(): Setting[] {
  return listSettings().filter(({ path }) => path.includes('.') && !path.startsWith('faults.'));
}

/** The value of a setting, or of a group of settings, by its path. */
export function valueAt(settings: object, path: string): unknown {
  return path.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], settings);
}

/**
 * The values of a setting that are not in `used`. A setting with unlimited values needs its default and one other;
 * a list needs each of its members and the empty list.
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
