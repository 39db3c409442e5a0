import { randomInt } from 'node:crypto';
import process from 'node:process';
import { otherNode, withoutLibsql } from '../../support/other-node.ts';

/*
 * The variable SQLITE says which driver the program has in the processes of a stress script: `libsql`, by default,
 * `node` for that of a newer Node.js, or `mixed` for one of them at random in each process.
 */
const chosen = process.env.SQLITE ?? 'libsql';
const newer = chosen === 'libsql' ? '' : otherNode('24');

/** The processes so far. */
export const starts = { withLibsql: 0, withNodeSqlite: 0 };

/** The command that starts a script on Node.js. */
export function nodeCommand(): [path: string, ...flags: string[]] {
  const isLibsql = chosen === 'libsql' || (chosen === 'mixed' && randomInt(2) === 0);
  starts[isLibsql ? 'withLibsql' : 'withNodeSqlite'] += 1;
  return isLibsql ? [process.execPath] : [newer, ...withoutLibsql];
}
