import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { loadSqlite, openDatabase } from '../../src/system/sqlite.ts';
import type { FileContent } from './case.ts';

/** Writes the files of a case into a folder. Returns what ends the processes that write to pipes. */
export async function placeFiles(folder: string, files: Record<string, FileContent>): Promise<() => void> {
  const undo: (() => void)[] = [];
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    if (Buffer.isBuffer(content)) writeFileSync(path, content, { mode: 0o600 });
    else if (content.kind === 'directory') mkdirSync(path);
    else if (content.kind === 'link') symlinkSync(content.to, path);
    else if (content.kind === 'socket') {
      const server = createServer().listen(path);
      undo.push(() => server.close());
    } else if (content.kind === 'sparse') {
      const file = openSync(path, 'w', 0o600);
      ftruncateSync(file, content.bytes);
      closeSync(file);
    } else if (content.kind === 'ledger') {
      writeFileSync(path, await makeLedger(content.statements), { mode: 0o600 });
    } else {
      execFileSync('mkfifo', [path]);
      if (content.writes !== 'nothing') undo.push(writeToPipe(path, content.writes));
    }
  }
  return () => {
    for (const step of undo) step();
  };
}

/** It is made elsewhere: the database of this process may keep its files for a while after it is closed. */
export async function makeLedger(statements: readonly string[]): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-ledger-'));
  const path = join(folder, 'ledger.db');
  (await openDatabase(path, ledgerSchema)).close();
  const database = (await loadSqlite())(path);
  for (const statement of statements) {
    try {
      database.exec(statement);
    } catch {
      // It does not fit to what the statements before it left.
    }
  }
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  database.close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}

function writeToPipe(path: string, content: 'forever' | Buffer): () => void {
  const script = content === 'forever' ? 'exec yes UB-1,99112233,TEA-1,NONE > "$0"' : 'exec cat > "$0"';
  const child = spawn('sh', ['-c', script, path], { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin?.on('error', () => undefined).end(content === 'forever' ? undefined : content);
  return () => void child.kill('SIGKILL');
}
