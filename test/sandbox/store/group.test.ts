import { describe, expect, it } from 'vitest';
import { createGroup } from '../../../src/sandbox/store/group.ts';
import { openDatabase } from '../../../src/system/sqlite.ts';
import { temporaryFile } from '../start.ts';

/** A group over a file, and what another connection to that file sees. */
async function open() {
  const file = temporaryFile();
  const database = await openDatabase(file);
  database.exec(`
    CREATE TABLE parents (name TEXT PRIMARY KEY);
    CREATE TABLE names (name TEXT PRIMARY KEY, parent TEXT REFERENCES parents DEFERRABLE INITIALLY DEFERRED);
  `);
  const observer = await openDatabase(file);
  const select = observer.prepare('SELECT name FROM names ORDER BY name');
  const insert = database.prepare('INSERT INTO names (name, parent) VALUES (?, ?)');
  return {
    inGroup: createGroup(database),
    add: (name: string, parent: string | null = null) => insert.run(name, parent).changes,
    seen: () => (select.all() as { name: string }[]).map(({ name }) => name).join(''),
  };
}

describe('works of one group', () => {
  it('are each all or nothing by themselves', async () => {
    const { inGroup, add, seen } = await open();
    const settled = await Promise.allSettled([
      inGroup(() => add('a')),
      inGroup(() => {
        add('x');
        throw new Error('changed my mind');
      }),
      inGroup(() => add('a')),
      inGroup(() => add('b')),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(settled[1]).toMatchObject({ reason: new Error('changed my mind') });
    expect(settled[2]).toMatchObject({ reason: { message: expect.stringContaining('UNIQUE') } });
    expect(seen()).toBe('ab');
  });

  it('are committed together, and none is resolved before', async () => {
    const { inGroup, add, seen } = await open();
    const during: string[] = [];
    const after: string[] = [];
    await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        await inGroup(() => {
          add(name);
          during.push(seen());
        });
        after.push(seen());
      }),
    );
    expect(during).toEqual(['', '', '']);
    expect(after).toEqual(['abc', 'abc', 'abc']);
  });

  it('give back what they made', async () => {
    const { inGroup } = await open();
    expect(await Promise.all([inGroup(() => 1), inGroup(() => 'two')])).toEqual([1, 'two']);
  });

  it('are all rejected when the commit fails, and nothing of them is there', async () => {
    const { inGroup, add, seen } = await open();
    const settled = await Promise.allSettled([
      inGroup(() => add('a')),
      inGroup(() => add('b', 'nobody')),
      inGroup(() => add('c')),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(settled[0]).toMatchObject({ reason: { message: expect.stringContaining('FOREIGN KEY') } });
    expect(seen()).toBe('');
    await inGroup(() => add('d'));
    expect(seen()).toBe('d');
  });

  it('that come later are a group of their own', async () => {
    const { inGroup, add, seen } = await open();
    await inGroup(() => add('a'));
    await expect(inGroup(() => add('b', 'nobody'))).rejects.toThrow('FOREIGN KEY');
    expect(seen()).toBe('a');
  });
});
