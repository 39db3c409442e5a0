import * as z from 'zod';

type Value = string | number | boolean | null;

/** Of a JSON schema, as zod writes it. */
export interface Node {
  /** Replaces the description of the values by their type. */
  title?: string;
  description?: string;
  default?: unknown;
  type?: string;
  const?: Value;
  enum?: Value[];
  anyOf?: Node[];
  oneOf?: Node[];
  properties?: Record<string, Node>;
  propertyNames?: Node;
  additionalProperties?: Node | false;
  items?: Node;
  format?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  minItems?: number;
}

/** `rules[0].match.route: must be one of create, get, list, cancel` */
export function describeIssues(
  schema: z.ZodType,
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
): string {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node;
  return issues.map((issue) => describe(root, value, issue)).join('; ');
}

function describe(root: Node, value: unknown, issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_key') {
    const { node } = walk(root, value, issue.path.slice(0, -1));
    return `${pathText(issue.path)}: must be ${allowedBy(node?.propertyNames ?? {})}`;
  }
  const { node, found } = walk(root, value, issue.path);
  if (issue.code === 'custom') return `${pathText(issue.path)}: ${issue.message}`;
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => pathText([...issue.path, key]));
    return `${names.join(', ')}: unknown; ${namesOf(node)}`;
  }
  return `${pathText(issue.path)}: ${found === undefined ? 'missing; it ' : ''}must be ${allowedBy(node ?? {})}`;
}

function pathText(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the value';
  return path
    .map((segment, at) =>
      typeof segment === 'number' ? `[${segment}]` : `${at === 0 ? '' : '.'}${String(segment)}`,
    )
    .join('');
}

function walk(root: Node, value: unknown, path: readonly PropertyKey[]) {
  let node: Node | undefined = root;
  let found = value;
  for (const segment of path) {
    const children: Node[] = branchesOf(node, found).flatMap(({ items, properties, additionalProperties }) =>
      typeof segment === 'number'
        ? (items ?? [])
        : (properties?.[String(segment)] ?? (additionalProperties || [])),
    );
    node = children.length > 1 ? { anyOf: children } : children[0];
    found = isObject(found) && Object.hasOwn(found, segment) ? found[segment] : undefined;
  }
  const [only, ...others] = branchesOf(node, found);
  return { node: others.length === 0 ? only : node, found };
}

/** The alternatives that match the constants in the value, such as its `kind`. */
function branchesOf(node: Node | undefined, value: unknown): Node[] {
  const branches = node?.anyOf ?? node?.oneOf;
  if (branches === undefined) return node === undefined ? [] : [node];
  const meant = branches.filter(({ properties }) => {
    const constants = Object.entries(properties ?? {}).filter(([, property]) => property.const !== undefined);
    return (
      constants.length > 0 &&
      constants.every(([name, property]) => isObject(value) && value[name] === property.const)
    );
  });
  return meant.length > 0 ? meant : branches;
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null;
}

function namesOf(node: Node | undefined): string {
  const branches = node?.anyOf ?? node?.oneOf ?? [node];
  const names = branches.flatMap((branch) => Object.keys(branch?.properties ?? {}));
  return names.length === 0 ? 'there are none' : `allowed: ${names.join(', ')}`;
}

export function allowedBy(node: Node): string {
  const { title, type, items } = node;
  const branches = node.anyOf ?? node.oneOf;
  if (title !== undefined) return title;
  const values = branches ? branches.flatMap((branch) => branch.const ?? []) : (node.enum ?? []);
  if (values.length > 0 && values.length === (branches ?? values).length) return oneOf(values);
  if (branches) return [...new Set(branches.map(allowedBy))].join(', or ');
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (type === 'boolean') return 'true or false';
  if (type === 'integer' || type === 'number') return numberBy(node);
  if (items) return `a list${node.minItems ? ' that is not empty' : ''}, each ${allowedBy(items)}`;
  if (type === 'object') return node.properties ? `an object; ${namesOf(node)}` : 'an object';
  if (node.format === 'date-time') return 'a time such as 2026-11-25T08:30:00Z';
  if (node.format === 'uri') return 'a URL';
  return type === 'null' ? 'null' : node.minLength ? 'text that is not empty' : 'text';
}

function oneOf(values: readonly Value[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
}

function numberBy({ type, minimum, exclusiveMinimum, maximum }: Node): string {
  const name = type === 'integer' ? 'a whole number' : 'a number';
  const isBound = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  if (isBound(minimum) && isBound(maximum)) return `${name} from ${minimum} to ${maximum}`;
  if (isBound(minimum)) return `${name} of ${minimum} or more`;
  if (!isBound(exclusiveMinimum)) return name;
  return `${name} above ${exclusiveMinimum}${isBound(maximum) ? `, at most ${maximum}` : ''}`;
}
