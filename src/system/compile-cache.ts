import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { findConfigDirectory, findDistrust, findDistrustOf, makePrivateDirectory } from './private-files.ts';

/**
 * The folder in the configuration directory where Node.js may keep the program compiled. Node.js runs the code that it
 * finds there, no matter who wrote it, and its default is a folder that any user of the computer can create first.
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
