import { toJSONSchema } from 'zod';
import { listSettings, type Setting } from '../../../src/sandbox/behaviour/parse.ts';
import { behaviourSchema } from '../../../src/sandbox/behaviour/schema.ts';

/** The settings for what the interface document leaves open: all but names and faults. */
export function openPoints(): Setting[] {
  return listSettings().filter(({ path }) => !/^(?:name|description|faults\..*)$/.test(path));
}

/** The value of a setting, or of a group of settings, by its path. */
export function valueAt(settings: object, path: string): unknown {
  return path.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], settings);
}

/** All values of a setting; undefined when they are not limited. */
function valuesOf(path: string): unknown[] | undefined {
  const schema = toJSONSchema(behaviourSchema, { io: 'input' });
  const node = valueAt(schema, `properties.${path.replaceAll('.', '.properties.')}`) as Record<
    string,
    unknown
  >;
  return (node.enum as unknown[] | undefined) ?? (node.type === 'boolean' ? [true, false] : undefined);
}

/** The values of a setting that are not in `used`. One with unlimited values needs its default and one other. */
export function missingValues({ path, default: preset }: Setting, used: unknown[]): string[] {
  const texts = new Set(used.map((value) => JSON.stringify(value)));
  const values = valuesOf(path);
  const missing = (values ?? [preset])
    .map((value) => JSON.stringify(value))
    .filter((text) => !texts.has(text));
  return values === undefined && texts.size < 2 ? [...missing, 'a value that is not the default'] : missing;
}
