import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type PresetName, presetNames } from '../../../../src/import/choices.ts';
import { hasSignature, presets } from '../../../../src/import/mapping/shops/presets.ts';
import { type ReadingFlags, readTable } from '../../../../src/import/read/read-table.ts';
import { type FileOrder, planFile } from '../../../support/plan-file.ts';
import { headerErrors } from '../../plan-rows.ts';
import { fixture, sourceOf } from '../../tables.ts';

/** `fixtures/shops/NAME.csv` or `NAME.VARIANT.csv` is an export of the shop NAME. */
const exports = readdirSync(fixture('shops')).filter((file) => /\.(?:csv|tsv|txt)$/.test(file));
/** What the user has to say of a file before its header can be read. */
const reading: Record<string, ReadingFlags> = {
  'tiendanube.csv': { encoding: 'windows-1252' },
  'nuvemshop.csv': { encoding: 'windows-1252' },
};

function nameOf(file: string): PresetName {
  return file.split('.', 1)[0] as PresetName;
}

/** Those of its plan. */
function flagsOf(file: string): string[] {
  const [{ flags }] = JSON.parse(
    readFileSync(fixture(`shops/${file.replace(/\.\w+$/, '.plan.json')}`), 'utf8'),
  );
  return flags;
}

/** What came of an order, as `NAME.orders.json` beside the export has it: written down by reading the export. */
function resultOf({ id, leftOut, invalid, order }: FileOrder) {
  if (leftOut !== undefined) return { id, leftOut };
  return invalid === undefined ? { id, order } : { id, problems: [...new Set(invalid.split(' '))].sort() };
}

describe('the export of', () => {
  it.each(exports.filter((file) => presets[nameOf(file)].explains === undefined))(
    '%s is read as a careful person reads it',
    async (file) => {
      const plan = await planFile(fixture(`shops/${file}`), flagsOf(file));
      expect(headerErrors(plan)).toEqual([]);
      const expected = readFileSync(fixture(`shops/${file.replace(/\.\w+$/, '.orders.json')}`), 'utf8');
      expect(plan.orders.map(resultOf)).toEqual(JSON.parse(expected));
    },
  );

  it.each(exports.filter((file) => presets[nameOf(file)].explains !== undefined))(
    '%s is explained, and no orders are read from it',
    async (file) => {
      const { orders, problems } = await planFile(fixture(`shops/${file}`), flagsOf(file));
      expect(problems.map(({ code }) => code)).toEqual(['export_not_deliverable']);
      expect(orders).toEqual([]);
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
