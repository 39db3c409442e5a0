import { describe, expect, it } from 'vitest';
import { type ErrorLimit, parseErrorLimit } from '../../../src/import/choices.ts';
import type { OrderOutcome } from '../../../src/import/results/order-outcome.ts';
import { createErrorLimit } from '../../../src/import/send/send-orders.ts';

type Counted = Pick<OrderOutcome, 'outcome' | 'attempts'> & { code?: string };

const outcomes: Record<string, Counted> = {
  c: { outcome: 'created', attempts: 1 },
  a: { outcome: 'already_exists', attempts: 1 },
  s: { outcome: 'rejected', attempts: 1, code: 'PRODUCT_SKU_NOT_FOUND' },
  p: { outcome: 'rejected', attempts: 2, code: 'CUSTOMER_PHONE_AMBIGUOUS' },
  x: { outcome: 'conflict', attempts: 1, code: 'order_conflict' },
  // No responses to this run.
  A: { outcome: 'already_exists', attempts: 0 },
  X: { outcome: 'conflict', attempts: 0, code: 'content_changed' },
  u: { outcome: 'unknown', attempts: 5, code: 'outcome_unknown' },
  t: { outcome: 'not_sent', attempts: 3, code: 'throttled' },
  n: { outcome: 'not_sent', attempts: 0, code: 'stopped' },
};

/** Counts outcomes, a letter each; returns the errors that end the run and how many outcomes came before. */
function play(letters: string, limit: ErrorLimit | undefined, orders = 1000) {
  const rule = createErrorLimit(limit, orders);
  return [...letters].flatMap((letter, index) => {
    const outcome = outcomes[letter] as Counted;
    const error = rule.count({ row: index + 2, externalOrderId: `${index}`, ...outcome });
    return error === undefined ? [] : [{ after: index + 1, error }];
  });
}

const stops = (letters: string, limit?: string, orders?: number) =>
  play(letters, limit === undefined ? undefined : parseErrorLimit(limit), orders).map(({ after }) => after);

describe('without a limit', () => {
  it.each<[string, string, number, number[]]>([
    ['nothing', '', 1000, []],
    ['orders that are created', 'c'.repeat(100), 1000, []],
    ['the larger of 20', `c${'s'.repeat(30)}`, 100, [22]],
    ['or 10 % of the orders', `c${'s'.repeat(150)}`, 1000, [102]],
    ['a fraction of an order', `c${'s'.repeat(30)}`, 209, [22]],
    ['a fraction of an order', `c${'s'.repeat(30)}`, 210, [23]],
    ['the same rejection in the first five responses', 'sssss', 1000, [5]],
    ['the same rejection in four responses', 'ssss', 1000, []],
    ['only one error for a run', 's'.repeat(200), 1000, [5]],
    ['five rejections after another response', 'csssss', 1000, []],
    ['five rejections with another response among them', 'ssssac', 1000, []],
    ['five rejections of two kinds', 'sssspssss', 1000, []],
    ['five conflicts', 'xxxxx', 1000, []],
    ['five rejections among outcomes without a response', 'AsXsuststAn', 1000, []],
    ['five rejections among outcomes without a response', 'AsXsustsns', 1000, [10]],
  ])('%s: %s of %i', (_, letters, orders, after) => {
    expect(stops(letters, undefined, orders)).toEqual(after);
  });
});

describe('a limit', () => {
  it.each<[string, string, number, number[]]>([
    ['0', 'cccs', 1000, [4]],
    ['0', 'cccx', 1000, [4]],
    ['0', 'caAXutn', 1000, []],
    ['2', 'cscpcx', 1000, [6]],
    ['2', 'cscpcX', 1000, []],
    ['50', 's'.repeat(60), 1000, [51]],
    ['5%', 's'.repeat(60), 1000, [51]],
    ['5%', 'ss', 30, [2]],
    ['0%', 'cs', 30, [2]],
    ['100%', 's'.repeat(1000), 1000, []],
  ])('of %s: %s of %i', (limit, letters, orders, after) => {
    expect(stops(letters, limit, orders)).toEqual(after);
  });

  it('does not stop at the last order', () => {
    expect([stops('ccs', '0', 3), stops('sssss', undefined, 5), stops('AcXs', '0', 4)]).toEqual([[], [], []]);
  });
});
