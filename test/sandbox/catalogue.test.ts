import { describe, expect, it } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { parseCatalogue } from '../../src/sandbox/inputs.ts';

function problemOf(text: string, fileName: string): string {
  try {
    parseCatalogue(text, fileName);
  } catch (error) {
    if (error instanceof CliError) return `${error.code}: ${error.message}`;
    throw error;
  }
  throw new Error('the catalogue was accepted');
}

describe('a CSV catalogue', () => {
  it('has the columns sku, name and active in any order; only sku is required', () => {
    expect(parseCatalogue('sku,name,active\nTEA,Green tea,true\nOLD,,false\n', 'a.csv')).toEqual([
      { sku: 'TEA', name: 'Green tea', active: true },
      { sku: 'OLD', name: undefined, active: false },
    ]);
    expect(parseCatalogue('active,sku\n0,TEA', 'a.csv')).toEqual([{ sku: 'TEA', active: false }]);
    expect(parseCatalogue('SKU\nTEA', 'A.CSV')).toEqual([{ sku: 'TEA', active: true }]);
  });

  it.each([
    ...['true', '1', 'yes', 'YES', ''].map((word) => [word, true]),
    ...['false', '0', 'no', 'False'].map((word) => [word, false]),
  ])('reads "%s" as active: %s', (word, active) => {
    expect(parseCatalogue(`sku,active\nTEA,${word}`, 'a.csv')).toEqual([{ sku: 'TEA', active }]);
  });

  it('may have a BOM, quoted cells, Windows line endings and empty lines', () => {
    const text = '\uFEFF"sku","name"\r\n\r\n" TEA ","Tea, ""green"""\r\n';
    expect(parseCatalogue(text, 'a.csv')).toEqual([{ sku: 'TEA', name: 'Tea, "green"', active: true }]);
  });

  it('may have no products', () => {
    expect(parseCatalogue('sku,name,active\n', 'a.csv')).toEqual([]);
  });

  it.each([
    ['', 'cat.csv has no column sku in its first line.'],
    ['name,active\nTea,true', 'cat.csv has no column sku in its first line.'],
    ['sku,name\nTEA,Tea\n,Cup', 'cat.csv, line 3: sku: is blank.'],
    ['sku,active\nTEA,maybe', 'cat.csv, line 2: active: Invalid input: expected boolean, received string.'],
    ['sku\nTEA\n\nCUP\nTEA', 'cat.csv, line 5: sku: the SKU "TEA" is there twice.'],
    ['sku\n"TEA', 'cat.csv has a quote that opens on line 2 and never closes.'],
  ])('reports the invalid line: %j', (text, message) => {
    expect(() => parseCatalogue(text, 'cat.csv')).toThrow(CliError);
    expect(problemOf(text, 'cat.csv').replace('file_invalid: ', '')).toEqual(message);
  });
});

describe('a JSON catalogue', () => {
  it('is an array of products that need only a sku', () => {
    const text = '\uFEFF[{"sku":"TEA","name":"Green tea","active":false},{"sku":" CUP "}]';
    expect(parseCatalogue(text, 'a.JSON')).toEqual([
      { sku: 'TEA', name: 'Green tea', active: false },
      { sku: 'CUP', active: true },
    ]);
  });

  it.each([
    ['{"sku":"TEA"}', /^file_invalid: cat\.json: Invalid input: expected array, received object\.$/],
    ['[', /^file_invalid: cat\.json is not JSON: /],
    ['["TEA"]', /^file_invalid: cat\.json, item 0: Invalid input: /],
    ['[{"sku":"TEA","price":1}]', /^file_invalid: cat\.json, item 0: Unrecognized key: "price"\.$/],
    ['[{"sku":"TEA"},{"name":"Cup"}]', /^file_invalid: cat\.json, item 1: sku: /],
    ['[{"sku":" "}]', /^file_invalid: cat\.json, item 0: sku: is blank\.$/],
    ['[{"sku":7}]', /^file_invalid: cat\.json, item 0: sku: /],
    ['[{"sku":"TEA","active":"yes"}]', /^file_invalid: cat\.json, item 0: active: /],
    [
      '[{"sku":"TEA"},{"sku":"TEA "}]',
      /^file_invalid: cat\.json, item 1: sku: the SKU "TEA" is there twice\.$/,
    ],
  ])('reports the invalid item: %s', (text, message) => {
    expect(problemOf(text, 'cat.json')).toMatch(message);
  });
});

it('is JSON unless the name of its file ends in .csv, and errors name the expected format', () => {
  expect(problemOf('sku\nTEA', 'cat.txt')).toMatch(/^file_invalid: cat\.txt is not JSON: /);
  expect(() => parseCatalogue('', 'cat.csv')).toThrow(
    expect.objectContaining({
      details: expect.objectContaining({ hint: expect.stringContaining('sku,name,active') }),
    }),
  );
});
