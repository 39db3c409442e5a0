import { describe, expect, it } from 'vitest';
import type { MappingFile } from '../../../src/import/map/language.ts';
import { parseMappingFile } from '../../../src/import/map/mapping-file.ts';
import { analyseTable } from '../../../src/import/propose/analyse-table.ts';
import type { MappingAnswers } from '../../../src/import/propose/proposal.ts';
import { noAnswers, writeMapping } from '../../../src/import/propose/write-mapping.ts';
import { readTable } from '../../../src/import/table/read-table.ts';

async function propose(lines: readonly string[], map?: MappingFile) {
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  const source = {
    name: 'orders.csv',
    open: async function* () {
      yield bytes;
    },
  };
  const table = await readTable(source, {}, { forOrders: true });
  const stopping = new AbortController().signal;
  return analyseTable(table, { constants: [], stopping, ...(map === undefined ? {} : { map }) });
}

async function draft(lines: readonly string[], answers: Partial<MappingAnswers> = {}, map?: MappingFile) {
  const { proposal, known } = await propose(lines, map);
  return writeMapping(proposal, { ...noAnswers, ...answers }, known);
}

const plain = ['Pedido,Móvil,SKU,Precio', 'P-1,99112233,TEA-1,8900', 'P-2,99112244,TEA-2,8900'];

describe('a mapping that is written from a file', () => {
  it('never decides by itself that all orders are prepaid, or none', async () => {
    expect(await draft(plain)).toEqual({
      mapping: {
        columns: { externalOrderId: 'Pedido', 'customer.phone': 'Móvil', 'items[].sku': 'SKU' },
        constants: { collectionMode: '? NONE | COLLECT' },
      },
      questions: 1,
    });
  });

  it('asks about small numbers under an unknown header, which would be sent as one piece each', async () => {
    const rows = ['P-1,99112233,TEA-1,2,COD,500', 'P-2,99112244,TEA-2,1,COD,900'];
    const { mapping, questions } = await draft(['Pedido,Móvil,SKU,Ct,Pago,Total', ...rows]);
    expect(mapping.columns).toMatchObject({ 'items[].quantity:number': '? Ct', total: 'Total' });
    expect(questions).toBe(1);
    const known = await draft(['Pedido,Móvil,SKU,Ct,Pago,Total,Uds', ...rows.map((row) => `${row},3`)]);
    expect(known.mapping.columns).toMatchObject({ 'items[].quantity:number': 'Uds' });
    expect(known.questions).toBe(0);
  });

  it('asks about amounts and texts under unknown headers when no other column holds them', async () => {
    const rows = ['P-1,99112233,Té,COD,500', 'P-2,99112244,Té,COD,900'];
    expect((await draft(['Pedido,Móvil,Lo que,Pago,Dinero', ...rows])).mapping.columns).toMatchObject({
      'items[].name': '? Lo que',
      total: '? Dinero',
    });
  });

  it('joins the first name and the last name, in the order of the file', async () => {
    const names = 'Vorname,Nachname,Bestellnr,Telefon,Artikelnummer';
    const lines = [names, 'Jan,Kolb,B-1,99112233,X1', 'Eva,Horn,B-2,99112244,X2'];
    expect((await draft(lines)).mapping.columns).toMatchObject({
      'customer.name': { from: ['Vorname', 'Nachname'], join: ' ' },
    });
  });

  it('asks which of two order numbers is the ID', async () => {
    const lines = [
      'Order number,Customer order number,Phone,SKU',
      '9001,W-1,99112233,X1',
      '9002,W-2,99112244,X2',
    ];
    expect((await draft(lines)).mapping.columns).toMatchObject({
      externalOrderId: '? Order number | Customer order number',
    });
  });

  it('asks about amounts that could each be the total only when one is collected', async () => {
    const lines = ['Pedido,Móvil,SKU,Importe,Subtotal,Pago'];
    const cod = ['P-1,99112233,TEA-1,8900,8000,COD', 'P-2,99112244,TEA-2,8900,8000,COD'];
    const { mapping, questions } = await draft([...lines, ...cod]);
    expect(mapping).toMatchObject({
      columns: { total: '? Importe | Subtotal' },
      values: { Pago: { COD: 'collect' } },
    });
    expect(questions).toBe(1);
    const paid = cod.map((line) => line.replace('COD', 'pagado'));
    expect((await draft([...lines, ...paid])).questions).toBe(0);
  });

  it('collects what a column says is due, and nothing where it says nothing', async () => {
    const lines = [
      'Pedido,Móvil,SKU,Amount to collect today,Saldo',
      'P-1,99112233,TEA-1,,8900',
      'P-2,99112244,TEA-2,,',
    ];
    const when = { Saldo: { above_zero: true } };
    expect((await draft(lines)).mapping.columns).toMatchObject({
      collectionMode: { when, default: 'COLLECT', else: 'NONE' },
      collectionAmount: { from: 'Saldo', when },
    });
  });

  it('takes a deposit off the total', async () => {
    const lines = [
      'Pedido,Móvil,SKU,Importe,Anticipo,Pago',
      'P-1,99112233,TEA-1,8900,1000,COD',
      'P-2,99112244,TEA-2,8900,0,COD',
    ];
    expect((await draft(lines)).mapping).toMatchObject({
      columns: { total: 'Importe' },
      amount_paid: ['Anticipo'],
    });
  });

  it('asks which of two columns of one field is meant', async () => {
    const lines = ['Order ID,Order Number,Phone,SKU', '1,W-1,99112233,TEA-1', '2,W-2,99112244,TEA-2'];
    expect((await draft(lines)).mapping.columns).toMatchObject({
      externalOrderId: '? Order ID | Order Number',
    });
  });

  it('joins the parts of a street', async () => {
    const lines = [
      'Pedido,Móvil,SKU,Calle,Dirección',
      'P-1,99112233,TEA-1,Sol 1,2º B',
      'P-2,99112244,TEA-2,Sol 2,3º A',
    ];
    expect((await draft(lines)).mapping.columns).toMatchObject({
      'deliveryAddress.street': { from: ['Calle', 'Dirección'], join: ', ' },
    });
  });

  it('asks about payments that do not say who pays, blank ones too', async () => {
    const lines = [
      'Pedido,Móvil,SKU,Importe,Pago',
      'P-1,99112233,TEA-1,8900,Contra reembolso',
      'P-1,,TEA-3,,',
      'P-2,99112244,TEA-2,8900,Tarjeta',
      'P-3,99112244,TEA-2,8900,',
    ];
    expect((await draft(lines)).mapping.values).toEqual({
      Pago: {
        'Contra reembolso': 'collect',
        Tarjeta: '? prepaid | collect | leave_out',
        '': '? collect | prepaid | leave_out',
      },
    });
  });

  it('asks about the rest of a column with very many values', async () => {
    const rows = Array.from({ length: 80 }, (_, row) => `P-${row},9911${2000 + row},TEA-1,remark ${row}`);
    const lines = ['Pedido,Móvil,SKU,Estado', ...rows, 'P-90,99113333,TEA-1,Cancelado'];
    expect((await draft(lines)).mapping.values).toEqual({ Estado: { '*': '? deliver | leave_out' } });
  });

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

  it('adds to the mapping that is there only what it does not say', async () => {
    const lines = [
      'Pedido,Móvil,SKU,Importe,Pago',
      'P-1,99112233,TEA-1,8900,COD',
      'P-2,99112244,TEA-2,8900,Vale',
    ];
    const own = {
      columns: { externalOrderId: { from: 'Pedido', strip_prefix: 'P-' }, 'customer.phone': 'Móvil' },
      values: { Pago: { COD: 'collect', Bizum: 'prepaid' } },
    };
    const map = parseMappingFile(JSON.stringify(own), 'map.json');
    const { mapping } = await draft(lines, {}, map);
    expect(mapping).toMatchObject({
      columns: { ...own.columns, 'items[].sku': 'SKU', total: 'Importe' },
      values: { Pago: { COD: 'collect', Bizum: 'prepaid', Vale: '? collect | prepaid | leave_out' } },
    });
  });

  it('has nothing to add to the preset of a shop that knows all of a file', async () => {
    const lines = [
      'Name,Email,Financial Status,Fulfillment Status,Currency,Total,Lineitem quantity,Lineitem name,Lineitem sku,Shipping Phone,Payment Method,Shipping Street',
      '#1,a@example.com,paid,unfulfilled,MNT,8900,1,Tea,TEA-1,99112233,QPay,Street 1',
    ];
    expect(await draft(lines)).toEqual({ mapping: {}, questions: 0 });
  });
});
