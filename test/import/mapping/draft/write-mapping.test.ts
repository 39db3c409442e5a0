import { describe, expect, it } from 'vitest';
import type { MappingAnswers } from '../../../../src/import/mapping/draft/proposal.ts';
import { analyseTable } from '../../../../src/import/mapping/draft/propose-mapping.ts';
import { noAnswers, writeMapping } from '../../../../src/import/mapping/draft/write-mapping.ts';
import { readTable } from '../../../../src/import/read/read-table.ts';
import { bytesSource } from '../../tables.ts';

async function draft(lines: readonly string[], answers: Partial<MappingAnswers>) {
  const source = bytesSource(Buffer.from(`${lines.join('\n')}\n`), 'orders.csv');
  const table = await readTable(source, {}, { forOrders: true });
  const stopping = new AbortController().signal;
  const { proposal, known } = await analyseTable(table, { constants: [], stopping });
  return writeMapping(proposal, { ...noAnswers, ...answers }, known);
}

const plain = ['Pedido,Móvil,SKU,Precio', 'P-1,99112233,TEA-1,8900', 'P-2,99112244,TEA-2,8900'];

describe('a mapping that is written from a file', () => {
  it('leaves the payment columns alone when all orders are prepaid', async () => {
    const lines = [
      ...plain.slice(0, 1).map((line) => `${line},Pago`),
      ...plain.slice(1).map((line) => `${line},Tarjeta`),
    ];
    const { mapping, questions } = await draft(lines, { collection: { kind: 'prepaid' } });
    expect(mapping).toMatchObject({ constants: { collectionMode: 'NONE' }, ignore: ['Pago'] });
    expect(mapping.values).toBeUndefined();
    expect(questions).toBe(0);
  });

  it('writes what was answered', async () => {
    const lines = [
      'Pedido,Móvil,Teléfono,SKU,Importe,Pago',
      'P-1,99112233,88112233,TEA-1,8900,Tarjeta',
      'P-2,99112244,88112244,TEA-2,8900,Contra reembolso',
    ];
    const { mapping, questions } = await draft(lines, {
      columns: new Map([['customer.phone', 'Teléfono']]),
      values: new Map([['Pago', new Map([['Tarjeta', 'prepaid' as const]])]]),
      unpaid: 'leave-out',
    });
    expect(mapping).toEqual({
      columns: {
        externalOrderId: 'Pedido',
        'customer.phone': 'Teléfono',
        'items[].sku': 'SKU',
        total: 'Importe',
      },
      values: { Pago: { Tarjeta: 'prepaid', 'Contra reembolso': 'collect' } },
      unpaid: 'leave-out',
    });
    expect(questions).toBe(0);
  });
});
