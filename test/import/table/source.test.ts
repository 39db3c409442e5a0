import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rejectChanges } from '../../../src/import/table/read-table.ts';
import { systemFiles } from '../../../src/system/files.ts';
import { temporaryDirectory } from '../../support/cli.ts';

const megabyte = 'x'.repeat(1024 * 1024);

/** A file of this content, read and what guards it against changes. */
function sealed(content: string) {
  const path = join(temporaryDirectory(), 'orders.csv');
  writeFileSync(path, content);
  const source = rejectChanges({ name: 'orders.csv', open: () => systemFiles.readChunks(path) });
  const read = async (most = Number.POSITIVE_INFINITY) => {
    let bytes = 0;
    for await (const chunk of source.open()) {
      bytes += chunk.length;
      if (bytes >= most) break;
    }
    return bytes;
  };
  return { read, change: (content: string) => writeFileSync(path, content) };
}

describe('a file', () => {
  it('may be read again as often as one likes, whole or in part', async () => {
    const { read } = sealed(megabyte);
    expect([await read(1), await read(), await read(70_000), await read()]).toEqual([
      ...[65_536, megabyte.length, 131_072, megabyte.length],
    ]);
  });

  it.each([
    ['one letter', `${megabyte.slice(0, -1)}y`],
    ['a line more', `${megabyte}\n`],
    ['a line less', megabyte.slice(0, -9)],
    ['chunks less', megabyte.slice(0, 65_536 * 3)],
    ['chunks more', megabyte + megabyte],
    ['nothing left', ''],
  ])('that changed since is not read to its end: %s', async (_, content) => {
    const { read, change } = sealed(megabyte);
    await read();
    change(content);
    await expect(read()).rejects.toMatchObject({ code: 'file_changed', exitCode: 7 });
    await expect(read()).rejects.toThrow('orders.csv changed while it was read.');
  });

  it('that changed after a part of it was read is noticed as well', async () => {
    const { read, change } = sealed(megabyte);
    await read(200_000);
    change(`y${megabyte}`);
    await expect(read()).rejects.toMatchObject({ code: 'file_changed' });
  });

  it('may be empty', async () => {
    const { read, change } = sealed('');
    expect([await read(), await read()]).toEqual([0, 0]);
    change('x');
    await expect(read()).rejects.toMatchObject({ code: 'file_changed' });
  });
});
