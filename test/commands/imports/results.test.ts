import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Cells, cellsOf, rowsOf } from '../import/setup.ts';
import { failList, loseResponses, startShop } from './setup.ts';

/** The ledger stores neither deliveries nor messages. */
const withoutTexts = (rows: Cells[]) => rows.map((row) => ({ ...row, delivery: '', message: '' }));

describe('imports show --format csv', () => {
  it('prints the results file again', async () => {
    const { run, newest, results, setFaults, ...shop } = await startShop(4);
    await setFaults(loseResponses('UB-2'), failList);
    await shop.import('--rows', '2-4');
    const { run: id } = await newest();
    const before = rowsOf(results).slice(0, 3);
    const { stdout, stderr, exitCode } = await run(['imports', 'show', id, '--format', 'csv']);
    expect([cellsOf(stdout), stderr, exitCode]).toEqual([withoutTexts(before), '', 0]);
    expect(before.map(({ outcome }) => outcome)).toEqual(['created', 'unknown', 'created']);
    expect(before[1]?.message).not.toBe('');
    const [header = '', ...lines] = stdout.split(/(?<=\n)/);
    expect(readFileSync(results, 'utf8').startsWith(header)).toBe(true);
    expect((await run(['imports', 'show', id, '--format', 'csv', '--no-header'])).stdout).toBe(
      lines.join(''),
    );
  });

  it('counts the orders that are missing', async () => {
    const { run, newest, change, ...shop } = await startShop(3);
    await shop.import();
    await change("DELETE FROM run_orders WHERE row = 4; DELETE FROM orders WHERE external_order_id = 'UB-3'");
    const { run: id } = await newest();
    const { stdout, stderr, exitCode } = await run(['imports', 'show', id.slice(0, 6), '--format', 'csv']);
    expect([cellsOf(stdout).length, stderr, exitCode]).toEqual([
      2,
      '1 order is missing from the results: the ledger has no entries for orders that were not sent.\n',
      0,
    ]);
  });
});
