import { z } from 'zod';
import { behaviourSchema } from './schema.ts';

type Value = string | number | boolean | null;

interface Node {
  /** A description of its values that replaces the one by type. */
  title?: string;
  description?: string;
  default?: unknown;
  properties?: Record<string, Node>;
  type?: string;
  enum?: Value[];
  anyOf?: Node[];
  items?: Node;
  minimum?: number;
}

export interface Setting {
  /** Such as `keys.repeated`. */
  path: string;
  description: string;
  /** Undefined for name and description. */
  default: unknown;
  /** Every value, or every member of a list; undefined when they are unlimited. */
  values: Value[] | undefined;
  isList: boolean;
  allowed: string;
}

export function listSettings(): Setting[] {
  return settingsOf(z.toJSONSchema(behaviourSchema, { io: 'input' }) as Node, '');
}

function settingsOf(node: Node, path: string): Setting[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const childPath = path === '' ? name : `${path}.${name}`;
    return child.properties ? settingsOf(child, childPath) : [toSetting(child, childPath)];
  });
}

function toSetting(node: Node, path: string): Setting {
  const { description = '', items } = node;
  return {
    path,
    description,
    default: node.default,
    values: valuesOf(items ?? node),
    isList: items !== undefined,
    allowed: allowedBy(node),
  };
}

function valuesOf({ enum: values, type }: Node): Value[] | undefined {
  return values ?? (type === 'boolean' ? [true, false] : undefined);
}

function allowedBy(node: Node): string {
  const values = valuesOf(node);
  if (values) return values.map((value) => String(value)).join(', ');
  if (node.title !== undefined) return node.title;
  if (node.anyOf) return node.anyOf.map(allowedBy).join(' or ');
  if (node.type === 'number') return 'a number';
  if (node.items) return `a list, each ${node.items.enum ? 'one of ' : ''}${allowedBy(node.items)}`;
  if (node.type === 'integer') return `a whole number of ${node.minimum} or more`;
  return node.type === 'null' ? 'null' : 'text that is not blank';
}
