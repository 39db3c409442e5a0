import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type PresetName, presetNames } from '../../../src/import/choices.ts';
import type { PlannedOrder } from '../../../src/import/orders/plan-order.ts';
import { hasSignature, presets } from '../../../src/import/shops/presets.ts';
import { type ReadingFlags, readTable } from '../../../src/import/table/read-table.ts';
import { writeOrderBody } from '../../../src/orders/order.ts';
import { fixture, planFile, sourceOf } from '../tables.ts';

/** `fixtures/shops/NAME.csv` or `NAME.VARIANT.csv` is an export of the shop NAME. */
const exports = readdirSync(fixture('shops')).filter((file) => /\.(?:csv|tsv|txt)$/.test(file));
/** What the user has to say of a file before it can be read. */
const reading: Record<string, ReadingFlags> = {
  'tiendanube.csv': { encoding: 'windows-1252' },
  'nuvemshop.csv': { encoding: 'windows-1252' },
};

function nameOf(file: string): PresetName {
  return file.split('.', 1)[0] as PresetName;
}

/** What came of an order, as `NAME.orders.json` beside the export has it: written down by reading the export. */
function resultOf({ externalOrderId: id, leftOut, order, problems }: PlannedOrder) {
  if (leftOut !== undefined) return { id, leftOut };
  const codes = problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);
  if (codes.length > 0) return { id, problems: [...new Set(codes)].sort() };
  return { id, order: JSON.parse(writeOrderBody(order)) };
}

describe('the export of', () => {
  it.each(exports.filter((file) => presets[nameOf(file)].explains === undefined))(
    '%s is read as a careful person reads it',
    async (file) => {
      const { all, counts, problems } = await planFile(
        fixture(`shops/${file}`),
        { preset: nameOf(file) },
        reading[file],
      );
      const ofHeader = problems.filter(({ first }) => first.about !== 'order' && first.severity === 'error');
      expect(ofHeader.map(({ first }) => first)).toEqual([]);
      const expected = readFileSync(fixture(`shops/${file.replace(/\.\w+$/, '.orders.json')}`), 'utf8');
      expect(all.map(resultOf)).toEqual(JSON.parse(expected));
      expect(counts.sums.less).toBe(0);
    },
  );

  it.each(exports.filter((file) => presets[nameOf(file)].explains !== undefined))(
    '%s is explained, and no orders are read from it',
    async (file) => {
      const { all, problems } = await planFile(
        fixture(`shops/${file}`),
        { preset: nameOf(file) },
        reading[file],
      );
      expect(problems.map(({ first }) => first.code)).toEqual(['export_not_deliverable']);
      expect(all).toEqual([]);
    },
  );

  it.each(exports)('%s is recognised as its shop’s, and as no other’s', async (file) => {
    const { header } = await readTable(sourceOf(fixture(`shops/${file}`)), reading[file] ?? {});
    const name = nameOf(file);
    const expected = presets[name].signature === undefined ? [] : [name];
    expect(presetNames.filter((other) => hasSignature(header, presets[other]))).toEqual(expected);
  });

  it.each(presetNames)('%s is among them', (name) => {
    expect(exports.map(nameOf)).toContain(name);
  });
});
