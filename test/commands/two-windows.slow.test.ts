import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';
import { startServedSandbox } from '../support/program.ts';
import { type Keys, runAtTerminal } from './import/questions/terminal.ts';

const rounds = Number(process.env.ROUNDS ?? 3);
const orders = 5;

/** Gives the same keys to all that wait for them, at one moment. */
function atOnce(count: number, keys: Keys): () => Promise<Keys> {
  const waiting: ((keys: Keys) => void)[] = [];
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === count) for (const give of waiting) give(keys);
    });
}

it.each(Array.from({ length: rounds }, (_, index) => index + 1))(
  'two windows that number a sheet at the same moment create each of its orders once: %i',
  async () => {
    const { baseUrl, apiKey, ledger } = await startServedSandbox('--any-sku');
    const cwd = temporaryDirectory();
    const write = (count: number) => {
      const rows = Array.from({ length: count }, (_, row) => `9911220${row},Цай,1,${(row + 1) * 1000}`);
      writeFileSync(join(cwd, 'orders.csv'), `Утас,Бараа,Тоо,Нийт\n${rows.join('\n')}\n`);
    };
    const folders = ['one', 'two'].map((name) => join(temporaryDirectory(), name));
    const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: apiKey };
    const importInBoth = async (answers: Parameters<typeof runAtTerminal>[1]['answers']) => {
      const ended = await Promise.all(
        folders.map((configDirectory) =>
          runAtTerminal(['import', 'orders.csv'], { cwd, configDirectory, env, answers }),
        ),
      );
      return ended.toSorted((left, right) => Number(left.exitCode) - Number(right.exitCode));
    };
    const created = async () => (await ledger()).orders.map(({ commits }) => commits);

    write(orders);
    const none = { pick: 'none of these' };
    const collect = { pick: 'Нийт of every order' };
    const [first, second] = await importInBoth([
      none,
      collect,
      atOnce(2, { pick: 'yes' }),
      { pick: 'yes' },
      'y',
    ]);
    expect([first?.exitCode, second?.exitCode], `${first?.screen}\n\n${second?.screen}`).toEqual([0, 2]);
    expect(second?.screen.replace(/\s+/g, ' ')).toContain(
      'was written, changed or removed by another program',
    );
    expect(await created()).toEqual(Array(orders).fill(1));
    expect(readdirSync(cwd).filter((name) => name.includes('before'))).toEqual([]);
  },
);
