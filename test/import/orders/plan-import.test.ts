import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planImport } from '../../../src/import/orders/plan-import.ts';
import { readTable } from '../../../src/import/read/read-table.ts';
import { defaultPlaces } from '../../../src/orders/unnamed-fields.ts';
import { systemFiles } from '../../../src/system/files.ts';
import { temporaryDirectory } from '../../support/cli.ts';
import { fixture, plan, sourceOf, tableOf } from '../tables.ts';

const options = {
  constants: [],
  checks: true,
  places: defaultPlaces,
  today: '2026-11-20',
  openSpill: systemFiles.openSpill,
};

/** Plans the import of a copy of fixtures/orders.csv. */
async function planned(stopping = new AbortController()) {
  const path = join(temporaryDirectory(), 'orders.csv');
  writeFileSync(path, readFileSync(fixture('orders.csv')));
  const plan = await planImport(await readTable(sourceOf(path), {}), {
    ...options,
    stopping: stopping.signal,
  });
  const readAgain = async () => {
    const ids: string[] = [];
    for await (const batch of plan.orders())
      for (const { planned } of batch) ids.push(planned.externalOrderId);
    return ids;
  };
  return { path, plan, readAgain };
}

it.each([0, 1, 199, 200, 201, 450])(
  'keeps the digests of %i orders, each once and in file order',
  async (count) => {
    const ids = Array.from({ length: count }, (_, index) => `A-${index}`);
    const header = 'externalOrderId|customer.phone|items[].sku|collectionMode';
    const table = tableOf(header, ...ids.map((id) => `${id}|99112233|TEA-1|NONE`));
    const { digests } = await plan(table, { keepsDigests: true });
    expect(digests.map(({ externalOrderId }) => externalOrderId)).toEqual(ids);
    expect((await plan(table, { keepsDigests: false })).digests).toEqual(digests);
  },
);

describe('the orders of a plan', () => {
  it('can be read repeatedly', async () => {
    const { plan, readAgain } = await planned();
    const ids = await readAgain();
    expect([ids.length, new Set(ids).size, plan.counts.orders]).toEqual([264, 264, 264]);
    expect(await readAgain()).toEqual(ids);
  });

  it('are not read from a file that changed since it was checked', async () => {
    const { path, readAgain } = await planned();
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, before.replace('302251.50', '302251.59'));
    await expect(readAgain()).rejects.toMatchObject({ code: 'file_changed', exitCode: 7 });
    writeFileSync(path, before);
    expect(await readAgain()).toHaveLength(264);
    appendFileSync(path, 'UB-1,,,,,,,,,,,,,,,\n');
    await expect(readAgain()).rejects.toMatchObject({ code: 'file_changed' });
  });

  it('are not read after the run was aborted', async () => {
    const stopping = new AbortController();
    const { readAgain } = await planned(stopping);
    stopping.abort();
    await expect(readAgain()).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  });
});
