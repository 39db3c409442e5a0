import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { planRows } from '../plan-rows.ts';
import cases from './draft.json' with { type: 'json' };

/** The mapping that `--write-map` drafts for a file, beside another one if there is one. */
async function draft(lines: readonly string[], map?: object, flags: string[] = []) {
  const directory = temporaryDirectory();
  const path = join(directory, 'orders.csv');
  writeFileSync(path, `${lines.join('\n')}\n`);
  const args = ['import', path, '--write-map', '-', ...flags];
  if (map !== undefined) {
    writeFileSync(join(directory, 'map.json'), JSON.stringify(map));
    args.push('--map', join(directory, 'map.json'));
  }
  const { stdout, exitCode } = await runCli(args);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

const cod = (...cells: string[]) => cells.map((cell, index) => `P-${index},9911223${index},TEA-1,${cell}`);

describe('the draft of a mapping', () => {
  it.each<[string, string[], object]>([
    [
      'never decides by itself that all orders are prepaid, or none',
      ['Pedido,Móvil,SKU,Precio', ...cod('8900', '8900')],
      {
        columns: { externalOrderId: 'Pedido', 'customer.phone': 'Móvil', 'items[].sku': 'SKU' },
        amount_due: '? (choose) | Precio | none',
      },
    ],
    [
      'asks about a day of sending in every row, which may be the one on which the goods are to leave',
      ['Pedido,Móvil,SKU,Илгээсэн огноо', ...cod('2026-12-01', '2026-12-02')],
      { values: { 'Илгээсэн огноо': { '*': '? (choose) | leave_out | deliver' } } },
    ],
    [
      'leaves out the rows that have one where others have none',
      ['Pedido,Móvil,SKU,Илгээсэн огноо', ...cod('2026-12-01', '')],
      { values: { 'Илгээсэн огноо': { '*': 'leave_out' } } },
    ],
    [
      'asks about small numbers under an unknown header',
      ['Pedido,Móvil,SKU,Ct,Pago,Total', ...cod('2,COD,500', '1,COD,900')],
      { columns: { 'items[].quantity:number': '? (choose) | Ct | none', total: 'Total' } },
    ],
    [
      'takes the column that says so instead',
      ['Pedido,Móvil,SKU,Ct,Pago,Total,Uds', ...cod('2,COD,500,3', '1,COD,900,3')],
      { columns: { 'items[].quantity:number': 'Uds' } },
    ],
    [
      'asks about amounts and texts under unknown headers',
      ['Pedido,Móvil,Lo que,Pago,Dinero', 'P-1,99112233,Té,COD,500', 'P-2,99112244,Té,COD,900'],
      { columns: { 'items[].name': '? (choose) | Lo que | none', total: '? (choose) | Dinero' } },
    ],
    [
      'joins the first name and the last name',
      [
        'Vorname,Nachname,Bestellnr,Telefon,Artikelnummer',
        'Jan,Kolb,B-1,99112233,X1',
        'Eva,Horn,B-2,99112244,X2',
      ],
      { columns: { 'customer.name': { from: ['Vorname', 'Nachname'], join: ' ' } } },
    ],
    [
      'asks which of two order numbers is the ID',
      ['Order number,Customer order number,Phone,SKU', '9001,W-1,99112233,X1', '9002,W-2,99112244,X2'],
      { columns: { externalOrderId: '? (choose) | Order number | Customer order number' } },
    ],
    [
      'asks which of two columns of one field is meant',
      ['Order ID,Order Number,Phone,SKU', '1,W-1,99112233,TEA-1', '2,W-2,99112244,TEA-2'],
      { columns: { externalOrderId: '? (choose) | Order ID | Order Number' } },
    ],
    [
      'asks about amounts that could each be the total when one is collected',
      ['Pedido,Móvil,SKU,Importe,Subtotal,Pago', ...cod('8900,8000,COD', '8900,8000,COD')],
      { columns: { total: '? (choose) | Importe | Subtotal' }, values: { Pago: { COD: 'collect' } } },
    ],
    [
      'collects what a column says is due',
      ['Pedido,Móvil,SKU,Amount to collect today,Saldo', ...cod(',8900', ',')],
      { amount_due: 'Saldo' },
    ],
    [
      'takes a deposit off the total',
      ['Pedido,Móvil,SKU,Importe,Anticipo,Pago', ...cod('8900,1000,COD', '8900,0,COD')],
      { columns: { total: 'Importe' }, amount_paid: ['Anticipo'] },
    ],
    [
      'joins the parts of a street',
      ['Pedido,Móvil,SKU,Calle,Dirección', ...cod('Sol 1,2º B', 'Sol 2,3º A')],
      { columns: { 'deliveryAddress.street': { from: ['Calle', 'Dirección'], join: ', ' } } },
    ],
    [
      'asks about payments that do not say who pays, blank ones too',
      [
        'Pedido,Móvil,SKU,Importe,Pago',
        'P-1,99112233,TEA-1,8900,Contra reembolso',
        'P-1,,TEA-3,,',
        'P-2,99112244,TEA-2,8900,Tarjeta',
        'P-3,99112244,TEA-2,8900,',
      ],
      {
        values: {
          Pago: {
            'Contra reembolso': 'collect',
            Tarjeta: '? (choose) | prepaid | collect | leave_out',
            '': '? (choose) | collect | prepaid | leave_out',
          },
        },
      },
    ],
    [
      'asks about the rest of a column with very many values',
      [
        'Pedido,Móvil,SKU,Estado',
        ...Array.from({ length: 80 }, (_, row) => `P-${row},9911${2000 + row},TEA-1,remark ${row}`),
        'P-90,99113333,TEA-1,Cancelado',
      ],
      { values: { Estado: { '*': '? (choose) | deliver | leave_out' } } },
    ],
  ])('%s', async (_, lines, expected) => {
    expect(await draft(lines)).toMatchObject(expected);
  });

  it('asks about the columns that nothing reads and that have values', async () => {
    const header = 'Pedido,Móvil,SKU,Total,Pago,Color,Vacío,_row,Etiqueta';
    const lines = [header, ...cod('900,COD,red,,7,', '900,COD,,,8,ring')];
    expect((await draft(lines)).ignore).toEqual(['? Color', '? Etiqueta']);
    expect((await draft(lines, { ignore: ['Etiqueta'] })).ignore).toEqual(['Etiqueta', '? Color']);
    const flags = ['--ignore-column', 'Color', '--ignore-column', 'Etiqueta'];
    expect((await draft(lines, undefined, flags)).ignore_anyway).toEqual(['Color', 'Etiqueta']);
  });

  it('adds to the mapping that is there only what it does not say', async () => {
    const lines = ['Pedido,Móvil,SKU,Importe,Pago', ...cod('8900,COD', '8900,Vale')];
    const own = {
      columns: { externalOrderId: { from: 'Pedido', strip_prefix: 'P-' }, 'customer.phone': 'Móvil' },
      values: { Pago: { COD: 'collect', Bizum: 'prepaid' } },
    };
    expect(await draft(lines, own)).toMatchObject({
      columns: { ...own.columns, 'items[].sku': 'SKU', total: 'Importe' },
      values: {
        Pago: { COD: 'collect', Bizum: 'prepaid', Vale: '? (choose) | collect | prepaid | leave_out' },
      },
    });
  });
});

describe('the command to run next', () => {
  const run = async (header: string, cells: string) => {
    const { error } = await planRows([header, cells]);
    return error?.hint?.split('\nor write the mapping')[0]?.replaceAll('\n', '');
  };
  const whole = 'externalOrderId|customer.phone|items[].sku|collectionMode';

  it.each([
    ['a field', 'externalOrderId|Kontakt|items[].sku|collectionMode', 'A|99112233|TEA-1|NONE'],
    ['an ID', 'Nummer|customer.phone|items[].sku|collectionMode', 'A|99112233|TEA-1|NONE'],
    ['a column that means something', `${whole}|Color|Status`, 'A|99112233|TEA-1|NONE|red|cancelled'],
  ])('has it not where %s is missing too', async (_, header, cells) => {
    const hint = await run(header, cells);
    expect(hint).toMatch(/^Fix it and run: /);
    expect(hint).not.toContain('--ignore-rest');
  });
});

describe('what a value of a column means', () => {
  it.each(cases.values as [header: string, more: string, text: string, expected: string][])(
    '%s %s: %s',
    async (header, more, text, expected) => {
      const cells = more === '' ? [text, text] : [`${text},COD`, `${text},COD`];
      const lines = [
        `Pedido,Móvil,SKU,Total,${[header, more].filter(Boolean)}`,
        ...cod(...cells.map((cell) => `900,${cell}`)),
      ];
      expect((await draft(lines)).values?.[header]?.[text]).toBe(expected);
    },
  );
});
