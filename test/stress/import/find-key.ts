import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The prefix of every key of the sandbox; the secret follows it. */
const keyPrefix = 'sandbox_';
const processes = '/proc';

/** The files below a folder that contain the API key or its secret part. */
export function filesWithKey(folder: string, apiKey: string): string[] {
  const secret = secretOf(apiKey);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(secret));
}

/** The command lines of all processes that contain the key, where the system has /proc. */
export function commandLinesWithKey(apiKey: string): string[] {
  if (!existsSync(processes)) return [];
  const secret = secretOf(apiKey);
  return readdirSync(processes)
    .filter((name) => /^\d+$/.test(name))
    .map(readCommandLine)
    .filter((line) => line.includes(secret));
}

function readCommandLine(processId: string): string {
  try {
    return readFileSync(join(processes, processId, 'cmdline'), 'utf8').replaceAll('\0', ' ');
  } catch {
    // The process has ended.
    return '';
  }
}

function secretOf(apiKey: string): string {
  return apiKey.startsWith(keyPrefix) ? apiKey.slice(keyPrefix.length) : apiKey;
}

/** Prints the files below a folder that contain the API key, and returns their number. */
export function countKeyLeaks(scene: string, folder: string, apiKey: string): number {
  const found = filesWithKey(folder, apiKey);
  for (const path of found) console.log(`${scene}: the API key is in ${path}`);
  return found.length;
}
