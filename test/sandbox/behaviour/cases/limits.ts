import { expect } from 'vitest';
import type { Case } from '../case.ts';
import { anOrder, type Service } from '../serve.ts';

/** What each order is rejected for; undefined for one that is accepted. */
async function problemsOf(
  { create }: Service,
  orders: Record<string, unknown>[],
): Promise<(string | undefined)[]> {
  const problems = [];
  for (const fields of orders) problems.push((await create(anOrder(fields))).json.error?.message);
  return problems;
}

const line = { sku: 'TEA' };
const sizes = [{}, { items: [line, line, line] }];
/** It is 2026-11-25 in the sandbox. */
const dates = ['2026-11-24', '2026-11-25', '2026-12-02', '2026-12-03', '9999-12-31'].map((date) => ({
  requestedDeliveryDate: date,
}));
const accepted = undefined;

function limit(name: string, value: unknown, orders: Record<string, unknown>[], expected: unknown[]): Case {
  return {
    setting: `limits.${name}`,
    value,
    check: async (service) => expect(await problemsOf(service, orders)).toEqual(expected),
  };
}

const past = 'requestedDeliveryDate: is in the past';
const tooLate = 'requestedDeliveryDate: is more than 7 days ahead';

export const limitCases: Case[] = [
  limit('items', null, sizes, [accepted, accepted]),
  limit('items', 2, sizes, [accepted, 'items: has more than 2 items']),
  limit('daysAhead', null, dates, [accepted, accepted, accepted, accepted, accepted]),
  limit('daysAhead', 7, dates, [past, accepted, accepted, tooLate, tooLate]),
];

/** Whether keys with one scope, or with none, may do something. */
async function allowedBy(
  { addKeyWith, send, create }: Service & { addKeyWith(scopes: string): string },
  operation: string,
) {
  const allowed = [];
  for (const scopes of ['orders:read', 'orders:write', '']) {
    const { json } = await create(anOrder());
    const path = `/api/v1/merchant/orders${operation === 'list' ? '' : `/${json.id}`}`;
    const key = addKeyWith(scopes);
    const { status } =
      operation === 'cancel'
        ? await send('POST', `${path}/cancel`, { key, body: { reason: 'x' } })
        : await send('GET', path, { key });
    allowed.push(status !== 403);
  }
  return allowed;
}

export const scopeCases: Case[] = ['read', 'list', 'cancel'].flatMap((operation) =>
  ['orders:read', 'orders:write', 'none'].map(
    (value): Case => ({
      setting: `scopes.${operation}`,
      value,
      check: async (service) => {
        const { accounts } = service.store;
        const addKeyWith = (scopes: string) => {
          const key = `sandbox_with_${scopes.replace(':', '_')}`;
          accounts.addKey(1, scopes, key);
          return key;
        };
        expect(await allowedBy({ ...service, addKeyWith }, operation)).toEqual([
          value !== 'orders:write',
          value !== 'orders:read',
          value === 'none',
        ]);
      },
    }),
  ),
);
