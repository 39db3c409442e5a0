import { describe, expect, it } from 'vitest';
import { bind } from '../../../src/import/mapping/bind.ts';
import { isPathAssumed } from '../../../src/import/mapping/column.ts';
import type { MappingFile, Preset } from '../../../src/import/mapping/language.ts';
import type { MappedFlags } from '../../../src/import/mapping/mapping.ts';
import { formatFieldPath } from '../../../src/orders/field-path.ts';
import { headerOf } from '../tables.ts';

const rules = {
  columns: { 'items[].quantity:number': 'Qty' },
  address: [{ 'deliveryAddress.city': 'City' }],
  lines: { wide: { 'Item {n}': 'items[].name' } },
};
const preset = { title: 'A shop', signature: { all: ['Qty'] }, ...rules } as unknown as Preset;
const map = { constants: [], ...rules } as unknown as MappingFile;
const wide = { ...preset, columns: {} };

/** The fields of these headers, and whether their paths were assumed. */
function assumed(headers: string[], options: MappedFlags, preset?: Preset) {
  const { columns, addresses, lines } = bind(headerOf('externalOrderId', ...headers), options, preset);
  const all = [...columns, ...addresses.flat(), ...(lines?.columns ?? [])].slice(1);
  return all.map((column) => [formatFieldPath(column.path), isPathAssumed(column)]);
}

describe('the path of a column is assumed', () => {
  it.each<[string, string[], MappedFlags, [string, boolean][], Preset?]>([
    ['by a usual name', ['Phone'], {}, [['customer.phone', true]]],
    ['by the columns of a preset', ['Qty'], {}, [['items[].quantity', true]], preset],
    ['by the addresses of a preset', ['City'], {}, [['deliveryAddress.city', true]], preset],
    ['by the lines of a preset', ['Item 1', 'Item 2'], {}, [['items[].name', true]], wide],
    ['not by a dotted header', ['items[].quantity:number'], {}, [['items[].quantity', false]]],
    [
      'not by --map-column',
      ['Qty'],
      { mapColumn: [{ header: 'Qty', path: 'items[].qty' }] },
      [['items[].qty', false]],
      preset,
    ],
    [
      'not by a mapping file',
      ['Qty', 'City', 'Item 1'],
      { map },
      [
        ['items[].quantity', false],
        ['deliveryAddress.city', false],
        ['items[].name', false],
      ],
    ],
  ])('%s', (_, headers, options, expected, preset) => {
    expect(assumed(headers, options, preset)).toEqual(expected);
  });
});
