import { describe, expect, it } from 'vitest';
import { CliError } from '../../../src/errors.ts';
import { parseMappingFile } from '../../../src/import/map/mapping-file.ts';

function errorOf(mapping: unknown): CliError {
  try {
    parseMappingFile(JSON.stringify(mapping), 'orders.map.json');
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
  throw new Error('the mapping was accepted');
}

describe('a mapping file with open questions', () => {
  it('is refused for each of them, by its path', () => {
    const error = errorOf({
      columns: { externalOrderId: '?', 'customer.phone': '? Teléfono | Móvil', 'items[].sku': '? Código' },
      values: { Pago: { Tarjeta: '? prepaid | collect | leave_out', '': '? collect' } },
      unpaid: '? collect | prepaid',
    });
    expect(error.code).toBe('configuration_invalid');
    expect(error.message).toBe('orders.map.json has 6 open questions.');
    expect(error.details.issues?.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'columns.externalOrderId: write the name of its column',
      'columns.customer.phone: choose Teléfono or Móvil, and write only that',
      'columns.items[].sku: write Código if that is right',
      'values.Pago.Tarjeta: choose prepaid, collect or leave_out, and write only that',
      'values.Pago.(blank): write collect if that is right',
      'unpaid: choose collect or prepaid, and write only that',
    ]);
  });

  it('is accepted when a text only has a question mark', () => {
    const columns = { externalOrderId: 'Order?', 'items[].sku': '?SKU' };
    expect(parseMappingFile(JSON.stringify({ columns }), 'map.json').columns).toEqual(columns);
  });
});
