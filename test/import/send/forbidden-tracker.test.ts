import { describe, expect, it } from 'vitest';
import { CliError } from '../../../src/errors.ts';
import { createForbiddenTracker } from '../../../src/import/send/send-orders.ts';

/** Plays responses, `f` a 403 and `.` any other; returns the settled outcomes, the stops and the error at the end. */
function play(responses: string) {
  const settled: string[] = [];
  const tracker = createForbiddenTracker();
  const stops = [...responses].map((response, index) => {
    if (response === '.') return void tracker.onOther();
    const error = new CliError('permission_missing', `${index}`);
    return tracker.on403(error, (outcome) => settled.push(`${index} ${outcome}`));
  });
  const end = tracker.end();
  return { settled, stops: stops.map((error) => error?.message ?? '').join(), end: end?.message };
}

describe('createForbiddenTracker', () => {
  it.each([
    ['', [], '', undefined],
    ['..', [], ',', undefined],
    ['f', ['0 not_sent'], '', '0'],
    ['ff', ['0 not_sent', '1 not_sent'], ',1', undefined],
    ['.f', ['1 rejected'], ',', undefined],
    ['f.', ['0 rejected'], ',', undefined],
    ['f.f.', ['0 rejected', '2 rejected'], ',,,', undefined],
    ['.ff', ['1 not_sent', '2 not_sent'], ',,2', undefined],
    ['fff', ['0 not_sent', '1 not_sent', '2 not_sent'], ',1,2', undefined],
    ['.fff', ['1 not_sent', '2 not_sent', '3 not_sent'], ',,2,3', undefined],
    ['ffff', ['0 not_sent', '1 not_sent', '2 not_sent', '3 not_sent'], ',1,2,3', undefined],
    ['ff.f', ['0 not_sent', '1 not_sent', '3 not_sent'], ',1,,3', undefined],
  ])('%j', (responses, settled, stops, end) => {
    expect(play(responses)).toEqual({ settled, stops, end });
  });
});
