import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { fixRejects } from '../commands/import/setup.ts';
import { temporaryDirectory } from '../support/cli.ts';
import type { Sequences } from './sequence.ts';

export const changedFiles: Sequences = {
  'an order is changed before orders are sent': async (shop) => {
    shop.gateway.onProbe(() => shop.file.edit('A', { total: '2000' }));
    return shop.import();
  },
  'an order is added before orders are sent': async (shop) => {
    shop.gateway.onProbe(() => shop.file.add('B'));
    return shop.import();
  },
  'columns in another order': async (shop) => {
    await shop.expectImport('A created', 0);
    shop.file.arrange((names) => names.toReversed());
    const result = await shop.import();
    expect(result.creates).toBe(0);
    return result;
  },
  'the same in another encoding, with semicolons': async (shop) => {
    await shop.expectImport('A created', 0);
    const text = readFileSync(shop.file.path, 'utf8').replaceAll(',', ';').replaceAll('\n', '\r\n');
    const file = join(temporaryDirectory(), 'other.csv');
    writeFileSync(file, Buffer.from(`\uFEFF${text}`, 'utf16le'));
    const result = await shop.import({ file });
    expect(result.creates).toBe(0);
    return result;
  },
  'lines of an order in another order': async (shop) => {
    shop.file.edit('A', { 'items[].sku': 'TEA-1/TEA-2' });
    await shop.addProduct('TEA-2');
    await shop.expectImport('A created', 0);
    shop.file.edit('A', { 'items[].sku': 'TEA-2/TEA-1' });
    return shop.import();
  },
  'one line more': async (shop) => {
    await shop.expectImport('A created', 0);
    shop.file.edit('A', { 'items[].sku': 'TEA-1/TEA-1', 'items[].name': 'one/two' });
    return shop.import();
  },
  'the rejects are fixed and imported': async (shop) => {
    shop.file.edit('A', { 'items[].sku': 'NEW-1' });
    shop.file.add('B');
    const { rejects } = await shop.expectImport('A rejected; B created', 6);
    fixRejects(rejects, { A: { 'items[].sku': 'TEA-1' } });
    return shop.import({ file: rejects });
  },
  'the rejects are fixed and imported, then the old file again': async (shop) => {
    shop.file.edit('A', { 'items[].sku': 'NEW-1' });
    shop.file.add('B');
    const { rejects } = await shop.expectImport('A rejected; B created', 6);
    fixRejects(rejects, { A: { 'items[].sku': 'TEA-1' } });
    await shop.expectImport('A created', 0, { file: rejects });
    return shop.import();
  },
};
