import { describe, expect, it } from 'vitest';
import { importsOf, readSources, roomOf, type Sources } from './sources.ts';

/**
 * Which rooms (folders and files directly in src), or which file of one, a room may import. `type` allows types
 * only, `lazy` allows `await import()` only. docs/layout.md describes the rooms.
 */
const doors: Record<string, string[]> = {
  'clean-text': [],
  'text-width': [],
  advice: ['clean-text'],
  errors: ['advice'],
  redact: ['clean-text', 'orders'],
  orders: ['advice', 'errors'],
  words: ['advice'],
  csv: ['advice', 'clean-text'],
  api: ['advice', 'redact', 'orders', 'errors', 'type system'],
  ledger: ['advice', 'orders', 'errors', 'type system'],
  import: ['advice', 'words', 'api', 'ledger', 'orders', 'csv', 'errors', 'type system'],
  status: ['advice', 'api', 'import', 'orders', 'errors', 'type ledger'],
  output: ['advice', 'clean-text', 'text-width', 'orders', 'csv', 'errors', 'type import'],
  system: ['advice', 'text-width', 'errors', 'words', 'type package-files'],
  sandbox: ['advice', 'clean-text', 'redact', 'orders', 'csv', 'errors', 'system/waits', 'type system'],
  flags: ['advice', 'orders', 'errors'],
  settings: ['advice', 'errors', 'type output'],
  fields: [
    'advice',
    'clean-text',
    'api',
    'import',
    'orders',
    'errors',
    'identity',
    'type ledger',
    'type context',
    'type system',
  ],
  mappings: [
    'advice',
    'clean-text',
    'import',
    'orders',
    'output',
    'errors',
    'fields',
    'type context',
    'type system',
  ],
  'pick-order': ['advice', 'clean-text', 'api', 'orders', 'output', 'errors', 'type context'],
  'api-key': ['advice', 'errors', 'identity', 'redact', 'lazy api', 'type context'],
  'whole-file': ['advice', 'clean-text', 'type context', 'type system'],
  identity: ['advice', 'api', 'errors', 'type settings', 'type system'],
  context: [
    'advice',
    'errors',
    'type redact',
    'lazy ledger',
    'type ledger',
    'identity',
    'settings',
    'local-sandbox',
    'output',
    'system',
    'package-files',
    'api',
    'lazy api',
  ],
  commands: [
    ...[
      'advice',
      'words',
      'import',
      'status',
      'api',
      'ledger',
      'output',
      'orders',
      'csv',
      'errors',
      'flags',
      'identity',
      'pick-order',
      'api-key',
      'fields',
      'mappings',
      'redact',
      'clean-text',
      'text-width',
      'settings',
      'whole-file',
    ],
    ...['type context', 'type system'],
  ],
  'package-files': [],
  program: ['advice', 'errors', 'flags', 'settings', 'package-files', 'lazy commands', 'type context'],
  library: ['advice', 'package-files', 'sandbox', 'system', 'orders', 'errors'],
  'local-sandbox': ['advice', 'type package-files', 'system', 'errors', 'lazy sandbox', 'type sandbox'],
  main: [
    'advice',
    'commands/usage-error',
    'program',
    'package-files',
    'settings',
    'output',
    'redact',
    'system',
    'errors',
    'lazy context',
  ],
};

/** The folders of a room, lowest first: a folder may import itself and those before it. '.' is the room itself. */
const floors: Record<string, string[][]> = {
  api: [['http'], ['responses'], ['pacing'], ['.'], ['pages'], ['operations']],
  import: [['.'], ['words', 'read'], ['columns'], ['mapping'], ['orders'], ['results'], ['send']],
  system: [['prompts'], ['.']],
  sandbox: [['behaviour'], ['store'], ['record'], ['rules'], ['http'], ['faults'], ['admin'], ['.']],
};

/** The folder of a file inside its room: the first one below the room, or '.'. */
function folderOf(path: string): string {
  return path.split('/').length > 3 ? (path.split('/')[2] ?? '.') : '.';
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
  const isSink = ['src/output/print.ts', 'src/output/status-line.ts', 'src/system/shell.ts'].includes(path);
  const prints = /\bconsole\b|\bprocess\.(?:stdout|stderr)|\b(?:stdout|stderr|stream)\.write\(/;
  const takesProcess = room !== 'system' && source.includes("from 'node:process'");
  if (!isSink && (takesProcess || prints.test(source))) wrong.push(`${path} prints past the sink`);
  return wrong;
}

/** A command imports only files of its own folder, and of the folders in it. */
function opensOtherCommand(path: string, target: string): boolean {
  return roomOf(path) === 'commands' && (folderOf(path) === '.' || folderOf(path) !== folderOf(target));
}

/** Imports from a folder of a room to one that is beside it or above it. */
function wrongDirections(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) => {
    const room = roomOf(path);
    if (room === 'commands') return [];
    const levelOf = (file: string) =>
      (floors[room] ?? []).findIndex((folders) => folders.includes(folderOf(file)));
    return importsOf(path, source)
      .filter(({ target }) => roomOf(target) === room && folderOf(target) !== folderOf(path))
      .filter(({ target }) => levelOf(target) < 0 || levelOf(target) >= levelOf(path))
      .map(({ target }) => `${path} opens ${target}`);
  });
}

describe('the rooms of src', () => {
  const sources = readSources('src');

  it('was read', () => {
    expect(sources.size).toBeGreaterThan(50);
  });

  it('opens its doors one way, and prints through one sink', () => {
    expect([...sources].flatMap(([path, source]) => closedDoors(path, source))).toEqual([]);
  });

  it('has no room that opens a door to one above it', () => {
    const openedBy = (room: string): string[] =>
      (doors[room] ?? []).map((door) => door.replace(/^(?:type|lazy) |\/.*$/g, ''));
    const above = (room: string, path: readonly string[]): string[] =>
      path.includes(room)
        ? [[...path.slice(path.indexOf(room)), room].join(' → ')]
        : openedBy(room).flatMap((other) => above(other, [...path, room]));
    expect(Object.keys(doors).flatMap((room) => above(room, []))).toEqual([]);
  });

  it('has folders that import each other one way', () => {
    expect(wrongDirections(sources)).toEqual([]);
  });
});
