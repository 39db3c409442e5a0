import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rejectChanges } from '../../../src/import/read/read-table.ts';
import { systemFiles } from '../../../src/system/files.ts';
import { temporaryDirectory } from '../../support/cli.ts';

const megabyte = 'x'.repeat(1024 * 1024);

/** Writes a file, to be read through `rejectChanges`. */
function guardedFile(content: string) {
  const path = join(temporaryDirectory(), 'orders.csv');
  writeFileSync(path, content);
  const source = rejectChanges({ name: 'orders.csv', open: () => systemFiles.readChunks(path) });
  const read = async (maxBytes = Number.POSITIVE_INFINITY) => {
    let bytes = 0;
    for await (const chunk of source.open()) {
      bytes += chunk.length;
      if (bytes >= maxBytes) break;
    }
    return bytes;
  };
  return { read, change: (content: string) => writeFileSync(path, content) };
}

describe('rejectChanges', () => {
  it('reads a file repeatedly, whole or in part', async () => {
    const { read } = guardedFile(megabyte);
    expect([await read(1), await read(), await read(70_000), await read()]).toEqual([
      65_536,
      megabyte.length,
      131_072,
      megabyte.length,
    ]);
  });

  it.each([
    ['one letter', `${megabyte.slice(0, -1)}y`],
    ['one more line', `${megabyte}\n`],
    ['one line less', megabyte.slice(0, -9)],
    ['fewer chunks', megabyte.slice(0, 65_536 * 3)],
    ['more chunks', megabyte + megabyte],
    ['empty', ''],
  ])('rejects a file that changed since the first read: %s', async (_, content) => {
    const { read, change } = guardedFile(megabyte);
    await read();
    change(content);
    await expect(read()).rejects.toMatchObject({ code: 'file_changed', exitCode: 7 });
    await expect(read()).rejects.toThrow('orders.csv changed while it was read.');
  });

  it('rejects a file that changed after a part of it was read', async () => {
    const { read, change } = guardedFile(megabyte);
    await read(200_000);
    change(`y${megabyte}`);
    await expect(read()).rejects.toMatchObject({ code: 'file_changed' });
  });

  it('reads an empty file', async () => {
    const { read, change } = guardedFile('');
    expect([await read(), await read()]).toEqual([0, 0]);
    change('x');
    await expect(read()).rejects.toMatchObject({ code: 'file_changed' });
  });
});
