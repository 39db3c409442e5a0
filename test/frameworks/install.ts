import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const servicesFolder = 'test/frameworks/services';

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

/** The version of a package of npm beside the services, as the lockfile has it. */
export function npmVersion(name: string): string | undefined {
  const { packages } = JSON.parse(readFileSync(join(servicesFolder, 'package-lock.json'), 'utf8'));
  return packages[`node_modules/${name}`]?.version;
}

/** Installs the packages of the lockfile, once; no package may run a script. */
export function installNpmPackages(): void {
  const lockfile = join(servicesFolder, 'package-lock.json');
  const installed = join(servicesFolder, 'node_modules/.installed-lockfile');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lockfile, 'utf8')) return;
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], servicesFolder);
  run('cp', [lockfile, installed], '.');
}

/**
 * Installs the Debian packages that are missing: prints the command, and runs it as root. Whoever is not root runs it by
 * hand; what stays missing is left out of the run.
 */
export function installDebianPackages(names: readonly string[]): void {
  const missing = [...new Set(names)].filter((name) => debianVersion(name) === undefined);
  if (missing.length === 0) return;
  const command = ['apt-get', 'install', '--yes', '--no-install-recommends', ...missing];
  console.log(`To install what is missing: ${command.join(' ')}`);
  if (process.getuid?.() !== 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update'], { stdio: 'inherit', env });
  spawnSync('apt-get', command.slice(1), { stdio: 'inherit', env });
}

function run(command: string, args: string[], folder: string): void {
  const { status } = spawnSync(command, args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${folder}`);
}
