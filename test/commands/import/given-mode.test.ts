import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../../support/cli.ts';

const csv = 'Order,Phone,SKU,Pay,Total\n1,99112233,TEA-1,cash,5000\n2,88112233,TEA-1,card,7000\n';

it.each([
  ['NONE', '1', 'paid on delivery, but --set collectionMode=NONE'],
  ['COLLECT', '2', 'it is paid, but --set collectionMode=COLLECT'],
])('does not let a mapping file overrule --set collectionMode=%s in silence', async (mode, id, problem) => {
  const directory = temporaryDirectory();
  const [file, map] = [join(directory, 'orders.csv'), join(directory, 'map.json')];
  writeFileSync(file, csv);
  const columns = {
    externalOrderId: 'Order',
    'customer.phone': 'Phone',
    'items[].sku': 'SKU',
    total: 'Total',
  };
  const mapping = { columns, values: { Pay: { cash: 'collect', card: 'prepaid' } } };
  const importWith = async (constants: object, ...flags: string[]) => {
    writeFileSync(map, JSON.stringify({ ...mapping, constants }));
    return runCli(['import', file, '--map', map, '--dry-run', ...flags]);
  };
  const { stderr, exitCode } = await importWith({}, '--set', `collectionMode=${mode}`);
  expect(stderr).toContain(`order ${id}`);
  expect(stderr).toContain(problem);
  expect(exitCode).toBe(2);
  // A constant of the mapping file itself is for orders about which its values say nothing.
  expect((await importWith({ collectionMode: mode })).exitCode).toBe(0);
});
