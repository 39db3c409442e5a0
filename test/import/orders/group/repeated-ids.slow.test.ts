import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../support/cli.ts';
import { runWithPeak } from '../../../support/program.ts';

it('two exports in one file, whose IDs look alike, take bounded memory', async () => {
  const file = join(temporaryDirectory(), 'twice.csv');
  const extra = Array.from({ length: 20 }, (_, column) => `extra ${column}`);
  writeFileSync(file, `externalOrderId,customer.phone,items[].sku,collectionMode,${extra.join()}\n`);
  for (const mark of ['', '#']) {
    const rows = Array.from({ length: 100_000 }, (_, order) => {
      const phone = 88_000_000 + order + (mark === '' ? 0 : 500_000);
      return `${mark}${100_000 + order},${phone},TEA-${order % 90},NONE,${extra.map((name) => `${name} of ${order}`).join()}\n`;
    });
    appendFileSync(file, rows.join(''));
  }
  const { stdout, exitCode, peak } = await runWithPeak([
    ...['import', file, '--dry-run', '--json', '--no-input', '--ignore-rest'],
  ]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).orders.total).toBe(200_000);
  expect(stdout).toContain('ids_alike');
  // Orders that wait in memory for their turn take twice as much.
  expect(peak).toBeLessThan(220);
});
