/**
 * npm run windows [-- --bounded]: the packed program under Wine, with a Windows Node.js of npm. A working day of it is
 * compared with the same day on Linux; what only Windows does is checked; imports are killed. Prints tables, and exits
 * with 1 when something differs. Wine comes from Debian, which root installs. `--bounded`: one Node.js, fewer orders.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { compareDays } from './compare.ts';
import type { Day } from './inside/day.ts';
import type { Kills } from './inside/kills.ts';
import type { Job } from './inside/program.ts';
import type { Checks } from './inside/windows-only.ts';
import { drawCommandLines } from './quotes.ts';
import { bundleScript, installWine, type NodeName, nodePackages, startWine, type Wine } from './wine.ts';

const unseen = `
What Wine does not show:
- PowerShell: printed commands go through cmd.exe of Wine alone, and nothing runs the completion script for PowerShell
- the script merchant-orders.cmd that npm writes: Wine's cmd ends at its jump to a missing label; a plain one takes its place
- Excel, antivirus and SmartScreen: another process holds the file, as Excel does, but no scanner delays or blocks one
- the permissions of NTFS, paths of more than 260 characters, network drives, roaming profiles, names such as CON and NUL
- fonts and code pages of a console; questions are answered at a terminal on Linux only
- TCP keep-alive, and bcryptprimitives.dll, which Wine 8 lacks: both are replaced
- Node.js 24 and later, which need a newer Wine; Windows on ARM
`;

const { values } = parseArgs({ options: { bounded: { type: 'boolean', default: false } } });
const nodes = (Object.keys(nodePackages) as NodeName[]).slice(0, values.bounded ? 1 : undefined);
const killed = values.bounded ? { orders: 600, kills: 1 } : { orders: 3000, kills: 2 };
const lineCount = values.bounded ? 20 : 100;
const inputs = ['orders.csv', 'orders-to-fix.csv'];

if (!installWine()) throw new Error('Install the packages of Debian that are named above.');
execFileSync(process.execPath, ['bin/build.mjs'], { stdio: 'inherit' });
const folder = mkdtempSync(join(tmpdir(), 'windows-'));
let wine: Wine | undefined;
try {
  wine = await startWine(folder);
  const linux = await runOnLinux();
  for (const node of nodes) await testNode(wine, node, linux);
  console.log(unseen);
} finally {
  wine?.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function testNode(windows: Wine, node: NodeName, linux: Day): Promise<void> {
  console.log(`\n${nodePackages[node]}`);
  const shop = `Дэлгүүр of ${node}`;
  // Each begins without the imports of the one before.
  const local = windows.onDriveC(`users/${userInfo().username}/AppData/Local/merchant-orders`);
  rmSync(local, { recursive: true, force: true });
  putInputs(windows.onDriveC(shop));
  const compared = compareDays(linux, await windows.run<Day>(node, 'day', shop));
  print(
    'the same as on Linux',
    compared.map(({ what, differences }) => [what, differences]),
  );
  const checks = await windows.run<Checks>(node, 'windows-only', `Only ${node}`);
  const interrupted = await windows.interrupt(node, 'forced-end');
  checks['Ctrl-C three times in a console'] = { found: interrupted, expected: 130 };
  const lines = drawCommandLines(lineCount);
  const found = await windows.run<string[][]>(node, 'quotes', 'quotes', {
    lines: lines.map(({ line }) => line),
  });
  for (const [index, { line, expected }] of lines.entries()) {
    if (!isDeepStrictEqual(found[index], expected)) checks[line] = { found: found[index], expected };
  }
  const count = lines.flatMap(({ expected }) => expected).length;
  checks[`${lines.length} printed commands with ${count} words by cmd`] = {
    found: found.length,
    expected: lines.length,
  };
  const kills = await windows.run<Kills>(node, 'kills', `Kills ${node}`, killed);
  const { orders, kills: times } = killed;
  checks[`${orders} orders and ${times} × taskkill /f: ${JSON.stringify(kills)}`] = {
    found: kills,
    expected: { orders, killed: times, exitCode: 0, lost: 0, doubled: 0, misreported: 0 },
  };
  print(
    'what only Windows does',
    Object.entries(checks).map(([what, { found, expected }]) => [
      what,
      isDeepStrictEqual(found, expected)
        ? []
        : [`found    ${JSON.stringify(found)}`, `expected ${JSON.stringify(expected)}`],
    ]),
  );
}

function print(title: string, rows: [what: string, wrong: string[]][]): void {
  console.log(`\n${title}`);
  for (const [what, wrong] of rows) {
    console.log([`  ${wrong.length === 0 ? 'yes' : 'NO '}  ${what}`, ...wrong].join('\n         '));
    if (wrong.length > 0) process.exitCode = 1;
  }
}

function putInputs(target: string): void {
  mkdirSync(target, { recursive: true });
  for (const name of inputs) copyFileSync(join('fixtures', name), join(target, name));
}

async function runOnLinux(): Promise<Day> {
  const shop = join(folder, 'Дэлгүүр of Linux');
  putInputs(shop);
  const job: Job = {
    program: join(process.cwd(), 'bin/merchant-orders.js'),
    folder: shop,
    resultPath: join(folder, 'linux.json'),
  };
  const jobPath = join(folder, 'linux-job.json');
  writeFileSync(jobPath, JSON.stringify(job));
  const env = Object.entries(process.env).filter(([name]) => !/^(?:MERCHANT_ORDERS_|CI$)/.test(name));
  const { status, stderr } = spawnSync(process.execPath, [await bundleScript('day', folder), jobPath], {
    env: {
      ...Object.fromEntries(env),
      XDG_CONFIG_HOME: join(folder, 'configuration'),
      TZ: 'Asia/Ulaanbaatar',
      LC_ALL: 'C.UTF-8',
    },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(readFileSync(job.resultPath, 'utf8'));
}
