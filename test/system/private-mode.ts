import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { onTestFinished } from 'vitest';

/** A new empty directory that is removed after the test. */
export function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'merchant-orders-system-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Clears the umask until the end of the test. */
export function clearUmask(): void {
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
}

export const isRoot = process.geteuid?.() === 0;

/** Acts as a user who owns nothing, with the rights of that user, until the end of the test; only root can. */
export function actAsNobody(): void {
  process.seteuid?.(65534);
  onTestFinished(() => process.seteuid?.(0));
}

export function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}
