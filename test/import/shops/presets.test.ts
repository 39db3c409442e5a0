import { describe, expect, it } from 'vitest';
import { isPickup, type PresetName } from '../../../src/import/shops/presets.ts';
import { plan, tableOf } from '../tables.ts';

describe('isPickup', () => {
  it.each([
    'Store pickup',
    'Pickup',
    'Local pickup',
    'local_pickup',
    'local_pickup:3',
    'PICKUP_LOCATION',
    'In-store pick up',
    'in_store',
    'Main shop (Pick-Up)',
    'Self-collection',
    'Store collect',
    'Curbside',
    'Click & Collect',
    'click_and_collect',
    'Самовывоз',
    'Өөрөө авах',
    'өөрөө ирж авна',
    'Очиж авна',
    'Дэлгүүрээс авах',
    'Салбараас авна',
    'Оффисоос авах',
  ])('is true for %s', (method) => {
    expect(isPickup(method)).toBe(true);
  });

  it.each([
    '',
    'Standard',
    'Flat rate',
    'Хүргэлт',
    'Picked up by courier',
    'Pickups',
    'Drop-in storehouse',
    'Өөрийн машинаар хүргэх',
    'Дэлгүүрээс хүргэх',
    'Express',
    'Collect cash',
  ])('is false for %s', (method) => {
    expect(isPickup(method)).toBe(false);
  });
});

describe('orders cancelled in the shop', () => {
  const codes = async (preset: PresetName, header: string, ...rows: string[]) => {
    const all = await plan(tableOf(header, ...rows), { preset });
    return all.all.map(({ problems }) =>
      problems
        .filter(({ code }) => code === 'cancelled_in_shop')
        .map(({ row, column, header, value, problem, fix }) => [row, column, header, value, problem, fix]),
    );
  };
  const problem = 'the order is cancelled in the shop';
  const fix = 'remove its rows, or import the other orders with --on-invalid skip';

  it('are reported with the cell that says so', async () => {
    const rows = ['#1|', '#2|2026-11-02 10:00:00 +0800'];
    expect(await codes('shopify', 'Name|Cancelled at', ...rows)).toEqual([
      [],
      [[3, 'B', 'Cancelled at', '2026-11-02 10:00:00 +0800', problem, fix]],
    ]);
  });

  it.each(['cancelled', 'Refunded', 'failed', 'wc-cancelled', 'trash'])(
    'are reported by the status %s',
    async (status) => {
      expect(await codes('woocommerce', 'order_id|status', `1|${status}`, '2|processing')).toEqual([
        [[2, 'B', 'status', status, problem, fix]],
        [],
      ]);
    },
  );
});
