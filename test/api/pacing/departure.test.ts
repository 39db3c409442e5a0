import { describe, expect, it } from 'vitest';
import { type Departure, type DepartureConditions, departureOf } from '../../../src/api/pacing/admission.ts';

const now = 1000;
const free: DepartureConditions = {
  now,
  backoffUntil: now,
  serverWaitUntil: now,
  retryBudgetAt: now,
  outage: undefined,
  isFirstInQueue: true,
  slotAt: now,
};

describe('an attempt', () => {
  it.each<[string, Partial<DepartureConditions>, Departure]>([
    ['leaves when nothing holds it back', {}, { kind: 'leave' }],
    ['waits for its backoff', { backoffUntil: 1001 }, { kind: 'until', time: 1001, reason: 'backoff' }],
    [
      'waits as long as the service requested',
      { serverWaitUntil: 3000, backoffUntil: 2000 },
      { kind: 'until', time: 3000, reason: 'server_wait' },
    ],
    [
      'waits for its backoff when that is longer',
      { serverWaitUntil: 2000, backoffUntil: 3000 },
      { kind: 'until', time: 3000, reason: 'backoff' },
    ],
    [
      'waits for the retry budget',
      { retryBudgetAt: 5000, backoffUntil: 2000 },
      { kind: 'until', time: 5000, reason: 'retry_budget' },
    ],
    [
      'queues only when no other wait is left',
      { backoffUntil: 2000, isFirstInQueue: false, slotAt: undefined },
      { kind: 'until', time: 2000, reason: 'backoff' },
    ],
    ['waits in the queue', { isFirstInQueue: false }, { kind: 'another', reason: 'queue' }],
    ['waits for a slot', { slotAt: undefined }, { kind: 'another', reason: 'concurrency' }],
    ['waits for the rate limit', { slotAt: 1020 }, { kind: 'until', time: 1020, reason: 'rate' }],
  ])('%s', (_name, conditions, departure) => {
    expect(departureOf({ ...free, ...conditions })).toEqual(departure);
  });
});

describe('an attempt in an outage', () => {
  const probe = { probeAt: now, isNextProbe: true };

  it.each<[string, Partial<DepartureConditions>, Departure]>([
    [
      'waits for the probe in flight',
      { outage: { probeAt: 9000, isNextProbe: false }, serverWaitUntil: 5000 },
      { kind: 'another', reason: 'probe' },
    ],
    [
      'waits until the next probe may leave',
      { outage: { probeAt: 9000, isNextProbe: true } },
      { kind: 'until', time: 9000, reason: 'outage' },
    ],
    ['leaves as the probe', { outage: probe }, { kind: 'leave' }],
    [
      'needs neither backoff nor retry budget as the probe',
      { outage: probe, backoffUntil: 5000, retryBudgetAt: 5000 },
      { kind: 'leave' },
    ],
    [
      'waits as long as the service requested, even as the probe',
      { outage: probe, serverWaitUntil: 5000 },
      { kind: 'until', time: 5000, reason: 'server_wait' },
    ],
    [
      'needs a slot, even as the probe',
      { outage: probe, slotAt: undefined },
      { kind: 'another', reason: 'concurrency' },
    ],
  ])('%s', (_name, conditions, departure) => {
    expect(departureOf({ ...free, ...conditions })).toEqual(departure);
  });
});
