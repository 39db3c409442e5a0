import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { describe, expect, it } from 'vitest';

/**
 * Which rooms (folders and files directly in src), or which file of one, a room may import. `type` allows types
 * only, `lazy` allows `await import()` only. docs/layout.md describes the rooms.
 */
const doors: Record<string, string[]> = {
  'clean-text': [],
  advice: ['clean-text'],
  errors: ['type advice'],
  redact: ['clean-text', 'orders'],
  orders: ['errors'],
  csv: ['clean-text', 'errors'],
  api: ['advice', 'redact', 'orders', 'errors', 'type system'],
  ledger: ['advice', 'orders', 'errors', 'type system'],
  import: ['advice', 'api', 'ledger', 'orders', 'csv', 'errors', 'type system'],
  output: ['advice', 'clean-text', 'orders', 'csv', 'errors', 'type import'],
  system: ['advice', 'errors'],
  sandbox: ['advice', 'clean-text', 'redact', 'orders', 'csv', 'errors', 'system/waits', 'type system'],
  flags: ['orders', 'errors'],
  settings: ['output', 'errors'],
  'field-places': ['advice', 'clean-text', 'orders', 'errors', 'identity', 'type context', 'type system'],
  'remembered-mappings': ['advice', 'import', 'orders', 'errors', 'type context', 'type system'],
  'pick-order': ['advice', 'api', 'orders', 'output', 'errors', 'type context'],
  identity: ['advice', 'api', 'errors', 'type settings', 'type system'],
  context: [
    'type api',
    'type ledger',
    'type output',
    'type create-context',
    'type identity',
    'type settings',
    'type system',
    'type sandbox-host',
  ],
  commands: [
    ...[
      'advice',
      'import',
      'api',
      'ledger',
      'output',
      'orders',
      'csv',
      'errors',
      'flags',
      'identity',
      'pick-order',
      'field-places',
      'remembered-mappings',
      'redact',
      'clean-text',
    ],
    ...['type context', 'type settings', 'type sandbox-host', 'type system'],
  ],
  program: ['errors', 'flags', 'output', 'lazy commands', 'lazy help-topics', 'type context'],
  'help-topics': [],
  library: ['advice', 'sandbox', 'system', 'orders', 'errors'],
  'sandbox-host': ['advice', 'system', 'errors', 'lazy sandbox', 'type sandbox'],
  'create-context': [
    'advice',
    'errors',
    'type redact',
    'lazy ledger',
    'type ledger',
    'identity',
    'settings',
    'sandbox-host',
    'output',
    'system',
    'program',
    'api',
    'lazy api',
    'type context',
  ],
  main: [
    'advice',
    'commands/usage-error',
    'program',
    'settings',
    'output',
    'redact',
    'system',
    'errors',
    'lazy create-context',
  ],
};

/** The folders of a room, lowest first: a folder may import itself and those before it. '.' is the room itself. */
const floors: Record<string, string[][]> = {
  api: [['http'], ['responses'], ['pacing'], ['.'], ['pages'], ['operations']],
  import: [
    ['.'],
    ['workbook'],
    ['table'],
    ['columns'],
    ['map'],
    ['cells', 'shops'],
    ['orders'],
    ['propose', 'results'],
    ['send'],
  ],
  sandbox: [
    ['behaviour'],
    ['openapi'],
    ['store'],
    ['record'],
    ['rules'],
    ['http'],
    ['faults'],
    ['admin', 'page'],
    ['.'],
  ],
};

/** Small files with one importer, which is beside them, and why each stays a file of its own. */
const smallFiles: Record<string, string> = {
  'src/commands/create/recent-orders.ts': 'Which orders a phone has had lately is looked up by itself.',
  'src/commands/import/confirm.ts': 'What a person is asked before orders are sent is looked up by itself.',
  'src/commands/import/questions/keep-mapping.ts': 'Where the answers are kept is looked up by itself.',
  'src/commands/import/workbook-questions.ts':
    'What a person is asked about a workbook is looked up by itself.',
  'src/import/workbook/parts.ts':
    'How the parts of an archive refer to each other has nothing to do with sheets.',
  'src/commands/imports/results.ts': 'It is a command of its own.',
  'src/system/machine.ts': 'What the machine offers is looked up by itself.',
  'src/system/prompts/inquirer.ts': 'Loaded only to ask, because @inquirer/prompts takes long to load.',
};

const maxFilesInFolder = 15;
const maxLines = 600;
/** A file with fewer lines belongs in its only importer when that is beside it. */
const minPrivateLines = 80;

type Sources = ReadonlyMap<string, string>;

interface Import {
  target: string;
  kind: 'value' | 'type' | 'lazy';
}

function importsOf(path: string, source: string): Import[] {
  const found: Import[] = [];
  const add = (target: string, kind: Import['kind']) =>
    found.push({ target: normalize(join(dirname(path), target)), kind });
  for (const [, kind, target = ''] of source.matchAll(
    /^(?:import|export) (type )?[^;]*?from '(\.[^']+)';/gms,
  )) {
    add(target, kind ? 'type' : 'value');
  }
  for (const [, target = ''] of source.matchAll(/await import\('(\.[^']+)'\)/g)) add(target, 'lazy');
  for (const [, target = ''] of source.matchAll(/(?<!await )import\('(\.[^']+)'\)/g)) add(target, 'type');
  return found;
}

function roomOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '');
}

/** The folder of a file inside its room: the first one below the room, or '.'. */
function folderOf(path: string): string {
  return path.split('/').length > 3 ? (path.split('/')[2] ?? '.') : '.';
}

function linesOf(source: string): number {
  return source.split('\n').length - 1;
}

/** Imports through doors that are closed, and output that bypasses the print sink. */
function closedDoors(path: string, source: string): string[] {
  const room = roomOf(path);
  const allowed = doors[room];
  if (allowed === undefined) return [`${path}: there is no room called ${room}`];
  const wrong = importsOf(path, source).flatMap(({ target, kind }) => {
    const other = roomOf(target);
    if (other === room) return opensOtherCommand(path, target) ? [`${path} opens ${target}`] : [];
    const file = target.replace(/^src\/|\.ts$/g, '');
    const isOpen =
      allowed.includes(other) ||
      allowed.includes(file) ||
      (kind !== 'value' && allowed.includes(`${kind} ${other}`));
    return isOpen ? [] : [`${path} opens ${target} (${kind})`];
  });
  const isSink =
    ['src/output/print.ts', 'src/system/shell.ts'].includes(path) || path.startsWith('src/output/status/');
  const prints = /\bconsole\b|\bprocess\.(?:stdout|stderr)|\b(?:stdout|stderr|stream)\.write\(/;
  const takesProcess = room !== 'system' && source.includes("from 'node:process'");
  if (!isSink && (takesProcess || prints.test(source))) wrong.push(`${path} prints past the sink`);
  return wrong;
}

/** A command imports only files of its own folder, and of the folders in it. */
function opensOtherCommand(path: string, file: string): boolean {
  const isAround = (folder: string) => `${dirname(file)}/`.startsWith(`${folder}/`);
  const own = [dirname(path), ...(dirname(path).split('/').length > 3 ? [dirname(dirname(path))] : [])];
  return roomOf(path) === 'commands' && !own.some(isAround);
}

/** Folders of a room that import each other in a circle, or upwards where the room has floors. */
function wrongDirections(sources: Sources): string[] {
  const below = new Map<string, Set<string>>();
  const wrong: string[] = [];
  for (const [path, source] of sources) {
    for (const { target } of importsOf(path, source)) {
      const room = roomOf(path);
      const [from, to] = [folderOf(path), folderOf(target)];
      if (roomOf(target) !== room || from === to) continue;
      const levels = floors[room];
      const levelOf = (folder: string) => levels?.findIndex((folders) => folders.includes(folder)) ?? -1;
      if (levels !== undefined && levelOf(to) >= levelOf(from)) wrong.push(`${path} opens ${target}`);
      const key = `${room}/${from}`;
      below.set(key, (below.get(key) ?? new Set()).add(`${room}/${to}`));
    }
  }
  for (const folder of below.keys()) {
    const reached = new Set<string>();
    const visit = (place: string) => {
      for (const next of below.get(place) ?? []) {
        if (reached.has(next)) continue;
        reached.add(next);
        visit(next);
      }
    };
    visit(folder);
    if (reached.has(folder)) wrong.push(`src/${folder} is in a circle of imports`);
  }
  return wrong;
}

function wrongSizes(sources: Sources): string[] {
  const wrong: string[] = [];
  const counts = new Map<string, number>();
  for (const [path, source] of sources) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    if (linesOf(source) > maxLines) wrong.push(`${path} has ${linesOf(source)} lines`);
    if (/\b(?:utils?|helpers?|common|shared|misc)\b/.test(path)) wrong.push(`${path} could hold anything`);
  }
  for (const [folder, count] of counts) {
    if (count > maxFilesInFolder) wrong.push(`${folder} has ${count} files`);
  }
  return wrong;
}

/** Small files whose only importer is beside them. */
function privateFiles(sources: Sources): string[] {
  const importers = new Map<string, Set<string>>();
  for (const [path, source] of sources) {
    for (const { target } of importsOf(path, source)) {
      importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  return [...sources].flatMap(([path, source]) => {
    const [importer, ...others] = importers.get(path) ?? [];
    const isPrivate = importer !== undefined && others.length === 0 && dirname(importer) === dirname(path);
    return isPrivate && dirname(path) !== 'src' && linesOf(source) < minPrivateLines ? [path] : [];
  });
}

function readSources(): Map<string, string> {
  const root = new URL('../', import.meta.url);
  const names = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${name.replaceAll('\\', '/')}`);
  return new Map(names.map((path) => [path, readFileSync(new URL(path, root), 'utf8')]));
}

describe('the house', () => {
  const sources = readSources();

  it('was read', () => {
    expect(sources.size).toBeGreaterThan(50);
  });

  it('opens its doors one way, and prints through one sink', () => {
    expect([...sources].flatMap(([path, source]) => closedDoors(path, source))).toEqual([]);
  });

  it('has folders that import each other one way', () => {
    expect(wrongDirections(sources)).toEqual([]);
  });

  it(`has no file over ${maxLines} lines, no folder of more than ${maxFilesInFolder} files, and no drawer for everything`, () => {
    expect(wrongSizes(sources)).toEqual([]);
  });

  it('has no small file that only a neighbour needs, but for those with a reason', () => {
    expect(privateFiles(sources).sort()).toEqual(Object.keys(smallFiles).sort());
  });
});

describe('a house', () => {
  it.each([
    ['src/orders/order.ts', "import { createClient } from '../api/client.ts';"],
    ['src/api/client.ts', "import { formatTable } from '../output/table.ts';"],
    ['src/api/client.ts', "import { systemClock } from '../system/clock.ts';"],
    ['src/import/orders/plan-import.ts', "import {\n  formatTable,\n} from '../../output/table.ts';"],
    ['src/sandbox/http/app.ts', "import { readOrder } from '../../api/responses/order.ts';"],
    ['src/sandbox/http/app.ts', "import type { CallResult } from '../../api/pacing/attempts.ts';"],
    ['src/output/table.ts', "import { planImport } from '../import/orders/plan-import.ts';"],
    ['src/ledger/ledger.ts', "import { openDatabase } from '../system/sqlite.ts';"],
    ['src/commands/cancel/cancel.ts', "import { runList } from '../list.ts';"],
    ['src/commands/import/questions/ask.ts', "import { runCreate } from '../../create/create.ts';"],
    ['src/commands/get.ts', "import { startSandbox } from '../sandbox/sandbox.ts';"],
    ['src/sandbox-host.ts', "import { startSandbox } from './sandbox/sandbox.ts';"],
    ['src/commands/get.ts', "const { run } = await import('../main.ts');"],
    ['src/program.ts', "import { runGet } from './commands/get.ts';"],
    ['src/orders/order.ts', "export { readOrder } from '../api/responses/order.ts';"],
    ['src/commands/get.ts', "console.log('found');"],
    ['src/api/client.ts', "process.stderr.write('retry');"],
    ['src/commands/get.ts', "system.stdout.write('found');"],
    ['src/tools/text.ts', ''],
  ])('keeps its doors closed: %s with %j', (path, source) => {
    expect(closedDoors(path, source)).not.toEqual([]);
  });

  it.each([
    ['src/api/client.ts', "import type { Clock } from '../system/clock.ts';"],
    ['src/commands/create/create.ts', "import { buildDraft } from './draft.ts';"],
    ['src/sandbox-host.ts', "const { startSandbox } = await import('./sandbox/sandbox.ts');"],
  ])('lets %s have %j', (path, source) => {
    expect(closedDoors(path, source)).toEqual([]);
  });

  it('has no circle between folders of a room', () => {
    const circle = new Map([
      ['src/commands/cancel/cancel.ts', "import { a } from '../create/create.ts';"],
      ['src/commands/create/create.ts', "import type { B } from '../import/import.ts';"],
      ['src/commands/import/import.ts', "import { c } from '../cancel/cancel.ts';"],
    ]);
    expect(wrongDirections(circle)).toContain('src/commands/cancel is in a circle of imports');
    circle.set('src/commands/import/import.ts', '');
    expect(wrongDirections(circle)).toEqual([]);
  });

  it('has no import from a lower folder to a higher one', () => {
    const upwards = new Map([
      ['src/api/http/transport.ts', "import type { A } from '../pacing/attempts.ts';"],
    ]);
    expect(wrongDirections(upwards)).toEqual(['src/api/http/transport.ts opens src/api/pacing/attempts.ts']);
  });

  it('has no overfull folder and no long file', () => {
    const files = new Map(
      Array.from({ length: maxFilesInFolder }, (_, index) => [`src/orders/file-${index}.ts`, '']),
    );
    expect(wrongSizes(files)).toEqual([]);
    files.set('src/orders/one-more.ts', '\n'.repeat(maxLines));
    expect(wrongSizes(files)).toEqual([`src/orders has ${maxFilesInFolder + 1} files`]);
    expect(wrongSizes(new Map([['src/orders/long.ts', '\n'.repeat(maxLines + 1)]]))).toEqual([
      `src/orders/long.ts has ${maxLines + 1} lines`,
    ]);
    expect(wrongSizes(new Map([['src/orders/helpers.ts', '']]))).toHaveLength(1);
  });

  it('has no small file that only a neighbour imports', () => {
    const files = new Map([
      ['src/orders/order.ts', "import { one } from './part.ts';"],
      ['src/orders/part.ts', '\n'],
    ]);
    expect(privateFiles(files)).toEqual(['src/orders/part.ts']);
    files.set('src/orders/check.ts', "import { one } from './part.ts';");
    expect(privateFiles(files)).toEqual([]);
    files.delete('src/orders/check.ts');
    files.set('src/orders/part.ts', '\n'.repeat(minPrivateLines));
    expect(privateFiles(files)).toEqual([]);
  });
});
