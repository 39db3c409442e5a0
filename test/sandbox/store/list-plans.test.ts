import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createOrderList, type Sequence } from '../../../src/sandbox/store/order-list.ts';
import { seededMerchantId } from '../../../src/sandbox/store/seed.ts';
import { openStore } from '../../../src/sandbox/store/store.ts';
import { type Database, openDatabase } from '../../../src/system/sqlite.ts';
import { aStoredOrder, combinationsOf } from './many-orders.ts';

interface Step {
  parent: number;
  detail: string;
}

/** The statements of a list of ten orders, and how the database goes about each. */
async function startPlanning() {
  const database = await openDatabase(':memory:');
  const store = openStore(database, randomUUID);
  for (let place = 0; place < 10; place += 1) store.orders.add(aStoredOrder(place));
  const statements = new Set<string>();
  const list = createOrderList({
    prepare(sql: string) {
      statements.add(sql);
      return database.prepare(sql);
    },
  } as unknown as Database);
  const stepsOf = (sql: string) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as Step[];
  return { list, statements, stepsOf };
}

const filters = combinationsOf({
  externalOrderId: ['A-1'],
  orderNumber: ['ORD-2026-1'],
  status: ['CONFIRMED', 'LOST'],
  customerPhone: ['+97699112233', 'none'],
  createdFrom: [0, 5],
  createdTo: [9, 1],
});

/** What grows with the orders: a walk through a table or an index, and a sort of more than the page. */
function growing(steps: Step[]): string[] {
  const namesOne = steps.some(({ detail }) => /\b(?:order_number|external_order_id)=\?/.test(detail));
  const isWalk = ({ detail }: Step) => /^SCAN (?:orders|order_counts|deliveries|clients)\b/.test(detail);
  const isLargeSort = ({ parent, detail }: Step) => detail.includes('B-TREE') && parent !== 0 && !namesOne;
  return steps.filter((step) => isWalk(step) || isLargeSort(step)).map(({ detail }) => detail);
}

/** What is looked up in the orders themselves, because its index does not have all that was asked for. */
function lookedUp(steps: Step[]): string[] {
  return steps
    .filter(({ parent, detail }) => parent !== 0 && /^SEARCH orders USING INDEX orders_by/.test(detail))
    .map(({ detail }) => detail.replace(/ \(.*/, ''));
}

async function plansOf(sequence: Sequence): Promise<{ statements: string[]; plans: Step[][] }> {
  const { list, statements, stepsOf } = await startPlanning();
  for (const wanted of filters) list(seededMerchantId, wanted, 0, 1, sequence);
  expect(statements.size).toBeGreaterThan(20);
  return { statements: [...statements], plans: [...statements].map(stepsOf) };
}

describe('a list', () => {
  it.each(['newest_first', 'oldest_first'] as const)(
    '%s walks, sorts and looks up no more than its page',
    async (sequence) => {
      const { plans } = await plansOf(sequence);
      expect(plans.flatMap(growing)).toEqual([]);
      expect([...new Set(plans.flatMap(lookedUp))]).toEqual([
        'SEARCH orders USING INDEX orders_by_external_id',
      ]);
    },
  );

  it('by id sorts where few are wanted, and walks the ids where most are', async () => {
    const { plans } = await plansOf('by_id');
    expect(new Set(plans.flatMap(growing))).toEqual(
      new Set(['SCAN orders USING INDEX sqlite_autoindex_orders_1', 'USE TEMP B-TREE FOR ORDER BY']),
    );
  });

  it('counts one by one only what is named, or of a phone', async () => {
    const { statements } = await plansOf('newest_first');
    const counted = statements.flatMap(
      (sql) => /COUNT\(\*\) AS total FROM orders INDEXED BY (\w+)/.exec(sql)?.[1] ?? [],
    );
    expect(new Set(counted)).toEqual(
      new Set(['sqlite_autoindex_orders_2', 'orders_by_external_id', 'orders_by_phone']),
    );
  });
});
