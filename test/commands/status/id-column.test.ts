import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.ts';
import { header, imported, rowOf } from './shop.ts';

/** Two orders, and lists that name them. */
async function withLists() {
  const service = await imported([header, rowOf('UB-1'), rowOf('UB-2')]);
  const list = (name: string, ...lines: string[]) => {
    const file = join(service.folder, name);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  };
  return { ...service, list };
}

const first = ['Дугаар,Хүргэгч', 'UB-1,Болд', 'UB-2,Туяа'];
const isRead =
  'The orders are in the column "Дугаар", as remembered in first. To name another one, add --id-column.';

describe('the column of --id-column', () => {
  it('is remembered for files with the same columns in any order', async () => {
    const { cli, list, rows } = await withLists();
    const file = list('first.csv', ...first);
    const unknown = await cli(['status', file]);
    expect(unknown.exitCode).toBe(2);
    const named = await cli(['status', file, '--id-column', 'дугаар']);
    expect(named.stderr).toContain('The column is remembered as "first" for lists with these columns.\n');
    expect(named.exitCode, named.stderr).toBe(0);
    const again = await cli(['status', file, '--id-column', 'дугаар']);
    expect(again.stderr).not.toContain('remembered');
    const second = await cli(['status', list('second.csv', 'Хүргэгч,Дугаар', 'Болд,UB-2')]);
    expect(second.stderr).toContain(isRead);
    expect(second.exitCode, second.stderr).toBe(0);
    expect(rows('second.status.csv')[1]).toMatch(/^Болд,UB-2,ORD-2026-000002,CONFIRMED,,5000,5000,/);
    const other = await cli(['status', list('other.csv', 'Дугаар,Утас', 'UB-1,1')]);
    expect(other.exitCode).toBe(2);
  });

  it('is remembered as it is answered at a terminal', async () => {
    const { cli, list } = await withLists();
    const file = list('first.csv', ...first);
    const asked = await cli(['status', file], { answers: [{ pick: 'Дугаар' }] });
    expect(asked.stderr).toContain('Your answer is remembered as "first" for lists with these columns.');
    expect(asked.exitCode, asked.stderr).toBe(0);
    const { stderr, exitCode, asked: questions } = await cli(['status', file], { answers: [] });
    expect(stderr).toContain(isRead.slice(0, 60));
    expect(questions).toEqual([]);
    expect(exitCode, stderr).toBe(0);
  });

  it('is replaced by another one, and forgotten with its mapping', async () => {
    const { cli, list } = await withLists();
    const file = list('first.csv', 'Нэг,Хоёр', 'UB-1,UB-2');
    await cli(['status', file, '--id-column', 'Нэг']);
    await cli(['status', file, '--id-column', 'Хоёр']);
    expect((await cli(['status', file])).stderr).toContain('The orders are in the column "Хоёр"');
    expect((await cli(['mappings', 'show', 'first'])).stdout).toContain('"Хоёр"');
    expect((await cli(['status', file, '--map', 'none'])).exitCode).toBe(2);
    await cli(['mappings', 'remove', 'first']);
    expect((await cli(['status', file])).exitCode).toBe(2);
  });

  it('says nothing to an import, whose answers come first', async () => {
    const { cli, list, env, configDirectory } = await withLists();
    const lines = ['Дугаар,Утас,Бараа,Төлбөр', 'UB-1,99112233,TEA-1,5000'];
    const file = list('first.csv', ...lines);
    await cli(['status', file, '--id-column', 'Утас']);
    const imported = await cli(['import', file, '--dry-run']);
    expect(imported.stderr).not.toContain('remembered');
    const map = list(
      'map.json',
      JSON.stringify({
        columns: { externalOrderId: 'Дугаар', 'customer.phone': 'Утас', 'items[].sku': 'Бараа' },
        amount_due: 'Төлбөр',
      }),
    );
    const added = await runCli(['mappings', 'add', file, map], { env, configDirectory });
    expect(added.exitCode, added.stderr).toBe(0);
    const { stderr, exitCode } = await cli(['status', file]);
    expect(stderr).toContain('Read with the remembered mapping');
    expect(stderr).not.toContain('The orders are in the column');
    expect(exitCode, stderr).toBe(0);
  });

  it('does not need to be remembered', async () => {
    const { list, env } = await withLists();
    const file = list('first.csv', ...first);
    const configDirectory = join(file, 'nowhere');
    const { stderr, exitCode } = await runCli(['status', file, '--id-column', 'Дугаар'], {
      env,
      configDirectory,
    });
    expect(stderr).not.toContain('remembered');
    expect(exitCode, stderr).toBe(0);
  });
});
