import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { check } from 'recheck';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join('src', name))
  .sort();
const page = 'src/sandbox/http/page.html';

interface Pattern {
  source: string;
  flags: string;
  place: string;
}

/** Files that build patterns. Those built when a module is loaded, or once at a first use, are all checked below. */
const builders = [
  'src/api/pacing/server-wait.ts',
  'src/api/responses/service-codes.ts',
  'src/clean-text.ts',
  'src/csv/write-csv.ts',
  // From the words of a form, escaped, with numbers of at most nine digits: those of the presets are checked.
  'src/import/mapping/lines.ts',
  'src/import/read/damage.ts',
  'src/import/words/delivery-words.ts',
  'src/import/words/money.ts',
  'src/import/words/payment-words.ts',
  'src/import/words/quantity.ts',
  'src/output/print.ts',
  'src/redact.ts',
  'src/sandbox/http/log-requests.ts',
  'src/sandbox/store/credentials.ts',
  'src/words/phrases.ts',
];

function literalsOf(path: string): { literals: Pattern[]; builds: boolean } {
  const text = readFileSync(join(root, path), 'utf8');
  const source = path === page ? (text.split(/<\/?script>/)[1] ?? '') : text;
  const literals: Pattern[] = [];
  let builds = false;
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(walk);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    const { type, start, regex, callee } = node as {
      type?: string;
      start: number;
      regex?: { pattern: string; flags: string };
      callee?: { name?: string };
    };
    if (type === 'Literal' && regex) {
      const place = `${path}:${source.slice(0, start).split('\n').length}`;
      literals.push({ source: regex.pattern, flags: regex.flags, place });
    }
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') builds = true;
    Object.values(node).forEach(walk);
  };
  walk(parseAst(source, { lang: 'ts' }));
  return { literals, builds };
}

/** Of one test of the text; Infinity when it does not end within a minute. */
function processorSeconds(source: string, flags: string, text: string): number {
  const script = `const [source, flags, text] = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
    const before = process.cpuUsage();
    new RegExp(source, flags).test(text);
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) / 1e6);`;
  const input = JSON.stringify([source, flags, text]);
  const { stdout } = spawnSync(process.execPath, ['-e', script], {
    input,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return stdout === '' ? Number.POSITIVE_INFINITY : Number(stdout);
}

/** So that what is built once at its first use is built here too. */
const firstUsesNoted: Plugin = {
  name: 'first-uses',
  setup: ({ onLoad }) =>
    onLoad({ filter: /words[/]phrases\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('let built', 'firstUses.push(build);\n  let built'),
      loader: 'ts',
    })),
};

/** What `new RegExp` is given when all modules are loaded and the forms of all presets are read. */
async function builtPatterns(): Promise<Pattern[]> {
  const { outputFiles } = await build({
    stdin: {
      resolveDir: root,
      contents: [
        ...files.map((path) => `import './${path}';`),
        "export { presets } from './src/import/mapping/shops/presets.ts';",
        "export { createLineParser } from './src/import/mapping/lines.ts';",
        "export { cleanData, cleanText } from './src/clean-text.ts';",
      ].join('\n'),
    },
    banner: {
      js: 'export const built = []; export const firstUses = []; const RegExp = class extends globalThis.RegExp { constructor(...given) { super(...given); built.push(this); } };',
    },
    bundle: true,
    treeShaking: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    loader: { '.html': 'text' },
    plugins: [firstUsesNoted],
    write: false,
  });
  const folder = join(root, 'node_modules/.cache/merchant-orders');
  mkdirSync(folder, { recursive: true });
  const bundle = join(folder, 'patterns.mjs');
  writeFileSync(bundle, outputFiles[0]?.contents ?? '');
  const { built, firstUses, presets, createLineParser, ...others } = await import(pathToFileURL(bundle).href);
  expect(firstUses.length).toBeGreaterThan(20);
  for (const build of firstUses) build();
  for (const clean of Object.values<(text: string) => string>(others)) clean('\u200b');
  for (const preset of Object.values(presets) as { lines?: unknown }[]) {
    for (const way of [preset.lines ?? []].flat() as { form?: string | string[] }[]) {
      if (way.form !== undefined) createLineParser(way);
    }
  }
  return (built as RegExp[]).map(({ source, flags }) => ({ source, flags, place: 'built' }));
}

test('no regular expression backtracks: its time grows with the length of the text only', async () => {
  const parsed = [...files, page].map((path) => ({ path, ...literalsOf(path) }));
  expect(parsed.filter(({ builds }) => builds).map(({ path }) => path)).toEqual(builders);
  const built = await builtPatterns();
  expect(built.length).toBeGreaterThan(builders.length);
  const all = [...parsed.flatMap(({ literals }) => literals), ...built];
  expect(all.length).toBeGreaterThan(300);
  const distinct = new Map(all.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
  const slow: string[] = [];
  for (const [text, { source, flags, place }] of distinct) {
    const found = await check(source, flags, { timeout: 60_000 });
    if (found.status === 'vulnerable') {
      // It was measured on the clock, which other programs may hold up.
      const seconds = processorSeconds(source, flags, found.attack.string);
      if (seconds > 1) slow.push(`${place} ${text} takes ${seconds} s for ${found.attack.pattern}`);
    }
    if (found.status === 'unknown') slow.push(`${place} ${text} cannot be checked`);
  }
  expect(slow).toEqual([]);
});
