// npm run stress [-- --full]: every stress script, one after another; ends with 1 when one of them does.
// In full there are more kills, and what only shows in real time, which a busy machine may spoil.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const runScript = fileURLToPath(new URL('../support/run-script.js', import.meta.url));
const isFull = process.argv.includes('--full');
const full = isFull ? ['--full'] : [];
const scripts = [
  ['service-kills.ts', isFull ? '300' : '100'],
  ['import-kills.ts', isFull ? '1000' : '60'],
  ['lost-answers.ts', ...full],
  ['ledger-lost.ts', ...full],
  ['client.ts', ...full],
  ...(isFull ? [['idle-sockets.ts']] : []),
];
for (const [script, ...args] of scripts) {
  console.log(`== ${script}`);
  const { status } = spawnSync(process.execPath, [runScript, `test/stress/${script}`, ...args], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
