import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { CliError } from '../../errors.ts';
import { describeIssues } from './describe-issue.ts';
import { type Behaviour, behaviourSchema } from './schema.ts';

/** Adds the defaults. @throws CliError `file_invalid` naming the source, the setting and the allowed values */
export function parseBehaviour(settings: unknown, source: string): Behaviour {
  const { data, error } = behaviourSchema.safeParse(settings);
  if (data) return data;
  const problems = error.issues.map((issue) => describe(issue, settings));
  throw new CliError('file_invalid', `${source} is not a valid behaviour: ${problems.join('; ')}.`, {
    hint: 'Every setting and its values: fixtures/behaviours/README.md',
  });
}

export const defaultBehaviour: Behaviour = parseBehaviour({}, 'The default behaviour');

export function nameOf(behaviour: Behaviour): string {
  return behaviour.name ?? (isDeepStrictEqual(behaviour, defaultBehaviour) ? 'default' : 'custom');
}

/** The name defaults to that of the file. @throws CliError `file_invalid` */
export function parseBehaviourFile(text: string, path: string): Behaviour {
  const settings = readJson(text, path);
  const { name = fileNameOf(path), ...others } = parseBehaviour(settings, path);
  return { name, ...others };
}

function fileNameOf(path: string): string {
  return path.replace(/^.*[\\/]/, '').replace(/\.json$/i, '');
}

function readJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail = error instanceof SyntaxError ? error.message : String(error);
    throw new CliError('file_invalid', `${path} is not JSON: ${detail}.`, {
      hint: 'A behaviour is a JSON object, such as {"keys": {"repeated": "ignored"}}.',
    });
  }
}

function describe(issue: z.core.$ZodIssue, settings: unknown): string {
  if (issue.path[0] === 'faults' && issue.path.length > 3) {
    return describeIssues(behaviourSchema, settings, [issue]);
  }
  const path = issue.path.filter((segment) => typeof segment === 'string').join('.');
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => (path === '' ? key : `${path}.${key}`));
    const are = names.length === 1 ? 'is not a setting' : 'are not settings';
    return `${names.join(', ')} ${are}; ${path === '' ? 'there are' : `${path} has`} ${namesIn(path)}`;
  }
  if (issue.code === 'custom') return `${path} ${issue.message}`;
  const setting = listSettings().find((known) => known.path === path);
  if (setting) return `${path} has a wrong value; allowed: ${setting.allowed}`;
  return `${path === '' ? 'it' : path} is not an object; it has ${namesIn(path)}`;
}

function namesIn(group: string): string {
  const prefix = group === '' ? '' : `${group}.`;
  const inside = listSettings().filter(({ path }) => path.startsWith(prefix));
  return [...new Set(inside.map(({ path }) => path.slice(prefix.length).split('.')[0]))].join(', ');
}

/** Undefined for a path. @throws CliError `usage` for an unknown name */
export async function findPackaged(
  nameOrPath: string,
  list: () => Promise<readonly string[]>,
): Promise<string | undefined> {
  if (!/^[\w-]+$/.test(nameOrPath)) return undefined;
  const behaviours = (await list()).filter((file) => file.endsWith('.json'));
  const file = `${nameOrPath}.json`;
  if (behaviours.includes(file)) return file;
  throw new CliError('usage', `There is no behaviour called ${nameOrPath}.`, {
    hint: `Give a file, such as ./${file}, or one of: ${behaviours.map((name) => name.slice(0, -5)).join(', ')}`,
  });
}

type Value = string | number | boolean | null;

interface Node {
  /** Replaces the description of the values by their type. */
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
  /** All values, or members of a list; undefined when they are not limited. */
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
