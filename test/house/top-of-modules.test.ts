import { describe, expect, it } from 'vitest';
import { parseAst } from 'vitest/node';
import { readSources } from './sources.ts';

/**
 * Nothing happens at the top of a module but constants: what is built there is built at each start that loads the module,
 * also where nobody needs it. These files make calls there: ceilings that only fall.
 */
const ceilings: Record<string, number> = {
  'src/advice/advice.ts': 1,
  'src/api/http/body.ts': 1,
  'src/api/pacing/server-wait.ts': 5,
  'src/api/responses/outcome.ts': 10,
  'src/api/responses/service-codes.ts': 4,
  'src/commands/import/import.ts': 1,
  'src/csv/write-csv.ts': 1,
  'src/import/columns/cell-kinds.ts': 3,
  'src/import/columns/header-roles.ts': 1,
  'src/import/columns/roles.ts': 1,
  'src/import/orders/group/row-problems.ts': 3,
  'src/import/read/damage.ts': 8,
  'src/import/read/detect.ts': 1,
  'src/import/read/split-rows.ts': 1,
  'src/import/read/workbook/number-formats.ts': 2,
  'src/import/words/payment-words.ts': 2,
  'src/ledger/run-history.ts': 2,
  'src/orders/calendar-date.ts': 2,
  'src/orders/compare.ts': 1,
  'src/orders/order-reference.ts': 2,
  'src/orders/order.ts': 2,
  'src/orders/unnamed-fields.ts': 1,
  'src/output/order-view.ts': 3,
  'src/output/table.ts': 3,
  'src/redact.ts': 1,
  'src/sandbox/behaviour/operations.ts': 1,
  'src/sandbox/behaviour/parse.ts': 1,
  'src/sandbox/http/log-requests.ts': 1,
  'src/sandbox/http/page.ts': 3,
  'src/settings.ts': 2,
  'src/system/temporary-file.ts': 1,
};

/** Constants for people, whole numbers of a day, and what builds nothing before it is first called. */
const allowed = new Set(
  't again advice command shellCommand flag String.raw Date.UTC promisify once wordsOf finderOf remember'.split(
    ' ',
  ),
);
const collections = ['Set', 'Map', 'WeakMap', 'WeakSet'];

interface Node {
  type: string;
  start: number;
  end: number;
  static?: boolean;
  callee?: Node;
  tag?: Node;
  arguments?: Node[];
}

/** The calls that a module makes when it is loaded. */
function callsAtTop(source: string): string[] {
  // A schema is made of calls. Modules with one are loaded only where values are checked.
  if (/ from 'zod(?:\/mini)?';/.test(source)) return [];
  const found: string[] = [];
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(visit);
    if (!isNode(part) || /Function|^TS(?:Interface|TypeAlias)/.test(part.type)) return;
    if (part.type === 'PropertyDefinition' && !part.static) return;
    const called = part.callee ?? part.tag;
    const name = called && source.slice(called.start, called.end);
    if (name !== undefined && !allowed.has(name) && !isConstant(part, name)) found.push(name);
    for (const value of Object.values(part)) visit(value);
  };
  visit(parseAst(source, { lang: 'ts' }).body);
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** A collection of what is written there, and a pattern that is. */
function isConstant({ type, arguments: given = [] }: Node, name: string): boolean {
  if (type !== 'NewExpression') return false;
  const areWritten = given.every((argument) => argument.type === 'ArrayExpression');
  return name === 'RegExp' || (collections.includes(name) && areWritten);
}

describe('the modules of src', () => {
  it('make no calls when they are loaded, but for those with a ceiling', () => {
    const sources = [...readSources('src')].filter(([path]) => path.endsWith('.ts'));
    const calls = new Map(sources.map(([path, source]) => [path, callsAtTop(source)]));
    const wrong = [...calls].filter(([path, found]) => found.length > (ceilings[path] ?? 0));
    expect(Object.fromEntries(wrong)).toEqual({});
    const lower = Object.entries(ceilings).filter(
      ([path, ceiling]) => (calls.get(path)?.length ?? 0) < ceiling,
    );
    expect(Object.fromEntries(lower), 'these make fewer: lower their ceilings').toEqual({});
  });
});

describe('the check of calls', () => {
  it.each([
    'const words = new Set(lists.words);',
    'const words = new Set(phrasesOf(lists.words));',
    "const pattern = new RegExp(words.join('|'));",
    "export const names = { many: 'a b'.split(' ') };",
    'class Order { static fields = Object.keys(all) }',
    'run();',
  ])('finds %s', (source) => {
    expect(callsAtTop(source)).not.toEqual([]);
  });

  it.each([
    'const words = once(() => new Set(lists.words));',
    "const words: ReadonlySet<string> = new Set(['a', 'b']);",
    'const known = new Map<string, number>();',
    "const pattern = new RegExp('^' + start);",
    'function words() { return lists.words.map(normalise); }',
    'class Order { fields = Object.keys(all); }',
    'const sentence = { hint: t`Do it again.`, next: again() };',
    "import * as z from 'zod/mini';\nconst order = z.object({ id: z.string() });",
  ])('lets be %s', (source) => {
    expect(callsAtTop(source)).toEqual([]);
  });
});
