import { describe, expect, it } from 'vitest';
import { faults, type Rule } from '../../../src/sandbox/behaviour/fault-settings.ts';
import { createFaultControl } from '../../../src/sandbox/faults/fault-control.ts';
import type { LoggedRequest } from '../../../src/sandbox/store/requests.ts';
import cases from './match-rule.json' with { type: 'json' };

type Match = Partial<Rule['match']>;
type Subject = Pick<LoggedRequest, 'route' | 'subject' | 'customerPhone'>;

const other = { match: { externalOrderId: 'nobody' }, when: 'before_commit', do: { kind: 'close' } };

/** Whether the rule applies to the next attempt; `place` is its place in the list. */
function drawing(match: Match, { seed = '1', place = 0 } = {}) {
  const rule = { match, when: 'before_commit', do: { kind: 'reset' } };
  const rules = [...Array.from({ length: place }, () => other), rule];
  const control = createFaultControl(faults.parse({ seed, rules, demoPhones: false }), () => 0);
  return (logged: Subject) => control.draw(logged, () => undefined) !== undefined;
}

const create: Subject = { route: 'create', subject: 'UB-1', customerPhone: '+976 9911-2233' };
const list: Subject = { route: 'list', subject: 'UB-1' };

describe('the match of a rule', () => {
  it.each(cases.matches as [object, boolean][])('%j matches the create of UB-1: %s', (match, expected) => {
    expect(drawing(match)(create)).toBe(expected);
  });

  it.each([
    [{ route: 'list' }, true],
    [{ externalOrderId: '*' }, false],
    [{ externalOrderId: 'UB-1' }, false],
    [{ customerPhone: '*' }, false],
  ] as [Match, boolean][])('%j matches a list: %s', (match, expected) => {
    expect(drawing(match)(list)).toBe(expected);
  });

  it('does not match a create without a phone when it has a phone', () => {
    expect(drawing({ customerPhone: '*' })({ route: 'create', subject: 'UB-1' })).toBe(false);
  });
});

describe('probability', () => {
  const ids = Array.from({ length: 2000 }, (_, place) => `UB-${place}`);
  const affected = (
    probability: number,
    {
      attempt = 1,
      among = ids,
      ...where
    }: { seed?: string; place?: number; attempt?: number; among?: string[] } = {},
  ) => {
    const applies = drawing({ probability }, where);
    const draw = (subject: string) => applies({ route: 'create', subject });
    return among.filter((subject) => Array.from({ length: attempt }, () => draw(subject)).at(-1));
  };

  it.each([0.01, 0.1, 0.5, 0.9, 1])('%d applies to that share of 2,000 orders', (probability) => {
    const share = affected(probability).length / ids.length;
    const spread = Math.sqrt((probability * (1 - probability)) / ids.length);
    expect(Math.abs(share - probability)).toBeLessThanOrEqual(4 * spread);
  });

  it.each([{ seed: '2' }, { place: 1 }, { attempt: 2 }])('applies to other orders with %j', (other) => {
    const [first, second] = [new Set(affected(0.1)), affected(0.1, other)];
    expect(second.length).toBeGreaterThan(100);
    expect(second.filter((id) => first.has(id)).length).toBeLessThan(second.length / 2);
  });
});
