import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';

it('shows a server-requested wait in the progress line', async () => {
  const { cli } = await startService();
  const csv = join(temporaryDirectory(), 'orders.csv');
  const rows = Array.from({ length: 12 }, (_, place) => {
    // The first attempt of the fourth order gets a 429 with Retry-After: 2.
    return `UB-${place},${place === 3 ? '99000429' : '99112233'},TEA-1,NONE`;
  });
  writeFileSync(csv, ['externalOrderId,customer.phone,items[].sku,collectionMode', ...rows].join('\n'));
  const { stderr, exitCode } = await cli(['import', csv, '--yes'], { answers: [], waits: true });
  expect(stderr).toContain('paused: the service asks to wait 2 s');
  expect(exitCode).toBe(0);
  const last = stderr.lastIndexOf('12/12 orders');
  expect(last).toBeGreaterThan(stderr.lastIndexOf('paused'));
});
