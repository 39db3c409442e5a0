import { randomUUID } from 'node:crypto';
import { sandboxSchema } from '../../src/sandbox/store/schema.ts';
import { type Database, openDatabase } from '../../src/system/sqlite.ts';

/** Opens a database of a sandbox, and makes it when there is none. */
export function openSandboxDatabase(path: string): Promise<Database> {
  return openDatabase(path, sandboxSchema(randomUUID));
}
