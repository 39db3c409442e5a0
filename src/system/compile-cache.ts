import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { findConfigDirectory, findDistrust, findDistrustOf, makePrivateDirectory } from './private-files.ts';

/** Private, because Node.js runs what it finds there, and any user can create its default folder first. */
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
