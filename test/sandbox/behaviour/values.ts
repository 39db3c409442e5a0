import { toJSONSchema } from 'zod';
import { behaviourSchema } from '../../../src/sandbox/behaviour/schema.ts';

/** Of a JSON schema, as zod writes it. */
export interface Node {
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  type?: string;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Node>;
  anyOf?: Node[];
  oneOf?: Node[];
  items?: Node;
}

export interface Setting {
  /** Such as `keys.repeated`. */
  path: string;
  node: Node;
}

export function listSettings(): Setting[] {
  return settingsOf(toJSONSchema(behaviourSchema, { io: 'input' }) as Node, '');
}

function settingsOf({ properties = {} }: Node, prefix: string): Setting[] {
  return Object.entries(properties).flatMap(([name, node]) => {
    const path = prefix + name;
    return node.properties && path !== 'refusals' ? settingsOf(node, `${path}.`) : [{ path, node }];
  });
}

/** For people. */
export function describeValues(node: Node): string {
  const { type, items, properties, minimum, maximum } = node;
  const options = node.anyOf ?? node.oneOf;
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum) return node.enum.join(', ');
  if (options) return options.map(describeValues).join(', or ');
  if (type === 'boolean') return 'true, false';
  if (items) return items.properties ? 'list, see below' : `list of ${describeValues(items)}`;
  if (properties) return `{${Object.keys(properties).join(', ')}}`;
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
    return `${type} from ${minimum} to ${maximum}`;
  return minimum === undefined || minimum < 0 ? String(type) : `${type} from ${minimum}`;
}

/** The settings for what the interface document leaves open: all but names and faults. */
export function openPoints(): Setting[] {
  return listSettings().filter(({ path }) => !/^(?:name|description|faults\..*)$/.test(path));
}

/** The value of a setting, or of a group of settings, by its path. */
export function valueAt(settings: object, path: string): unknown {
  return path.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], settings);
}

/** The values of a setting that are not in `used`. One with unlimited values needs its default and one other. */
export function missingValues({ node }: Setting, used: unknown[]): string[] {
  const texts = new Set(used.map((value) => JSON.stringify(value)));
  const values = node.enum ?? (node.type === 'boolean' ? [true, false] : undefined);
  const missing = (values ?? (node.properties ? [] : [node.default]))
    .map((value) => JSON.stringify(value))
    .filter((text) => !texts.has(text));
  return values === undefined && texts.size < 2 ? [...missing, 'a value that is not the default'] : missing;
}
