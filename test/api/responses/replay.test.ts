import { describe, expect, it } from 'vitest';
import { isReplay } from '../../../src/api/responses/replay.ts';
import { responseOf } from '../response.ts';
import cases from './replay.json' with { type: 'json' };

const order = { id: 'S-1', order: { id: 'S-1' } };
const now = { firstAttemptAt: 0, completedAt: 0 };

describe('isReplay', () => {
  it.each(cases.headers as [Record<string, string>, boolean][])(
    '%j: %s',
    (headers: Record<string, string>, expected) => {
      expect(isReplay(responseOf(200, '{}', headers), order, now)).toBe(expected);
    },
  );
});
