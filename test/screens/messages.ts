import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vitest/node';
import { Sentence } from '../../src/advice/advice.ts';
import { packageRoot } from '../support/cli.ts';

/** A node of the syntax tree, with what is read of it here. */
interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** Words that are compared with files and responses, or sent to the database, but never shown. */
const silentFiles = [
  'src/import/columns/header-roles.ts',
  'src/api/responses/http-date.ts',
  'src/api/responses/service-codes.ts',
  'src/commands/completion/scripts.ts',
  'src/sandbox/faults/broken-responses.ts',
  'src/sandbox/faults/retry-after.ts',
  'src/sandbox/faults/substitute-responses.ts',
  'src/sandbox/store/customers.ts',
  'src/sandbox/store/order-list.ts',
  'src/sandbox/store/orders.ts',
  'src/sandbox/store/requests.ts',
  'src/sandbox/store/seed.ts',
];
/** What is read in a browser or by a generator of clients. */
const otherMedia = ['src/sandbox/http/page.ts'];
const silentText =
  /^(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|PRAGMA|BEGIN|COMMIT|ROLLBACK|WITH|FROM|CASE|WHERE|AND|ORDER BY|ON CONFLICT|LEFT JOIN|SAVEPOINT|RELEASE|CASE)\b/;

/** Calls that take a text of any length that is shown. */
const speakers = new Set(['description', 'summary', 'note', 'warn', 'confirm', 'text', 'option', 'argument']);

const root = fileURLToPath(packageRoot);

function sourcePaths(): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts'))
    .sort();
}

/** What the program can say, by file: each text of the sources that is a sentence, a phrase or a help text. */
export function listMessages(): string {
  const paths = sourcePaths()
    .filter((path) => !silentFiles.includes(path))
    .filter((path) => !otherMedia.some((folder) => path.startsWith(folder)));
  const parts = paths.flatMap((path) => {
    const messages = messagesOf(readFileSync(join(root, path), 'utf8'));
    return messages.length === 0 ? [] : [`${path}\n${messages.map((text) => `  ${text}\n`).join('')}`];
  });
  return parts.join('\n');
}

/** The templates of the sentences of both languages in src, and how often each is there: `Created {0} ({1}).` */
export function sentencesOfBothLanguages(): Map<string, number> {
  const found = new Map<string, number>();
  const visit = (node: Node): void => {
    if (node.type === 'TaggedTemplateExpression' && (node.tag as { name?: string }).name === 't') {
      const quasis = (node.quasi as Node).quasis as { value: { cooked: string } }[];
      const template = new Sentence(
        quasis.map(({ value }) => value.cooked),
        [],
      ).template;
      found.set(template, (found.get(template) ?? 0) + 1);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  for (const path of sourcePaths()) {
    visit(parseAst(readFileSync(join(root, path), 'utf8'), { lang: 'ts' }) as never);
  }
  return found;
}

/** The texts of one source file in its order; `{name}` stands for a value, `[a|b]` for one of two texts. */
export function messagesOf(source: string): string[] {
  const found: string[] = [];
  const visit = (node: Node, isSpoken: boolean): void => {
    if (node.type === 'ImportDeclaration' || node.type.startsWith('TS') || node.type === 'RegExpLiteral') {
      // A cast has a value inside.
      const { expression } = node;
      if (node.type.startsWith('TS') && isNode(expression)) visit(expression, isSpoken);
      return;
    }
    if (isSilent(node)) return;
    const text = textOf(node, source);
    if (text !== undefined) {
      if (isMessage(text, isSpoken)) found.push(text.replaceAll('\n', '\n    ').trimEnd());
      for (const inner of valuesIn(node)) visit(inner, false);
      return;
    }
    const isTagged = node.type === 'TaggedTemplateExpression' && (node.tag as { name?: string }).name === 't';
    const spoken = isTagged || (node.type === 'CallExpression' && speakers.has(nameOfCall(node)));
    for (const child of childrenOf(node))
      visit(child, spoken || (isSpoken && node.type === 'ConditionalExpression'));
  };
  visit(parseAst(source, { lang: 'ts' }) as never, false);
  return found;
}

/** A list of words that is written as one text, or the key by which equal problems are counted. */
function isSilent(node: Node): boolean {
  if (node.type === 'CallExpression') return nameOfCall(node) === 'split';
  return node.type === 'Property' && (node.key as { name?: string }).name === 'cause';
}

function isMessage(text: string, isSpoken: boolean): boolean {
  const words = text.replaceAll(/\{[^}]*\}/g, 'x');
  // A key that is made of several texts has a control character between them.
  if (silentText.test(words.trim()) || / LIMIT \?$/.test(words) || /[^\P{Cc}\n]/u.test(words)) return false;
  if (isSpoken) return /\p{L}{2}/u.test(words);
  return /\p{L}{2}/u.test(text.replaceAll(/\{[^}]*\}/g, '')) && /\S\s+\S|^\p{Lu}\p{L}+[.?:]$/u.test(words);
}

/** The text of a literal, a template or a sum of them; undefined for anything else. */
function textOf(node: Node, source: string): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'TemplateLiteral') {
    const values = node.expressions as Node[];
    return (node.quasis as { value: { cooked: string } }[])
      .map(({ value }, index) => value.cooked + (values[index] ? valueText(values[index], source) : ''))
      .join('');
  }
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [node.left, node.right].map((side) => textOf(side as Node, source));
    if (left === undefined && right === undefined) return undefined;
    return (left ?? valueText(node.left as Node, source)) + (right ?? valueText(node.right as Node, source));
  }
  return undefined;
}

/** How a value of a template is shown: its last name, or the texts that it is one of. */
function valueText(node: Node, source: string): string {
  if (node.type === 'ConditionalExpression') {
    const [one, other] = [node.consequent, node.alternate].map((side) => textOf(side as Node, source));
    if (one !== undefined && other !== undefined) return `[${one}|${other}]`;
  }
  const typed = typedText(node, source);
  if (typed !== undefined) return typed;
  const callee = node.type === 'CallExpression' ? nameOfCall(node) : '';
  if (callee !== '') return `{${callee}()}`;
  const name = /(\w+)$/.exec(source.slice(node.start, node.end))?.[1];
  return node.type === 'Identifier' || node.type === 'MemberExpression' ? `{${name ?? 'value'}}` : '{value}';
}

/** What is typed, as src/advice writes it; undefined for anything else. */
function typedText(node: Node, source: string): string | undefined {
  const name = node.type === 'CallExpression' ? nameOfCall(node) : '';
  if (!['command', 'completeCommand', 'again', 'shellCommand', 'flag'].includes(name)) return undefined;
  const words = (node.arguments as Node[])
    .flatMap((value) => (value.type === 'ArrayExpression' ? (value.elements as Node[]) : [value]))
    .map((value) => textOf(value, source) ?? valueText(value, source));
  if (name === 'again') return words.length === 0 ? '' : ['\n  {args}', ...words].join(' ');
  return [...(name.endsWith('ommand') && name !== 'shellCommand' ? ['merchant-orders'] : []), ...words].join(
    ' ',
  );
}

/** What stands inside a text and may have texts of its own. */
function valuesIn(node: Node): Node[] {
  if (node.type === 'TemplateLiteral') {
    return (node.expressions as Node[]).flatMap((value) => {
      if (value.type === 'ConditionalExpression') return shownInside(value);
      return typedText(value, '') === undefined ? [value] : [];
    });
  }
  if (node.type !== 'BinaryExpression') return [];
  return [node.left as Node, node.right as Node].flatMap((side) =>
    ['Literal', 'TemplateLiteral', 'BinaryExpression'].includes(side.type) ? valuesIn(side) : [side],
  );
}

/** A choice of two texts is part of the text around it; anything else of it is visited. */
function shownInside(choice: Node): Node[] {
  const sides = [choice.consequent as Node, choice.alternate as Node];
  const isTexts = sides.every(({ type }) => type === 'Literal' || type === 'TemplateLiteral');
  return isTexts ? sides.flatMap(valuesIn) : [choice];
}

function nameOfCall({ callee }: Node): string {
  const { name, property } = callee as { name?: string; property?: { name?: string } };
  return name ?? property?.name ?? '';
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}
