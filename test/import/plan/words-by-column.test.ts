import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { headerErrors, outcomes, planRows } from '../plan-rows.ts';

/** The `values` of the drafted mapping of a file whose orders have these further columns. */
async function draftedValues(header: string, ...cells: string[]) {
  const path = join(temporaryDirectory(), 'orders.csv');
  const rows = cells.map((text, index) => `W-${index},9900112${index},TEA-001,45000,${text}`);
  writeFileSync(path, `${[`Order ID,Phone,SKU,Total,${header}`, ...rows].join('\n')}\n`);
  const { stdout, exitCode } = await runCli(['import', path, '--write-map', '-']);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout).values;
}

const flags = ['--set', 'collectionMode=NONE', '--ignore-rest'];
const base = 'externalOrderId|customer.phone|items[].sku';

function plan(header: string, cells: string[], options: Parameters<typeof planRows>[1] = { flags }) {
  const rows = cells.map((cell, index) => `A-${index}|9911223${index}|TEA-001|${cell}`);
  return planRows([`${base}|${header}`, ...rows], options);
}

describe('words of payment and of states', () => {
  it('leave an order out for the reason that they say, where a mapping lists other values', async () => {
    const states = ['new', 'cancelled', 'refunded', 'delivered', 'draft', 'returned'];
    const found = await plan('State', states, { flags, map: { to_deliver: { State: 'new' } } });
    expect(outcomes(found)).toEqual([
      'NONE',
      'left out: cancelled',
      'left out: refunded',
      'left out: fulfilled',
      'left out: draft',
      'left out: returned',
    ]);
  });

  it.each([
    ['Status', 'Handed to the driver'],
    ['Төлөв', 'Хүргэгчид өгсөн'],
    ['Estado', 'Entregado al transportista'],
    ['Statut', 'Remis au coursier'],
    ['Durum', 'Kuryeye verildi'],
  ])('say that an order was sent: %s %s', async (header, text) => {
    expect(await draftedValues(header, text, 'New')).toEqual({
      [header]: { [text]: 'leave_out', New: 'deliver' },
    });
  });

  it('leave an unknown method open only beside a pickup', async () => {
    const methods = ['holt im Laden ab', 'nach Absprache'];
    expect(await draftedValues('Shipping method', 'Самовывоз', 'Courier', ...methods)).toEqual({
      'Shipping method': {
        Самовывоз: 'leave_out',
        Courier: 'deliver',
        'holt im Laden ab': '? (choose) | deliver | leave_out',
        'nach Absprache': '? (choose) | deliver | leave_out',
      },
    });
    expect(await draftedValues('Shipping method', 'Courier', ...methods)).toEqual({
      'Shipping method': { Courier: 'deliver', 'holt im Laden ab': 'deliver', 'nach Absprache': 'deliver' },
    });
  });

  it.each([
    ['Хүргэсэн огноо', '2026-11-20'],
    ['Цуцалсан өдөр', '2026-11-20'],
    ['Илгээсэн огноо', '2026-11-20'],
    ['Дата отправлено', '20.11.2026'],
    ['Dispatched at', '2026-11-20'],
    ['dateAnnulled', '2026-11-20'],
    ['Livré le', '20/11/2026'],
    ['Order / Dispatched at', '2026-11-20'],
    ['Явуулсан эсэх', 'тийм'],
    ['Явуулсан уу?', 'тийм'],
    ['Is dispatched', 'yes'],
  ])('name a state that ended in the header of a date or an answer: %s', async (header, text) => {
    expect(headerErrors(await plan(header, [text, '']))).toEqual([`column_unread (state) ${header}`]);
    const listed = /^\d/.test(text) ? '*' : text;
    expect(await draftedValues(header, text, '')).toEqual({ [header]: { [listed]: 'leave_out' } });
  });

  it.each([
    'Хүргэх огноо',
    'Илгээх огноо',
    'Delivery date',
    'Dispatch date',
    'Order date',
    'Packed at',
    'Date',
  ])('name no such state in %s', async (header) => {
    expect(await draftedValues(header, '2026-11-20', '')).toBeUndefined();
  });

  it('are read as states first in a column that has both', async () => {
    const values = ['Paid', 'Unpaid', 'Approved', 'Handed to courier', 'Refunded'];
    expect(await draftedValues('Status', ...values)).toEqual({
      Status: {
        Paid: 'prepaid',
        Unpaid: '? (choose) | collect | prepaid | deliver | leave_out',
        Approved: '? (choose) | deliver | collect | prepaid | leave_out',
        'Handed to courier': 'leave_out',
        Refunded: 'leave_out',
      },
    });
  });

  it('leave an order out by a column of payments only when a person says so', async () => {
    const drafted = await draftedValues(
      'Payment status',
      'Refunded',
      'Cancelled',
      'Voided',
      'expired',
      'paid',
    );
    const asked = '? (choose) | leave_out | collect | prepaid';
    expect(drafted).toEqual({
      'Payment status': { Refunded: asked, Cancelled: asked, Voided: asked, expired: asked, paid: 'prepaid' },
    });
  });

  it('are asked about in a second column of methods as well, when they leave the order out', async () => {
    const drafted = await draftedValues('Payment,Gateway', 'COD,Refunded', 'COD,Card');
    expect(drafted.Gateway).toEqual({
      Refunded: '? (choose) | leave_out | collect | prepaid | deliver',
      Card: 'deliver',
    });
  });

  it('of a payment are no states, wherever in the file they come first', async () => {
    const cells = [...Array<string>(150).fill('New'), 'Unpaid'];
    expect(headerErrors(await plan('Төлөв', cells.slice(0, 10)))).toEqual([]);
    const rows = cells.map((cell, index) => `B-${index}|9911${1000 + index}|TEA-001|${cell}`);
    expect(headerErrors(await planRows([`${base}|Төлөв`, ...rows], { flags }))).toEqual([
      'column_unread (state) Төлөв',
    ]);
  });
});

describe('a column named for delivery', () => {
  it.each([
    ['Хүргэлт', ['Хүлээгдэж буй', 'Хүргэгдсэн', 'Цуцалсан']],
    ['Delivery', ['Confirmed', 'Delivered', 'Cancelled']],
    ['Доставка', ['Новый', 'Доставлен', 'Отменен']],
  ])(
    'is a column of states when its values are states: %s',
    async (header, [open = '', sent = '', cancelled = '']) => {
      expect(await draftedValues(header, open, sent, cancelled)).toEqual({
        [header]: { [open]: 'deliver', [sent]: 'leave_out', [cancelled]: 'leave_out' },
      });
      expect(headerErrors(await plan(header, [open, sent, cancelled]))).toEqual([
        `column_unread (state) ${header}`,
      ]);
      const values = { [header]: { [open]: 'deliver', [sent]: 'leave_out', [cancelled]: 'leave_out' } };
      const decided = await plan(header, [open, sent, cancelled], { flags, map: { values } });
      expect(outcomes(decided)).toEqual(['NONE', 'left out: fulfilled', 'left out: cancelled']);
    },
  );

  it('is a shipping method when no value is a state', async () => {
    expect(await draftedValues('Хүргэлт', 'Хурдан', 'Ирж авна', 'Хүргэлтээр')).toEqual({
      Хүргэлт: { Хурдан: '? (choose) | deliver | leave_out', 'Ирж авна': 'leave_out', Хүргэлтээр: 'deliver' },
    });
    const found = await plan('Delivery', ['Express', '5000', 'Standard']);
    expect([headerErrors(found), outcomes(found)]).toEqual([[], ['NONE', 'NONE', 'NONE']]);
  });

  it.each([
    ['Express', 'Delivered'],
    ['Хот дотор', 'Хүлээгдэж буй'],
    ['TRUE', 'FALSE'],
  ])('is asked about when its values are mixed: %s and %s', async (...cells) => {
    const drafted = await draftedValues('Delivery', ...cells);
    expect(Object.values(drafted.Delivery)).toContain('? (choose) | deliver | leave_out');
    expect(headerErrors(await plan('Delivery', cells))).toEqual(['column_unread (state) Delivery']);
  });
});

describe('pickup', () => {
  it.each([
    'Collect from Main Street Store',
    'Customer collects',
    'Салбар дээрээс авна',
    'Төв дэлгүүрээс ирж авъя',
    'Хүргэлтгүй',
  ])('is seen by its phrase: %s', async (method) => {
    const found = await plan('Shipping Method', [method, 'Courier Door to Door', 'Pickup by courier']);
    expect(headerErrors(found)).toEqual(['column_unread (state) Shipping Method']);
    expect(found.problems[0]?.problem).toContain(`not mapped: ${method} (1)`);
  });
});

describe('тооцоотой and тооцоогүй', () => {
  it.each(['collect', 'prepaid', 'leave_out', 'deliver'] as const)(
    'are never part of "*": %s',
    async (any) => {
      const values = { Төлбөр: { '*': any, COD: 'collect' } };
      const columns = { total: 'Total' };
      const cells = ['1000|Тооцоотой', '1000|тооцоогүй', '1000|тооцоотой 5000'];
      const found = await plan('Total|Төлбөр', cells, { map: { columns, values } });
      expect(outcomes(found).map((codes) => codes.split(' ')[0])).toEqual(Array(3).fill('value_unknown'));
    },
  );

  it('are no status that a rule knows', async () => {
    const map = { paid: { Төлбөр: 'төлсөн' } };
    const found = await plan('Төлбөр', ['төлсөн', 'Тооцоотой', 'Тооцоогүй'], { map });
    expect(outcomes(found)).toEqual(['NONE', 'payment_unknown', 'payment_unknown']);
  });
});
