import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { describe, expect, it } from 'vitest';

/** Which rooms a room may open. A door marked `type` is for types only. */
const doors: Record<string, string[]> = {
  errors: [],
  orders: ['errors'],
  csv: ['errors'],
  api: ['orders', 'errors', 'type system'],
  ledger: ['orders', 'errors', 'type system'],
  import: ['csv', 'api', 'ledger', 'orders', 'errors', 'type system'],
  output: ['csv', 'orders', 'errors'],
  system: ['errors'],
  sandbox: ['csv', 'orders', 'errors', 'type system'],
  flags: ['orders', 'errors'],
  settings: ['output', 'errors'],
  identity: ['api', 'errors', 'type settings', 'type system'],
  context: [
    'type api',
    'type ledger',
    'type output',
    'type connect',
    'type identity',
    'type settings',
    'type system',
    'type sandbox-host',
  ],
  commands: [
    ...['import', 'csv', 'api', 'ledger', 'output', 'orders', 'errors', 'flags', 'identity'],
    ...['type context', 'type settings', 'type sandbox-host', 'type system'],
  ],
  program: ['commands', 'flags', 'output', 'type context'],
  'sandbox-host': ['system', 'errors', 'lazy sandbox', 'type sandbox'],
  connect: [
    'system',
    'identity',
    'errors',
    'lazy api',
    'lazy ledger',
    'type api',
    'type ledger',
    'type context',
    'type settings',
    'type sandbox-host',
  ],
  'create-context': [
    'connect',
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
  main: ['program', 'settings', 'output', 'system', 'errors', 'lazy create-context'],
};

interface Import {
  target: string;
  kind: 'value' | 'type' | 'lazy';
}

function importsOf(source: string): Import[] {
  const found: Import[] = [];
  for (const [, kind, target = ''] of source.matchAll(
    /^(?:import|export) (type )?[^;]*?from '(\.[^']+)';/gms,
  )) {
    found.push({ target, kind: kind ? 'type' : 'value' });
  }
  for (const [, target = ''] of source.matchAll(/await import\('(\.[^']+)'\)/g))
    found.push({ target, kind: 'lazy' });
  for (const [, target = ''] of source.matchAll(/(?<!await )import\('(\.[^']+)'\)/g))
    found.push({ target, kind: 'type' });
  return found;
}

function roomOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '');
}

/** What is wrong with one file of the house. */
function offences(path: string, source: string): string[] {
  const room = roomOf(path);
  const allowed = doors[room];
  if (allowed === undefined) return [`${path}: there is no room called ${room}`];
  const wrong = importsOf(source).flatMap(({ target, kind }) => {
    const file = normalize(join(dirname(path), target));
    const other = roomOf(file);
    if (other === room) return isOtherCommand(path, file) ? [`${path} opens ${file}`] : [];
    const isOpen =
      allowed.includes(other) ||
      (kind !== 'value' && allowed.includes(`${kind} ${other}`)) ||
      (room === 'program' && kind === 'lazy' && other === 'commands');
    return isOpen ? [] : [`${path} opens ${file} (${kind})`];
  });
  const isSink =
    ['src/output/print.ts', 'src/system/system.ts'].includes(path) || path.startsWith('src/output/progress');
  const prints =
    /\bconsole\b|\bprocess\.(?:stdout|stderr)|from 'node:process'|\b(?:stdout|stderr|stream)\.write\(/;
  if (!isSink && prints.test(source)) wrong.push(`${path} prints past the sink`);
  return wrong;
}

/** A command imports only files of its own folder. */
function isOtherCommand(path: string, file: string): boolean {
  return roomOf(path) === 'commands' && dirname(path) !== dirname(file);
}

function sources(): [string, string][] {
  const root = new URL('../', import.meta.url);
  return readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .map((path) => [path, readFileSync(new URL(path, root), 'utf8')]);
}

describe('the house', () => {
  it('opens its doors one way, and prints through one sink', () => {
    const all = sources();
    expect(all.length).toBeGreaterThan(50);
    expect(all.flatMap(([path, source]) => offences(path, source))).toEqual([]);
  });

  it('has no file over 250 lines and no drawer for everything', () => {
    for (const [path, source] of sources()) {
      expect([path, source.split('\n').length <= 251]).toEqual([path, true]);
      expect(path).not.toMatch(/\b(?:utils?|helpers?|common|shared|misc)\b/);
    }
  });

  it.each([
    ['src/orders/order.ts', "import { createClient } from '../api/client.ts';"],
    ['src/api/client.ts', "import { formatTable } from '../output/table.ts';"],
    ['src/api/client.ts', "import { systemClock } from '../system/clock.ts';"],
    ['src/import/plan.ts', "import {\n  formatTable,\n} from '../output/table.ts';"],
    ['src/sandbox/app.ts', "import { readOrder } from '../api/read-order.ts';"],
    ['src/sandbox/app.ts', "import type { CallResult } from '../api/attempts.ts';"],
    ['src/output/table.ts', "import { planImport } from '../import/plan.ts';"],
    ['src/ledger/ledger.ts', "import { openDatabase } from '../system/sqlite.ts';"],
    ['src/commands/cancel/cancel.ts', "import { runList } from '../list.ts';"],
    ['src/commands/get.ts', "import { startSandbox } from '../sandbox/sandbox.ts';"],
    ['src/sandbox-host.ts', "import { startSandbox } from './sandbox/sandbox.ts';"],
    ['src/commands/get.ts', "const { run } = await import('../main.ts');"],
    ['src/orders/order.ts', "export { readOrder } from '../api/read-order.ts';"],
    ['src/commands/get.ts', "console.log('found');"],
    ['src/api/client.ts', "process.stderr.write('retry');"],
    ['src/commands/get.ts', "system.stdout.write('found');"],
    ['src/utils/text.ts', ''],
  ])('notices when %s has %j', (path, source) => {
    expect(offences(path, source)).not.toEqual([]);
  });

  it.each([
    ['src/api/client.ts', "import type { Clock } from '../system/clock.ts';"],
    ['src/commands/create/create.ts', "import { buildDraft } from './draft.ts';"],
    ['src/sandbox-host.ts', "const { startSandbox } = await import('./sandbox/sandbox.ts');"],
  ])('lets %s have %j', (path, source) => {
    expect(offences(path, source)).toEqual([]);
  });
});
