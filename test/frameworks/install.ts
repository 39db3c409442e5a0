import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const servicesFolder = 'test/frameworks/services';

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

function run(command: string, args: string[], folder: string): void {
  const { status } = spawnSync(command, args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${folder}`);
}
