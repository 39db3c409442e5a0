import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import type { Text } from '../advice/advice.ts';
import { findDistrustOf, noDirectory } from './private-files.ts';

interface Machine {
  nodeVersion: string;
  /** `Asia/Ulaanbaatar` */
  timeZone: string;
  noDirectory?: { message: Text; hint: Text };
  distrust: ReturnType<typeof findDistrustOf>;
  isWritable: boolean;
  isOnNetwork: boolean;
}

export async function inspectMachine(configDirectory: string | undefined): Promise<Machine> {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const facts = { nodeVersion: process.versions.node, timeZone };
  if (configDirectory === undefined) {
    const unknown = { distrust: undefined, isWritable: false, isOnNetwork: false };
    return { ...facts, ...unknown, noDirectory };
  }
  const directory = await nearestDirectory(configDirectory);
  const disk = await statfs(directory).catch(() => undefined);
  return {
    ...facts,
    distrust: findDistrustOf(configDirectory),
    isWritable: await isWritable(directory),
    isOnNetwork: disk !== undefined && networkTypes.has(disk.type),
  };
}

async function nearestDirectory(path: string): Promise<string> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  return exists || dirname(path) === path ? path : nearestDirectory(dirname(path));
}

function isWritable(directory: string): Promise<boolean> {
  return access(directory, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Linux file systems on which SQLite's locks are not reliable: NFS, SMB, CIFS, SMB 2, AFS, Ceph, 9p, Lustre. */
const networkTypes: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x00c36400, 0x01021997, 0x0bd00bd0,
]);
