import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAst } from 'vitest/node';

/** Where words of others are read, which they give as nothing else, and why. */
const adapters: Record<string, string> = {
  'src/api/http/connect-failure.ts': 'Node has the code of OpenSSL only in the text of some errors.',
  'src/api/responses/page.ts': 'Some services say only in words that a filter leaves no orders.',
  'src/api/responses/message-text.ts': 'The message of a service is a text.',
  'src/commands/usage-error.ts': 'commander has the parts of its errors only in the text.',
  'src/system/sqlite.ts': 'Node adds file names to the text of an error of its loader.',
  'src/errors.ts': 'A message of a service may end with a full stop.',
  'src/system/prompts/prompts.ts': 'A question is wrapped between its words.',
};

const searches = new Set([
  ...['includes', 'startsWith', 'endsWith', 'match', 'matchAll', 'replace', 'replaceAll', 'search'],
  ...['indexOf', 'lastIndexOf', 'split'],
]);
const sentence =
  /^(?:hint|fix|message|why|sentence|reason|problem|cure|advice)$|(?:Hint|Fix|Message|Sentence|Reason|Cure)$/;

type Node = Record<string, unknown> & { type: string; start: number; end: number };

/** The calls that look for words in a sentence. */
function searchesIn(source: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each);
    else if (isNode(value)) {
      if (value.type === 'CallExpression' && isSearch(value))
        found.push(source.slice(value.start, value.end));
      for (const child of Object.values(value)) visit(child);
    }
  };
  visit(parseAst(source, { lang: 'ts' }));
  return found;
}

function isSearch({ callee, arguments: given }: Node): boolean {
  const { object, property } = callee as { object?: Node; property?: { name?: string } };
  const [text] = given as Node[];
  if (object === undefined) return false;
  if (property?.name === 'test' || property?.name === 'exec') return isSentence(text);
  return searches.has(property?.name ?? '') && isSentence(object);
}

/** Also what is made of one, such as `error.message.trim()` or `(hint ?? '')`. */
function isSentence(node: Node | undefined): boolean {
  if (node === undefined) return false;
  const { name, property, callee, left, expression } = node as Partial<Record<string, never>>;
  const ownName = node.type === 'Identifier' ? name : (property as { name?: string } | undefined)?.name;
  if (node.type === 'Identifier' || (node.type === 'MemberExpression' && sentence.test(ownName ?? '')))
    return sentence.test(ownName ?? '');
  if (node.type === 'CallExpression') return isSentence((callee as unknown as { object?: Node }).object);
  return isSentence((left ?? expression) as Node | undefined);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

describe('sentences', () => {
  const root = new URL('../', import.meta.url);
  const searching = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => searchesIn(readFileSync(new URL(path, root), 'utf8')).map((call) => ({ path, call })));

  it('are searched by nothing but the adapters', () => {
    expect(searching.filter(({ path }) => adapters[path] === undefined)).toEqual([]);
  });

  it('are searched by each adapter', () => {
    expect([...new Set(searching.map(({ path }) => path))].sort()).toEqual(Object.keys(adapters).sort());
  });
});

describe('a search in a sentence', () => {
  it.each([
    "fix.startsWith('add --decimal dot or')",
    "if (details.hint?.includes('--')) go();",
    '/\\bsame command\\b/.test(hint)',
    'const [, name] = /order (.*)/.exec(error.message) ?? [];',
    "why.includes(' order ')",
    "error.message.trim().endsWith('.')",
    "(details.hint ?? '').replaceAll(a, b)",
    "loginHint.split('. ')",
  ])('is seen: %s', (source) => {
    expect(searchesIn(source)).toHaveLength(1);
  });

  it.each([
    'fixes.includes(fix)',
    "path.startsWith('items')",
    'sentences.push(hint)',
    '/x/.test(word)',
    'hint.length',
  ])('is not: %s', (source) => {
    expect(searchesIn(source)).toEqual([]);
  });
});
