import { describe, expect, it } from 'vitest';
import { type Stop, toStopError } from '../../../src/api/pacing/stop.ts';
import { asText } from '../../support/advice.ts';

const minute = 60_000;

describe('a stop', () => {
  it.each<[Stop, string, string, string | undefined]>([
    [
      { reason: 'wait_too_long', requestedMilliseconds: 7 * minute, maxMilliseconds: 90_000, hasFlag: true },
      'throttled',
      'The service asks us to wait 7 min, but --max-wait allows only 1 min 30 s.',
      '--max-wait',
    ],
    [
      { reason: 'wait_too_long', requestedMilliseconds: 1e15, maxMilliseconds: 5 * minute, hasFlag: false },
      'throttled',
      'The service asks us to wait 277777777 h 46 min, but this command allows only 5 min.',
      undefined,
    ],
    [
      { reason: 'outage', maxMilliseconds: 15 * minute, isThrottling: false, hasFlag: true },
      'unreachable',
      'The service has not worked properly for 15 min.',
      '--max-outage',
    ],
    [
      { reason: 'outage', maxMilliseconds: 15 * minute, isThrottling: true, hasFlag: false },
      'throttled',
      'The service has responded to every request with 429 (too many requests) for 15 min.',
      undefined,
    ],
  ])(
    '%j has a message with its cause and a hint with the flag, if there is one',
    (stop, code, message, flag) => {
      const error = toStopError(stop, { idempotencyKey: 'K' });
      expect({ code: error.code, message: error.message, exitCode: error.exitCode }).toEqual({
        code,
        message,
        exitCode: 7,
      });
      expect(error.details).toEqual({
        hint:
          flag === undefined
            ? asText('Run the same command again later.')
            : asText(`Run the same command again later, or allow a longer wait with ${flag} SECONDS.`),
        idempotencyKey: 'K',
      });
    },
  );
});
