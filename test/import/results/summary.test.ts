import { describe, expect, it } from 'vitest';
import { completeCommand } from '../../../src/advice/advice.ts';
import { CliError, type ErrorCode, type ErrorDetails } from '../../../src/errors.ts';
import { type OutcomeName, outcomes } from '../../../src/import/results/order-outcome.ts';
import { createTally, endOf } from '../../../src/import/results/summary.ts';
import { textOf } from '../../support/advice.ts';

const next = {
  command: completeCommand(['AGAIN']),
  recreate: completeCommand(['AGAIN', '--recreate-cancelled']),
  fix: 'FIX',
  signal: undefined,
};
const outcome = (name: OutcomeName, row: number) => ({
  row,
  externalOrderId: `${row}`,
  outcome: name,
  attempts: 0,
  ...(name === 'not_sent' ? { code: 'in_other_run' } : {}),
});
const tally = (names: OutcomeName[]) => {
  const { add, ...counted } = createTally();
  names.map(outcome).forEach(add);
  return counted;
};
const count = (names: OutcomeName[]) => tally(names).orders;
const end = (names: OutcomeName[], code?: ErrorCode, signal?: 'SIGINT' | 'SIGTERM') =>
  endOf(tally(names), { ...next, stoppedBy: code && stop(code), signal });
const stop = (code: ErrorCode) =>
  new CliError(code, `Stopped by ${code}.`, { hint: 'old', status: 401, idempotencyKey: 'of one order' });

describe('a tally', () => {
  it('counts every outcome and the total', () => {
    expect(count(['created', 'created', 'unknown', 'not_sent'])).toEqual({
      total: 4,
      created: 2,
      already_exists: 0,
      rejected: 0,
      invalid: 0,
      conflict: 0,
      unknown: 1,
      not_sent: 1,
    });
    const { total, ...counts } = count([...outcomes, 'created']);
    expect(total).toBe(Object.values(counts).reduce((sum, number) => sum + number, 0));
  });

  it('names the first five orders with an unknown outcome', () => {
    expect(tally(['created', ...Array(7).fill('unknown')]).unknown).toEqual(['1', '2', '3', '4', '5']);
  });
});

describe('the exit code', () => {
  it.each<[number | undefined, OutcomeName[], ErrorCode | undefined]>([
    [undefined, [], undefined],
    [undefined, ['created', 'already_exists'], undefined],
    [6, ['created', 'rejected'], undefined],
    [6, ['invalid'], undefined],
    [6, ['conflict'], undefined],
    [7, ['created', 'not_sent'], 'unreachable'],
    [7, ['rejected', 'not_sent'], 'unreachable'],
    [7, ['not_sent'], 'ledger_not_writable'],
    [7, ['created', 'not_sent'], undefined],
    [7, ['rejected', 'not_sent'], undefined],
    [6, ['rejected', 'not_sent'], 'too_many_errors'],
    [8, ['unknown'], undefined],
    [8, ['unknown', 'rejected', 'invalid', 'conflict'], undefined],
    [8, ['unknown', 'not_sent'], 'unreachable'],
    [4, ['not_sent'], 'key_refused'],
    [4, ['unknown', 'rejected', 'not_sent'], 'permission_missing'],
    [7, ['created'], 'ledger_not_writable'],
  ])('%s after %j and a stop by %s', (exitCode, names, code) => {
    expect(end(names, code)?.exitCode).toBe(exitCode);
  });
});

describe('a signal', () => {
  it.each<[number | undefined, OutcomeName[], 'SIGINT' | 'SIGTERM']>([
    [130, ['created', 'not_sent'], 'SIGINT'],
    [143, ['unknown'], 'SIGTERM'],
    [130, ['created', 'rejected'], 'SIGINT'],
    [undefined, ['created'], 'SIGINT'],
  ])('ends with %s after %j and %s', (exitCode, names, signal) => {
    expect(end(names, undefined, signal)?.exitCode).toBe(exitCode);
    expect(end(names, exitCode === undefined ? undefined : 'key_refused', signal)?.exitCode).toBe(exitCode);
  });
});

describe('the error of an import', () => {
  const errorOf = (names: OutcomeName[], code?: ErrorCode) => {
    const error = end(names, code);
    return [error?.code, error?.message, textOf(error?.details.hint)];
  };

  it.each<[OutcomeName[], string]>([
    [['not_sent'], '1 order was not sent. Run the same command again:\n  merchant-orders AGAIN'],
    [
      ['not_sent', 'not_sent'],
      '2 orders were not sent. Run the same command again:\n  merchant-orders AGAIN',
    ],
  ])('counts orders that were not sent to an unreachable service: %j', (names, hint) => {
    expect(errorOf(names, 'unreachable')).toEqual(['unreachable', 'Stopped by unreachable.', hint]);
    expect(end(names, 'unreachable')?.details).toEqual({ hint: expect.anything(), status: 401 });
  });

  it.each<[details: ErrorDetails, cure: string]>([
    [{ hint: 'Free some space, then go on.', cure: 'Free some space.' }, 'Free some space.'],
    [{ hint: 'Check the base URL.' }, 'Check the base URL.'],
  ])('says once to run the same command again after %j', (details, cure) => {
    const stoppedBy = new CliError('ledger_not_writable', 'Full.', details);
    const hintAfter = (name: OutcomeName) =>
      textOf(endOf(tally([name]), { ...next, stoppedBy })?.details.hint);
    expect(hintAfter('not_sent')).toBe(
      `${cure}\n1 order was not sent. Run the same command again:\n  merchant-orders AGAIN`,
    );
    expect(hintAfter('unknown')).toBe(
      `${cure}\nRun the same command again; it settles them and creates none twice:\n  merchant-orders AGAIN`,
    );
  });

  it.each<[OutcomeName[], string]>([
    [['rejected'], '1 of 1 order failed.'],
    [['rejected', 'invalid', 'conflict', 'created'], '3 of 4 orders failed.'],
  ])('counts failed orders: %j', (names, sentence) => {
    expect(errorOf(names)).toEqual(['some_orders_failed', sentence, 'FIX']);
  });
});
