import { expect } from 'vitest';
import type { Case } from '../case.ts';
import { anOrder } from '../serve.ts';

const collecting = { collectionMode: 'COLLECT', collectionAmount: '5' };

/** `expected`: whether an order gets a delivery, a plain one and one that collects money. */
function createdFor(value: string, expected: boolean[]): Case {
  return {
    setting: 'deliveries.createdFor',
    value,
    check: async ({ create }) => {
      const found = [];
      for (const fields of [{}, collecting]) {
        found.push((await create(anOrder(fields))).json.delivery !== null);
      }
      expect(found).toEqual(expected);
    },
  };
}

export const deliveryCases: Case[] = [
  createdFor('every_order', [true, true]),
  createdFor('collecting_orders', [false, true]),
  createdFor('no_order', [false, false]),
];
