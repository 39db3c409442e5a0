import type { Mutant } from '../mutant.ts';

const files = 'src/system/files.ts';
const privateFiles = 'src/system/private-files.ts';

export const wholeFiles: readonly Mutant[] = [
  {
    name: 'written-file-readable-by-others',
    promise: 'A file with orders is private: mode 0600.',
    file: files,
    find: "await open(temporary, 'wx', 0o600)",
    replace: "await open(temporary, 'wx', 0o644)",
    tests: ['test/system/files.test.ts'],
  },
  {
    name: 'half-file-left-behind',
    promise: 'A file is written whole or not at all, and leaves nothing beside it.',
    file: files,
    find: 'await rm(temporary, { force: true }).catch(() => undefined); throw error;',
    replace: 'throw error;',
    tests: ['test/system/files.test.ts'],
  },
  {
    name: 'file-of-the-user-replaced',
    promise: 'A file that this program did not write is kept as a backup, not replaced.',
    file: files,
    find: 'const backup = isKept ?',
    replace: 'const backup = isKept && isLink ?',
    tests: ['test/system/files.test.ts'],
  },
  {
    name: 'configuration-directory-open',
    promise: 'The configuration directory has mode 0700, whatever the umask.',
    file: privateFiles,
    find: 'chmodSync(path, 0o700);',
    replace: 'chmodSync(path, 0o755);',
    tests: ['test/system/private-files.test.ts'],
  },
  {
    name: 'group-may-write-the-key',
    promise: 'A key file that others can write is refused.',
    file: privateFiles,
    find: 'return mode & 0o022 ?',
    replace: 'return mode & 0o002 ?',
    tests: ['test/system/private-files.test.ts'],
  },
  {
    name: 'ledger-readable-by-others',
    promise: 'The ledger has mode 0600.',
    file: 'src/system/sqlite.ts',
    find: "openSync(path, 'ax', 0o600)",
    replace: "openSync(path, 'ax', 0o644)",
    tests: ['test/system/sqlite.test.ts'],
  },
  {
    name: 'ledger-file-opened-again',
    promise: 'A second connection to the ledger leaves the locks of the first one.',
    file: 'src/system/sqlite.ts',
    find: "openSync(path, 'ax', 0o600)",
    replace: "openSync(path, 'a', 0o600)",
    tests: ['test/system/sqlite.test.ts'],
  },
  {
    name: 'changed-file-sent',
    promise: 'A file that was changed while it was read is not sent.',
    file: 'src/import/read/source.ts',
    find: 'if (spooled === undefined && (await files.stampOf(file)).stamp !== before.stamp) throw',
    replace: 'if (spooled !== undefined && (await files.stampOf(file)).stamp !== before.stamp) throw',
    tests: ['test/commands/import/changed-file.test.ts'],
  },
  {
    name: 'endless-input-read',
    promise: 'Text of more than 10 MiB is refused.',
    file: 'src/system/input.ts',
    find: 'if (length > maxBytes) {',
    replace: 'if (length > 100 * maxBytes) {',
    tests: ['test/system'],
  },
  {
    name: 'damaged-text-read',
    promise: 'A file that is not UTF-8 is refused, never read with lost letters.',
    file: 'src/system/input.ts',
    find: '{ fatal: true }',
    replace: '{ fatal: false }',
    tests: ['test/system'],
  },
];
