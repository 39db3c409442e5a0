import { describe, expect, it } from 'vitest';
import { nextStep, type Step } from '../../../src/api/pacing/next-step.ts';
import type { Outcome } from '../../../src/api/responses/outcome.ts';

describe('nextStep', () => {
  it.each<[Outcome, Step]>([
    ['succeeded', 'finish'],
    ['rejected', 'finish'],
    ['not_found', 'finish'],
    ['key_refused', 'stop'],
    ['forbidden', 'set_aside'],
    ['wrong_base_url', 'stop'],
    ['bad_certificate', 'stop'],
    ['throttled', 'wait'],
    ['not_sent', 'send_again'],
    ['unknown', 'send_again'],
    ['no_order', 'look_up'],
    ['rejected_or_exists', 'look_up'],
  ])('%s: %s', (outcome, step) => {
    expect(nextStep(outcome)).toBe(step);
  });
});
