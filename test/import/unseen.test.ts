import { describe, expect, it } from 'vitest';
import { parseMappingFile } from '../../src/import/map/mapping-file.ts';
import type { LeaveOutFlag } from '../../src/import/map/rules.ts';
import type { PlanOptions } from '../../src/import/orders/plan-import.ts';
import { parseAssignment } from '../../src/orders/assignment.ts';
import type { Order } from '../../src/orders/order.ts';
import { orderLines, textField } from '../../src/orders/order.ts';
import { fixture, planFile } from './tables.ts';

/** What a user says: `Header=path` of each column, and the lines of a mapping file. */
interface Words {
  columns?: string[];
  map?: unknown;
  leaveOut?: string[];
  ignore?: string[];
  set?: string;
  more?: Partial<PlanOptions>;
}

function optionsOf({
  columns = [],
  map,
  leaveOut = [],
  ignore = [],
  set,
  more,
}: Words): Partial<PlanOptions> {
  return {
    ...(set === undefined ? {} : { constants: [parseAssignment(set)] }),
    mapColumn: columns.map((text) => {
      const [header = '', path = ''] = splitLast(text);
      return { header, path };
    }),
    ...(map === undefined ? {} : { map: parseMappingFile(JSON.stringify(map), 'map.json') }),
    leaveOut: leaveOut.map((text): LeaveOutFlag => {
      const [header = '', value = ''] = splitLast(text);
      return { header, value };
    }),
    ignoreColumn: ignore,
    ...more,
  };
}

function splitLast(text: string): string[] {
  const index = text.lastIndexOf('=');
  return [text.slice(0, index), text.slice(index + 1)];
}

async function read(name: string, words: Words) {
  const { problems, all } = await planFile(fixture(`import/unseen/${name}.csv`), optionsOf(words));
  return {
    header: problems
      .filter(({ first }) => first.about === 'header' && first.severity === 'error')
      .map(({ first }) => `${first.code} ${first.header ?? ''}`.trim()),
    orders: all.map(({ externalOrderId, order, problems: own, leftOut }) => {
      const errors = own.filter(({ severity }) => severity === 'error').map(({ code }) => code);
      return [externalOrderId, ...(leftOut ? [leftOut] : errors.length > 0 ? errors : [verdict(order)])].join(
        ' ',
      );
    }),
  };
}

function verdict(order: Order): string {
  const lines = orderLines(order).map((line) => {
    const { quantity, sku, name } = line as { quantity?: unknown; sku?: string; name?: string };
    return `${quantity ?? ''} ${sku ?? name}`.trim();
  });
  const amount = textField(order, 'collectionAmount');
  return [textField(order, 'collectionMode'), amount, lines.join(' + ')].filter(Boolean).join(' ');
}

const prepaid = 'collectionMode=NONE';

describe('an export that nobody has prepared for, when the user says that all is prepaid', () => {
  it.each<[string, string[], string[]]>([
    [
      'courier-handover',
      ['Захиалга=externalOrderId', 'Бараа=items[].name'],
      [
        'address_unread Дүүрэг',
        'address_unread Хаяг',
        'quantity_unread Тоо /ш/',
        'payment_unread Төлбөр',
        'ZK-2101 contradicts',
        'ZK-2103 contradicts',
      ],
    ],
    [
      'facebook-shop',
      ['Бараа=items[].name'],
      [
        'quantity_unread Тоо ширхэг',
        'state_unread Төлөв',
        'address_unread Хаяг',
        'payment_unread Урьдчилгаа',
      ],
    ],
    [
      'restaurant',
      ['Захиалсан хоол=items[].name'],
      ['quantity_unread Захиалсан хоол', 'payment_unread Төлбөр', 'address_unread Хаяг', 'R-15 contradicts'],
    ],
    [
      'mongol-icons',
      [],
      ['quantity_unread Тоо / Qty', 'state_unread Төлөв / Status', 'payment_unread Төлбөр / Payment'],
    ],
    [
      'mongol-yesno',
      ['Код=items[].sku', 'Гар утас=customer.phone'],
      ['quantity_unread ш', 'state_unread Хүргэсэн эсэх', 'payment_unread Төлсөн эсэх'],
    ],
    ['mongol-amountpay', [], ['quantity_unread Тоо', 'address_unread Хаяг', 'payment_unread Төлбөр']],
    [
      'portuguese',
      ['Pedido=externalOrderId', 'Telefone=customer.phone', 'Valor total=total'],
      ['quantity_unread Qtde.', 'state_unread Situação', 'payment_unread Forma de pgto'],
    ],
    [
      'shiprocket',
      ['*Order Id=externalOrderId', '*Customer Mobile=customer.phone', '*Master SKU=items[].sku'],
      [
        'quantity_unread *Product Quantity',
        'address_unread *Address Line 1',
        'SR1 contradicts',
        'SR3 contradicts',
        'SR5 contradicts',
      ],
    ],
    [
      'qapla',
      ['Reference=externalOrderId', 'Telephone=customer.phone', 'Parcels=items[].name'],
      ['address_unread Street', 'address_unread City', 'Q1 contradicts', 'Q3 contradicts'],
    ],
    [
      'typos',
      ['Item code=items[].sku'],
      [
        'quantity_unread Quantitiy',
        'state_unread Order statuss',
        'address_unread Adress',
        'E1 contradicts',
        'E4 contradicts',
      ],
    ],
    [
      'packed-qtyname',
      ['Items=items[].name'],
      ['quantity_unread Items', 'address_unread City', 'I1 contradicts', 'I3 contradicts'],
    ],
    ['refund-rows', [], ['quantity_unread Quantity', 'state_unread Transaction']],
  ])('%s is refused for every column that means something else', async (name, columns, expected) => {
    const { header, orders } = await read(name, { columns, set: prepaid });
    const contradicting = orders.filter((text) => text.endsWith('collection_contradicts_payment'));
    expect(
      [...header, ...contradicting.map((text) => `${text.split(' ')[0]} contradicts`)].toSorted(),
    ).toEqual(expected.toSorted());
  });

  it.each<[string, Words]>([
    ['that nothing reads', {}],
    ['that is sent', { columns: ['Тэмдэглэл=deliveryAddress.note'] }],
  ])('names the orders whose note says otherwise, in a column %s', async (_, words) => {
    expect(await read('mongol-note-pay', { set: prepaid, ...words })).toEqual({
      header: [],
      orders: [
        'C1 collection_contradicts_payment',
        'C2 NONE TEA-001',
        'C3 collection_contradicts_payment',
        'C4 pickup_not_deliverable',
        'C5 NONE TEA-002',
      ],
    });
  });
});

describe('the cures of the messages', () => {
  it.each<[string, Words, string[]]>([
    [
      'courier-handover',
      {
        columns: [
          'Захиалга=externalOrderId',
          'Бараа=items[].name',
          'Тоо /ш/=items[].quantity:number',
          'Дүүрэг=deliveryAddress.province',
          'Хаяг=deliveryAddress.street',
        ],
        map: { payment_method: 'Төлбөр', on_delivery: { Төлбөр: 'Бэлэн' } },
      },
      [
        'ZK-2101 COLLECT 22800 2 Ногоон цай 100г',
        'ZK-2102 NONE 1 Аяга цагаан',
        'ZK-2103 COLLECT 31700 3 Ногоон цай 100г',
        'ZK-2104 NONE 1 Түмпэн',
        'ZK-2105 COLLECT 60000 4 Аяга хар',
      ],
    ],
    [
      'facebook-shop',
      {
        columns: ['Бараа=items[].name', 'Тоо ширхэг=items[].quantity:number', 'Хаяг=deliveryAddress.street'],
        map: { amount_paid: ['Урьдчилгаа'], amount_due: 'Үлдэгдэл', paid: { Төлөв: 'Төлсөн' } },
        leaveOut: ['Төлөв=Хүргэлтэнд', 'Төлөв=Хүргэсэн', 'Төлөв=Цуцалсан'],
        more: { unpaid: 'collect' },
      },
      [
        'F-501 fulfilled',
        'F-502 NONE 2 Цүнх',
        'F-503 COLLECT 85000 1 Гутал 38',
        'F-504 fulfilled',
        'F-505 cancelled',
        'F-506 COLLECT 45000 1 Цамц L',
      ],
    ],
    [
      'restaurant',
      {
        columns: ['Хаяг=deliveryAddress.street'],
        map: {
          lines: { from: 'Захиалсан хоол', between: ',', form: '{items[].quantity:number} x {items[].name}' },
          payment_method: 'Төлбөр',
          on_delivery: { Төлбөр: ['Бэлнээр', 'Дараа төлнө'] },
        },
        leaveOut: ['Хүргэлт=Өөрөө очиж авна'],
      },
      [
        'R-11 COLLECT 23000 2 Цуйван + 1 Сүүтэй цай',
        'R-12 pickup',
        'R-13 NONE 3 Хуушуур + 2 Кола',
        'R-14 COLLECT 11500 1 Цуйван',
        'R-15 COLLECT 14500 1 Гуляш',
      ],
    ],
    [
      'mongol-icons',
      {
        columns: ['Тоо / Qty=items[].quantity:number', 'Нийт дүн (₮)=total'],
        map: { payment_method: 'Төлбөр / Payment' },
        leaveOut: ['Төлөв / Status=🚚 Хүргэгдсэн', 'Төлөв / Status=❌ Цуцалсан'],
        more: { unpaid: 'collect', decimal: 'dot' },
      },
      [
        'A-1 NONE 2 TEA-001',
        'A-2 COLLECT 15000 1 MUG-001',
        'A-3 fulfilled',
        'A-4 cancelled',
        'A-5 NONE 1 MUG-001',
      ],
    ],
    [
      'mongol-yesno',
      {
        columns: ['Код=items[].sku', 'Гар утас=customer.phone', 'ш=items[].quantity:number', 'Дүн=total'],
        map: { paid: { 'Төлсөн эсэх': 'Тийм' } },
        leaveOut: ['Хүргэсэн эсэх=Тийм'],
        more: { unpaid: 'collect' },
      },
      [
        'Z1 NONE 1 TEA-001',
        'Z2 COLLECT 17800 2 TEA-002',
        'Z3 fulfilled',
        'Z4 COLLECT 45000 3 MUG-001',
        'Z5 NONE 1 TEA-001',
      ],
    ],
    [
      'mongol-amountpay',
      {
        columns: ['Тоо=items[].quantity:number', 'Хаяг=deliveryAddress.street'],
        map: { amount_due: 'Төлбөр' },
        leaveOut: ['Хаяг=Өөрөө ирж авна'],
        more: { unpaid: 'collect' },
      },
      [
        'B1 COLLECT 17800 2 TEA-001',
        'B2 COLLECT 15000 1 MUG-001',
        'B3 NONE 1 TEA-002',
        'B4 pickup',
        'B5 COLLECT 26700 3 TEA-001',
      ],
    ],
    [
      'portuguese',
      {
        columns: [
          'Pedido=externalOrderId',
          'Telefone=customer.phone',
          'Qtde.=items[].quantity:number',
          'Valor total=total',
        ],
        map: { payment_method: 'Forma de pgto', paid: { Situação: 'Pago' } },
        leaveOut: ['Situação=Cancelado pelo cliente', 'Retirada?=Sim'],
        more: { decimal: 'comma' },
      },
      [
        'P-1 COLLECT 50.00 2 TEA-001',
        'P-2 NONE 1 TEA-001',
        'P-3 pickup',
        'P-4 cancelled',
        'P-5 COLLECT 80.00 2 MUG-001',
      ],
    ],
    [
      'qapla',
      {
        columns: [
          'Reference=externalOrderId',
          'Telephone=customer.phone',
          'Street=deliveryAddress.street',
          'City=deliveryAddress.city',
          'Parcels=items[].name',
          'Amount=total',
        ],
        map: { on_delivery: { POD: '1' }, paid: { POD: '0' } },
      },
      ['Q1 COLLECT 22800 1', 'Q2 NONE 2', 'Q3 COLLECT 8900 1', 'Q4 NONE 1', 'Q5 NONE 1'],
    ],
    [
      'packed-qtyname',
      {
        columns: ['City=deliveryAddress.city'],
        map: { payment_method: 'Pay', lines: { from: 'Items', form: '{items[].name}' } },
      },
      [
        'I1 amount_due_missing',
        'I2 NONE Tea x3',
        'I3 amount_due_missing',
        'I4 NONE Tea; Tea; Mug',
        'I5 NONE 1 Tea',
      ],
    ],
    [
      'pickup-in-address',
      { columns: ['Тоо=items[].quantity:number', 'Хүргэх хаяг=deliveryAddress.street'] },
      [
        'H1 COLLECT 8900 1 TEA-001',
        'H2 pickup_not_deliverable',
        'H3 pickup_not_deliverable',
        'H4 COLLECT 15000 1 MUG-001',
        'H5 NONE 1 MUG-001',
      ],
    ],
    [
      'pickup-in-address',
      {
        columns: ['Тоо=items[].quantity:number', 'Хүргэх хаяг=deliveryAddress.street'],
        leaveOut: ['Хүргэх хаяг=Өөрөө авна', 'Хүргэх хаяг=Дэлгүүрээс авна'],
      },
      [
        'H1 COLLECT 8900 1 TEA-001',
        'H2 pickup',
        'H3 pickup',
        'H4 COLLECT 15000 1 MUG-001',
        'H5 NONE 1 MUG-001',
      ],
    ],
    [
      'refund-rows',
      {
        columns: ['Quantity=items[].quantity:number'],
        set: prepaid,
        ignore: ['Transaction', 'Payment status'],
      },
      ['R1 quantity_invalid field_conflict', 'R2 NONE 1 MUG-001', 'R3 quantity_invalid field_conflict'],
    ],
  ])('make of %s what a careful person makes of it', async (name, words, expected) => {
    expect(await read(name, words)).toEqual({ header: [], orders: expected });
  });
});
