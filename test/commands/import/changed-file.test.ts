import { appendFileSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { answersByFile } from './questions/mappings.ts';
import { start } from './setup.ts';

type Change = (csv: string) => void;

/** What another program may do to a file. */
const changes: [string, Change][] = [
  ['written to', (csv) => appendFileSync(csv, 'UB-1,,,,,,,,,,,,,,,\n')],
  ['cut off', (csv) => writeFileSync(csv, readFileSync(csv).subarray(0, 5000))],
  [
    'replaced by one of the same size and time',
    (csv) => {
      const { atime, mtime } = statSync(csv);
      writeFileSync(`${csv}.new`, readFileSync(csv, 'utf8').replace('302251.50', '302251.59'));
      utimesSync(`${csv}.new`, atime, mtime);
      renameSync(`${csv}.new`, csv);
    },
  ],
];

const message = ({ csv }: { csv: string }) =>
  `${csv} was changed, replaced or removed while it was imported. Nothing was sent.`;

describe('a file that is', () => {
  it.each(changes)('%s while the question is asked is not sent', async (_, change) => {
    const folder = await start('orders.csv');
    const { exitCode, stderr, asked } = await folder.import([], {
      answers: [
        () => {
          change(folder.csv);
          return true;
        },
      ],
    });
    expect([exitCode, asked.length]).toEqual([2, 1]);
    expect(stderr.replace(/\s+/g, ' ')).toContain(message(folder));
    expect(await folder.listed()).toEqual([]);
  });

  it.each(changes)('%s while it is planned is not sent', async (_, change) => {
    const folder = await start('orders.csv');
    const { readChunks } = await import('../../../src/system/files.ts').then(
      ({ systemFiles }) => systemFiles,
    );
    let readings = 0;
    const files = {
      readChunks: async function* (path: string) {
        yield* readChunks(path);
        readings += 1;
        if (readings === 3) change(folder.csv);
      },
    };
    const { exitCode, stderr } = await folder.import(['--yes'], { files });
    expect([exitCode, readings]).toEqual([2, 3]);
    expect(stderr.replace(/\s+/g, ' ')).toContain(message(folder));
    expect(await folder.listed()).toEqual([]);
  });

  it.each(changes)(
    '%s while its columns are asked about is not sent, and the answers are kept beside it alone',
    async (_, change) => {
      const shop = await start('mappings/pedidos.csv');
      const [first = '', ...rest] = answersByFile.pedidos ?? [];
      const changing = () => {
        change(shop.csv);
        return first;
      };
      const { exitCode, stderr } = await shop.import([], { answers: [changing, ...rest] });
      expect(exitCode).toBe(2);
      expect(stderr.replace(/\s+/g, ' ')).toContain(message(shop));
      expect(shop.files()).toEqual(['pedidos.csv', 'pedidos.map.json']);
      expect(JSON.parse((await shop.run(['mappings', '--json'])).stdout)).toEqual({ mappings: [] });
      expect(await shop.listed()).toEqual([]);
    },
  );

  it('written to while its orders are sent is sent as it was', async () => {
    const folder = await start('orders.csv');
    const before = readFileSync(folder.csv, 'utf8');
    const { exitCode } = await folder.import(['--yes', '--limit', '20'], {
      onSleep: () => writeFileSync(folder.csv, before.replaceAll('TEA-001', 'OTHER-1')),
    });
    expect(exitCode).toBe(0);
    expect(await folder.listed()).toHaveLength(20);
  });
});
