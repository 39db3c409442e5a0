import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';
import { program } from '../support/program.ts';

const maxWaits = 300;

/** Starts an import of 2,000 orders in a window of tmux, below a line of text. */
function startImport() {
  const folder = temporaryDirectory();
  const rows = Array.from({ length: 2000 }, (_, index) => `A-${index},99112233,TEA-001,COLLECT,1000`);
  const header = 'externalOrderId,customer.phone,items[].sku,collectionMode,collectionAmount';
  writeFileSync(join(folder, 'orders.csv'), [header, ...rows].join('\n'));
  const server = `merchant-orders-${randomUUID()}`;
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-L', server, '-f', '/dev/null', ...args], { encoding: 'utf8', stdio: 'pipe' });
  const command = `'${process.execPath}' '${program}' import orders.csv --sandbox --yes --rate 30`;
  const above = 'unset CI; for n in 1 2 3 4 5 6; do echo "above $n"; done';
  const script = `trap : INT; ${above}; ${command}; echo ended; sleep 60`;
  const settings = [
    'NO_COLOR=1',
    'LANG=C.UTF-8',
    `MERCHANT_ORDERS_CONFIG_DIR=${join(folder, 'configuration')}`,
  ];
  const shell = ['env', ...settings, 'bash', '-c', script];
  tmux('-u', 'new-session', '-d', '-x', '80', '-y', '24', '-c', folder, ...shell);
  const lines = () =>
    tmux('capture-pane', '-p', '-S', '-')
      .split('\n')
      .filter((line) => line !== '');
  const until = async (isReached: (lines: string[]) => boolean) => {
    for (let wait = 0; wait < maxWaits && !isReached(lines()); wait += 1) await sleep(100);
    expect(lines()).toSatisfy(isReached);
  };
  // The import writes its results as it ends, and the folder is removed after this.
  onTestFinished(async () => {
    tmux('send-keys', 'C-c');
    await until((shown) => shown.includes('ended'));
    tmux('kill-server');
  });
  return {
    lines,
    until,
    resize: (columns: number) => tmux('resize-window', '-x', String(columns), '-y', '24'),
  };
}

const done = (lines: string[]) => Number(/(\d+)\/2000/.exec(lines.join(' '))?.[1] ?? 0);

it('the progress of an import stays one line while the terminal becomes narrower and wider', async () => {
  const { lines, until, resize } = startImport();
  await until((shown) => done(shown) > 60);
  for (const columns of [60, 40, 25, 50, 80, 33, 100]) {
    const before = done(lines());
    resize(columns);
    await until((shown) => done(shown) > before + 10);
    const [one, two, three, four, five, six, ...progress] = lines();
    expect([one, two, three, four, five, six]).toEqual([1, 2, 3, 4, 5, 6].map((number) => `above ${number}`));
    expect(progress).toHaveLength(1);
    expect(progress[0]).toContain('/2000');
  }
});
