import { describe, expect, it } from 'vitest';
import { formatOrdersToCancel } from '../../../src/commands/cancel/run.ts';
import { createJsonNumber } from '../../../src/orders/json.ts';

const now = Date.parse('2026-11-22T14:30:00Z');

describe('the orders to cancel', () => {
  const order = (number: number) => ({
    orderNumber: `ORD-2026-${number}`,
    total: '1500.50',
    collectionMode: number % 2 === 0 ? 'COLLECT' : 'NONE',
    collectionAmount: '100',
    status: number === 1 ? 'DELIVERED' : 'CONFIRMED',
  });

  it('shows the first 200 of many in a line each, and the sums of all', () => {
    const text = formatOrdersToCancel(
      Array.from({ length: 1000 }, (_, index) => order(index + 1)),
      { now },
    );
    const lines = text.split('\n');
    expect(lines[0]).toBe('ORD-2026-1  already paid  DELIVERED');
    expect(lines.slice(199, 207)).toEqual([
      'ORD-2026-200  collect 100 ₮  CONFIRMED',
      '... and 800 more',
      '',
      'orders      1000',
      'total       1,500,500 ₮',
      'to collect  50,000 ₮',
      'by status   DELIVERED 1, CONFIRMED 999',
      '',
    ]);
  });

  it('counts amounts in any spelling', () => {
    const amounts = ['26700.0', '300', '0.5000', createJsonNumber('1000.0') ?? null];
    const text = formatOrdersToCancel(
      amounts.map((total) => ({ total, collectionMode: 'NONE' })),
      { now },
    );
    expect(text).toMatch(/^total {6}28,000\.50 ₮$/m);
  });
});
