import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Cells, rowsOf } from '../import/setup.ts';
import { failList, loseResponses, outputOf, startShop } from './setup.ts';

/** The ledger stores neither deliveries nor messages. */
const withoutTexts = (rows: Cells[]) => rows.map((row) => ({ ...row, delivery: '', message: '' }));

describe('imports results', () => {
  it('writes the results file again in its place', async () => {
    const { run, newest, results, setFaults, ...shop } = await startShop(4);
    await setFaults(loseResponses('UB-2'), failList);
    await shop.import('--rows', '2-4');
    const { run: id } = await newest();
    const before = rowsOf(results).slice(0, 3);
    rmSync(results);
    expect(outputOf(await run(['imports', 'results', id]))).toEqual({
      stdout: `run\tresults\n${id}\t${results}\n`,
      stderr: '',
      exitCode: 0,
    });
    expect(rowsOf(results)).toEqual(withoutTexts(before));
    expect(before.map(({ outcome }) => outcome)).toEqual(['created', 'unknown', 'created']);
    expect(before[1]?.message).not.toBe('');
  });

  it('keeps a results file with other content and counts the orders that are missing', async () => {
    const { run, newest, results, change, ...shop } = await startShop(3);
    await shop.import();
    const before = readFileSync(results, 'utf8');
    await change("DELETE FROM run_orders WHERE row = 4; DELETE FROM orders WHERE external_order_id = 'UB-3'");
    const { run: id } = await newest();
    const { stderr } = await run(['imports', 'results', id.slice(0, 6)]);
    const [, kept = ''] = /^The earlier results file is kept as (.*)\.$/m.exec(stderr) ?? [];
    expect(stderr).toBe(
      [
        `The earlier results file is kept as ${kept}.`,
        '1 order is missing from the file: the ledger has no entries for orders that were not sent.',
        '',
      ].join('\n'),
    );
    expect(kept).toMatch(/\/orders\.results\.before-[0-9a-f]{8}\.csv$/);
    expect([readFileSync(kept, 'utf8'), rowsOf(results).length]).toEqual([before, 2]);
    await run(['imports', 'results', id]);
    expect(readdirSync(dirname(results)).filter((name) => name.includes('.before-'))).toHaveLength(1);
  });

  it('prints the results with --results -', async () => {
    const { run, newest, results, ...shop } = await startShop(2);
    await shop.import();
    const { run: id } = await newest();
    const other = join(dirname(results), 'other.csv');
    await run(['imports', 'results', id, '--results', other]);
    const whole = readFileSync(other, 'utf8');
    expect(outputOf(await run(['imports', 'results', id, '--results', '-']))).toEqual({
      stdout: whole,
      stderr: '',
      exitCode: 0,
    });
    expect((await run(['imports', 'results', id, '--results=-', '--no-header'])).stdout).toBe(
      whole.replace(/^.*\n/, ''),
    );
  });

  it.each<[string, (shop: { csv: string; configDirectory: string }) => string]>([
    ['the file that was imported', ({ csv }) => csv],
    ['the configuration', ({ configDirectory }) => join(configDirectory, 'config.json')],
    ['the ledger', ({ configDirectory }) => join(configDirectory, 'ledger.db')],
    ['the locks', ({ configDirectory }) => join(configDirectory, 'runs')],
  ])('does not overwrite %s', async (_, pathOf) => {
    const shop = await startShop(1);
    await shop.import();
    const { run: id } = await shop.newest();
    writeFileSync(join(shop.configDirectory, 'config.json'), '{"profiles":{}}', { mode: 0o600 });
    const path = pathOf(shop);
    const contentOf = () => (statSync(path).isFile() ? readFileSync(path, 'latin1') : readdirSync(path));
    const before = contentOf();
    expect(outputOf(await shop.run(['imports', 'results', id, '--results', path]))).toEqual({
      stdout: '',
      stderr: `error: The results would overwrite ${path}.\nChoose another name with --results.\n`,
      exitCode: 2,
    });
    expect(contentOf()).toEqual(before);
  });
});
