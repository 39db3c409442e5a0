import { parseAst } from 'vitest/node';

/** A node of the syntax tree, with the fields that nodes of its type have in ESTree. */
interface Node {
  type: string;
  start: number;
  end: number;
  operator: string;
  left: Node;
  right: Node;
  argument: Node;
  test: Node | null;
  body: Node;
  object: Node;
  property: Node;
  callee: Node;
  key: Node;
  elements: Node[];
  arguments: Node[];
  value: unknown;
  directive?: string | null;
  computed: boolean;
  optional: boolean;
  importKind?: string;
  exportKind?: string;
}

/** One change of a source file: `text` instead of what stands between `start` and `end`. */
export interface Change {
  start: number;
  end: number;
  text: string;
  /** Where a counter can stand that says whether the change was reached; none for code of the module itself. */
  reached?: { start: number; end: number; isExpression: boolean };
}

type Edit = Pick<Change, 'start' | 'end' | 'text'>;
type Mutator = (node: Node, source: string) => Edit[];

const operators: Record<string, string[]> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '??=': ['='],
};

/** Methods that are replaced by others; by an empty name: the call is left out. */
const methods = new Map(
  Object.entries({
    some: 'every',
    every: 'some',
    filter: '',
    sort: '',
    reverse: '',
    slice: '',
    trim: '',
    trimStart: 'trimEnd',
    trimEnd: 'trimStart',
    normalize: '',
    startsWith: 'endsWith',
    endsWith: 'startsWith',
    toUpperCase: 'toLowerCase',
    toLowerCase: 'toUpperCase',
    find: 'findLast',
    findLast: 'find',
    indexOf: 'lastIndexOf',
    lastIndexOf: 'indexOf',
    replaceAll: 'replace',
    push: 'unshift',
    min: 'max',
    max: 'min',
  }),
);

const mutators: Record<string, Mutator> = {
  BinaryExpression: (node, source) => [...swapped(node, source), ...minus(node, source)],
  LogicalExpression: (node, source) =>
    node.operator === '??'
      ? [replace(node, textOf(node.left, source)), replace(node, textOf(node.right, source))]
      : swapped(node, source),
  AssignmentExpression: swapped,
  UnaryExpression: (node, source) =>
    node.operator === '!' || node.operator === '-' ? [replace(node, textOf(node.argument, source))] : [],
  UpdateExpression: (node, source) => {
    const text = textOf(node, source);
    return [replace(node, text.includes('++') ? text.replace('++', '--') : text.replace('--', '++'))];
  },
  ConditionalExpression: decided,
  IfStatement: decided,
  WhileStatement: never,
  ForStatement: never,
  ExpressionStatement: (node) => (node.directive ? [] : [replace(node, ';')]),
  ContinueStatement: (node) => [replace(node, ';')],
  ArrayExpression: (node) => (node.elements.length > 0 ? [replace(node, '[]')] : []),
  TemplateLiteral: (node) => [replace(node, '``')],
  Literal: literal,
  MemberExpression: (node, source) => {
    if (!node.optional) return [];
    const end = node.property.start;
    const dot = source.indexOf('?.', node.object.end);
    return [{ start: dot, end, text: node.computed ? '[' : '.' }];
  },
  CallExpression: call,
};

/** All changes of a source file that the mutators know, in order. */
export function mutate(source: string): Change[] {
  const changes: Change[] = [];
  const visit = (node: Node, parents: readonly Node[], reached: Change['reached']) => {
    if (isForTypes(node)) return;
    const place = counterPlace(node, parents) ?? reached;
    if (!isName(node, parents.at(-1))) {
      for (const edit of mutators[node.type]?.(node, source) ?? []) {
        if (edit.text !== source.slice(edit.start, edit.end)) {
          changes.push(place ? { ...edit, reached: place } : edit);
        }
      }
    }
    for (const child of childrenOf(node)) visit(child, [...parents, node], place);
  };
  visit(parseAst(source, { lang: 'ts' }) as never, [], undefined);
  return changes.sort((a, b) => a.start - b.start || a.end - b.end);
}

export function applyChange(source: string, { start, end, text }: Edit): string {
  return source.slice(0, start) + text + source.slice(end);
}

function isForTypes({ type, importKind, exportKind }: Node): boolean {
  const isValue = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'].includes(type);
  return (type.startsWith('TS') && !isValue) || importKind === 'type' || exportKind === 'type';
}

/** A string that names a module or a property. */
function isName(node: Node, parent: Node | undefined): boolean {
  if (node.type !== 'Literal' || parent === undefined) return false;
  return /^(?:Import|Export)/.test(parent.type) || (parent.key === node && !parent.computed);
}

/** The statement of a function, or the body of an arrow function, that holds the node. */
function counterPlace(node: Node, parents: readonly Node[]): Change['reached'] {
  const parent = parents.at(-1);
  if (!parents.some(({ type }) => /Function/.test(type))) return undefined;
  const { start, end } = node;
  if (parent?.type === 'BlockStatement' || (parent?.type === 'SwitchCase' && parent.test !== node)) {
    return { start, end, isExpression: false };
  }
  const isBody = parent?.type === 'ArrowFunctionExpression' && parent.body === node;
  return isBody && node.type !== 'BlockStatement' ? { start, end, isExpression: true } : undefined;
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof (value as Node | null)?.type === 'string');
}

function swapped(node: Node, source: string): Edit[] {
  const left = node.left;
  const right = node.right;
  const start = source.indexOf(node.operator, left.end);
  if (start >= right.start) return [];
  const end = start + node.operator.length;
  return (operators[node.operator] ?? []).map((text) => ({ start, end, text }));
}

/** `-` for the `+` of numbers; of strings it would be nonsense that no type checker lets through. */
function minus(node: Node, source: string): Edit[] {
  if (node.operator !== '+') return [];
  const left = node.left;
  const start = source.indexOf('+', left.end);
  return [{ start, end: start + 1, text: '-' }];
}

function decided({ test }: Node): Edit[] {
  return test ? [replace(test, 'true'), replace(test, 'false')] : [];
}

function never({ test }: Node): Edit[] {
  return test ? [replace(test, 'false')] : [];
}

function literal(node: Node, source: string): Edit[] {
  const text = textOf(node, source);
  if (text === 'true' || text === 'false') return [replace(node, text === 'true' ? 'false' : 'true')];
  if (typeof node.value === 'string') return [replace(node, node.value === '' ? "'mutant'" : "''")];
  return 'regex' in node ? withoutParts(text).map((changed) => replace(node, changed)) : [];
}

/** A regular expression without one of its flags, or without an anchor. */
function withoutParts(text: string): string[] {
  const flagsAt = text.lastIndexOf('/') + 1;
  const flags = [...text.slice(flagsAt)].map(
    (flag) => text.slice(0, flagsAt) + text.slice(flagsAt).replace(flag, ''),
  );
  const pattern = text.slice(1, flagsAt - 1);
  const open = pattern.startsWith('^') ? [text.replace('^', '')] : [];
  const closed = /[^\\]\$$/.test(pattern) ? [`/${pattern.slice(0, -1)}${text.slice(flagsAt - 1)}`] : [];
  return [...flags, ...open, ...closed];
}

function call(node: Node, source: string): Edit[] {
  const callee = node.callee;
  const optional = node.optional ? [withoutQuestion(callee, source)] : [];
  if (callee.type !== 'MemberExpression' || callee.computed) return optional;
  const property = callee.property;
  const name = textOf(property, source);
  const other = methods.get(name);
  if (name === 'slice' || name === 'at') optional.push(...oneFurther(node, source));
  if (other === undefined) return optional;
  return [
    ...optional,
    other === '' ? replace(node, textOf(callee.object, source)) : replace(property, other),
  ];
}

function withoutQuestion(callee: Node, source: string): Edit {
  const start = source.indexOf('?.', callee.end);
  return { start, end: start + 2, text: '' };
}

function oneFurther(node: Node, source: string): Edit[] {
  return node.arguments
    .filter((argument) => /^-?\d+$/.test(textOf(argument, source)))
    .map((argument) => replace(argument, String(Number(textOf(argument, source)) + 1)));
}

function replace({ start, end }: Node, text: string): Edit {
  return { start, end, text };
}

function textOf({ start, end }: Node, source: string): string {
  return source.slice(start, end);
}
