import { readdirSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { type Row, readTable, type Source } from '../../../src/import/read/read-table.ts';
import { packageFilesIn } from '../../../src/package-files.ts';
import { createThreadStarter, type StartThread } from '../../../src/system/system.ts';
import { packageFiles, packageRoot } from '../../support/cli.ts';
import { fixture } from '../tables.ts';

const startThread = createThreadStarter(packageFiles);

/** A thread that does what the code says when it gets the ninth chunk, and is the real one's twin until then. */
const failing =
  (code: string): StartThread =>
  async (_name, workerData) => {
    const real = JSON.stringify(new URL('dist/split-rows.cjs', packageRoot).pathname);
    const source = `const { parentPort } = require('node:worker_threads');
      let count = 0;
      parentPort.on('message', () => { count += 1; if (count === 9) { ${code} } });
      require(${real});`;
    return new Worker(source, { eval: true, workerData });
  };

const unstartable: StartThread = async () => {
  throw new Error('there are too many threads');
};

const inPieces = (bytes: Uint8Array, length: number, start?: StartThread): Source => ({
  name: 'orders.csv',
  open: async function* (first = 0) {
    for (let from = first * length; from < bytes.length; from += length) {
      yield Buffer.from(bytes.subarray(from, from + length));
    }
  },
  startThread: start,
});

/** All rows, or the error that ended them. */
async function readAll(source: Source): Promise<unknown[]> {
  const rows: Row[] = [];
  try {
    const table = await readTable(source, {}, { forOrders: true });
    for await (const batch of table.batches()) rows.push(...batch);
    return rows;
  } catch (error) {
    return [(error as Error).message, (error as { details?: unknown }).details];
  }
}

const names = ['import', 'import/exports', 'import/unseen', 'shops'].flatMap((folder) =>
  readdirSync(fixture(folder))
    .filter((name) => name.endsWith('.csv'))
    .map((name) => `${folder}/${name}`),
);

const manyRows = Buffer.from(
  `externalOrderId,note\n${Array.from({ length: 400 }, (_, index) => `A-${index},"Сөүлийн гудамж, ${index}"\n`).join('')}`,
);

describe('rows that a second thread splits', () => {
  it('are there for every kind of fixture', () => {
    expect(names.length).toBeGreaterThan(60);
  });

  it.each(names)('%s is read as without it', async (name) => {
    const bytes = readFileSync(fixture(name));
    for (const length of [61, 64 * 1024]) {
      const here = await readAll(inPieces(bytes, length));
      expect(await readAll(inPieces(bytes, length, startThread))).toEqual(here);
    }
  });

  it('are not read past text that is not of the encoding', async () => {
    const bytes = Buffer.concat([manyRows, Buffer.from('A-400,\xc4\n', 'latin1')]);
    const here = await readAll(inPieces(bytes, 500));
    expect(here[0]).toBe('orders.csv is not UTF-8 text.');
    expect(await readAll(inPieces(bytes, 500, startThread))).toEqual(here);
  });

  it.each([
    ['ends', failing('process.exit(0)')],
    ['throws an error', failing("throw new Error('out of memory')")],
    ['cannot be started', unstartable],
    ['has no file', createThreadStarter(packageFilesIn(new URL('file:///nowhere/')))],
  ])('are all there when the thread %s', async (_what, start) => {
    const here = await readAll(inPieces(manyRows, 500));
    expect(here).toHaveLength(400);
    expect(await readAll(inPieces(manyRows, 500, start))).toEqual(here);
  });

  it('end with the thread when nobody reads on', async () => {
    const threads: Worker[] = [];
    const watched: StartThread = async (name, data) => {
      const thread = await startThread(name, data);
      threads.push(thread);
      return thread;
    };
    const table = await readTable(inPieces(manyRows, 500, watched), {}, { forOrders: true });
    for await (const _ of table.batches()) break;
    expect(threads.map(({ threadId }) => threadId)).toEqual([-1]);
  });
});
