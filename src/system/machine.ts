import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { type Distrust, findDistrustOf, noDirectory } from './private-files.ts';

/** What this machine offers the program. */
export interface Machine {
  /** Of Node.js, such as `20.19.0`. */
  nodeVersion: string;
  /** Why there is no configuration directory, and what to do. */
  noDirectory?: { message: string; hint: string };
  /** Who else could replace the files of the configuration directory. */
  distrust: Distrust | undefined;
  isWritable: boolean;
  /** Undefined where the system does not tell. */
  freeBytes: number | undefined;
  isOnNetwork: boolean;
}

export async function inspectMachine(configDirectory: string | undefined): Promise<Machine> {
  const { node: nodeVersion } = process.versions;
  if (configDirectory === undefined)
    return {
      nodeVersion,
      noDirectory,
      distrust: undefined,
      isWritable: false,
      freeBytes: undefined,
      isOnNetwork: false,
    };
  const directory = await nearestDirectory(configDirectory);
  const disk = await statfs(directory).catch(() => undefined);
  return {
    nodeVersion,
    distrust: findDistrustOf(configDirectory),
    isWritable: await isWritable(directory),
    freeBytes: disk && disk.bavail * disk.bsize,
    isOnNetwork: disk !== undefined && networkTypes.has(disk.type),
  };
}

/** The directory itself, or the one in which it would be created. */
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

/** File systems of Linux on which the locks of SQLite are not reliable: NFS, SMB, CIFS, SMB 2, AFS, Ceph, 9p, Lustre. */
const networkTypes: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x00c36400, 0x01021997, 0x0bd00bd0,
]);
