import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

/** The path of this version of Node.js, which npx downloads once. */
export function otherNode(version: string): string {
  const args = ['--yes', '--package', `node@${version}`, '--', 'node', '-p', 'process.execPath'];
  return execFileSync('npx', args, { encoding: 'utf8' }).trim();
}

/** The flags of Node.js with which libsql is not installed, so that the SQLite of Node.js is used. */
export const withoutLibsql = ['--import', resolve('test/support/without-libsql.js')];
