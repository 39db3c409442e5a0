import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { findConfigDirectory, findDistrust, findDistrustOf, makePrivateDirectory } from './private-files.ts';

/**
 * The folder in the configuration directory where Node.js may keep the program compiled: it runs what it finds there,
 * whoever wrote it, and by default it looks in the folder for temporary files, where another user may have been first.
 * Undefined where others could write to the folder or replace it, and where the environment has chosen a folder or none.
 */
export function findCompileCache(env: NodeJS.ProcessEnv): string | undefined {
  if (env.NODE_COMPILE_CACHE || env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const directory = findConfigDirectory(env);
  if (directory === undefined) return undefined;
  const cache = join(directory, 'compile-cache');
  try {
    makePrivateDirectory(cache);
    const found = lstatSync(cache);
    const isOwn = found.isDirectory() && findDistrust(found) === undefined;
    return isOwn && findDistrustOf(directory) === undefined ? cache : undefined;
  } catch {
    return undefined;
  }
}
