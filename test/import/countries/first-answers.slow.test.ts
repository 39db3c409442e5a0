import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli.ts';
import type { JsonOrder } from '../../support/plan-file.ts';
import { fixture } from '../tables.ts';
import { byEnter, byFirstChoices } from './first-answers.ts';
import { knownSheets } from './known-orders.ts';
import type { KnownOrder } from './shop-person.ts';

interface Sheet {
  name: string;
  text: string | Buffer;
  orders: readonly KnownOrder[];
}

const ofCountries = knownSheets().map(
  ({ name, known, text }): Sheet => ({ name, text, orders: known.orders }),
);

/** Small sheets, each of a class that came out wrong by first answers. */
const ownSheets = sheetsIn(
  'first-answers',
  (path) => JSON.parse(readFileSync(`${path}.json`, 'utf8')).orders,
);

/** With the orders that they have by the flags and mappings of a person. */
const ofPlans = ['import', 'import/unseen'].flatMap((folder) => sheetsIn(folder, ordersOfPlan));

function sheetsIn(folder: string, ordersOf: (path: string) => KnownOrder[]): Sheet[] {
  const names = readdirSync(fixture(folder)).flatMap((file) =>
    file.endsWith('.csv') ? [file.slice(0, -4)] : [],
  );
  return names
    .map((name): Sheet => {
      const path = fixture(join(folder, name));
      return { name: join(folder, name), text: readFileSync(`${path}.csv`), orders: ordersOf(path) };
    })
    .filter(({ orders }) => orders.length > 0);
}

function ordersOfPlan(path: string): KnownOrder[] {
  const readings: { orders: JsonOrder[] }[] = JSON.parse(readFileSync(`${path}.plan.json`, 'utf8'));
  const whole = readings.find(
    ({ orders }) => orders.length > 0 && orders.every(({ leftOut, body }) => leftOut ?? body),
  );
  return (whole?.orders ?? []).map(({ row, leftOut, body }): KnownOrder => {
    if (leftOut !== undefined) return { row, leftOut };
    const { customer, collectionMode, collectionAmount, items, deliveryAddress = {} } = body;
    const sent = {
      phone: customer.phone,
      collect: collectionMode === 'COLLECT' ? Number(collectionAmount) : 0,
      items: items.map((item: JsonOrder) => `${item.quantity ?? 1} × ${item.sku ?? item.name}`),
      address: Object.values(deliveryAddress).join(', '),
    };
    return { row, ...sent };
  });
}

/**
 * A person in a hurry takes the first answer of everything, in a draft and at a terminal. Each order is then right, or
 * the import has stopped.
 */
it.each([...ofCountries, ...ownSheets, ...ofPlans])(
  '$name is right by first answers, or stops',
  async (sheet) => {
    const path = join(temporaryDirectory(), 'orders.csv');
    writeFileSync(path, sheet.text);
    const draft = await byFirstChoices(path, sheet.orders);
    const enter = await byEnter(path, sheet.orders);
    expect({ draft: draft.wrong, enter: enter.wrong }).toEqual({ draft: [], enter: [] });
  },
);
