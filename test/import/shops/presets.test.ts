import { describe, expect, it } from 'vitest';
import { checkPreset } from '../../../src/import/map/mapping-file.ts';
import { presets } from '../../../src/import/shops/presets.ts';

describe('the data of the shops', () => {
  it.each(Object.entries(presets))('%s follows the schema', (_, preset) => {
    expect(checkPreset(preset)).toEqual([]);
  });

  it('is refused with a key that the schema does not have', () => {
    expect(checkPreset({ ...presets.shopify, unpaid: {} })).toEqual(['the file: Unrecognized key: "unpaid"']);
  });
});
