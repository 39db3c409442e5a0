import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** The version of an installed Debian package without its revision, undefined when it is not installed. */
export function debianVersion(name: string): string | undefined {
  const { stdout } = spawnSync('dpkg', ['--status', name], { encoding: 'utf8' });
  const fieldOf = (field: string) => new RegExp(`^${field}: (.+)$`, 'm').exec(stdout ?? '')?.[1];
  if (!fieldOf('Status')?.endsWith(' installed')) return undefined;
  return upstreamVersion(fieldOf('Version') ?? '');
}

/** `2:1.19~1` → `1.19`, `2.6.12-1+deb12u4` → `2.6.12` */
export function upstreamVersion(version: string): string {
  const [upstream = ''] = version.slice(version.indexOf(':') + 1).split(/[-+~]/);
  return upstream;
}

/** Held while packages are installed: test files run at the same time, and apt-get does not wait for its own locks. */
const installLock = join(tmpdir(), 'debian-packages.lock');

/**
 * Installs the Debian packages that are missing: prints the command, and runs it as root. Whoever is not root runs it by
 * hand; what stays missing is left out of the run.
 */
export function installDebianPackages(names: readonly string[]): void {
  const missing = [...new Set(names)].filter((name) => debianVersion(name) === undefined);
  if (missing.length === 0) return;
  const command = ['apt-get', 'install', '--yes', '--no-install-recommends', ...missing];
  process.stdout.write(`To install what is missing: ${command.join(' ')}\n`);
  if (process.getuid?.() !== 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const steps = `apt-get update; ${command.join(' ')}`;
  spawnSync('flock', [installLock, 'sh', '-c', steps], { stdio: 'inherit', env });
}
