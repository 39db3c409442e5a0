import { describe, expect, it } from 'vitest';
import { CliError, type ErrorDetails } from '../../src/errors.ts';
import { formatError } from '../../src/output/error-text.ts';

const issues = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    path: `items[${index}].sku`,
    code: 'sku_blank',
    message: 'is blank; give it',
    ...(index === 0 ? { value: ' ' } : {}),
  }));
const text = (details: ErrorDetails = {}) =>
  formatError(new CliError('order_refused', 'The service refused.', details), 'table', false);
const json = (error: CliError, format: 'json' | 'ndjson' = 'json') => formatError(error, format, false);

describe('for a person', () => {
  it.each<[string, ErrorDetails, string[]]>([
    ['a sentence', {}, []],
    ['what to do', { hint: 'Run: x\nor: y' }, ['Run: x', 'or: y']],
    [
      'what the service said',
      { serviceCode: 'X', status: 422, requestId: 'r-1', idempotencyKey: 'k-1' },
      ['  (code X, status 422, request r-1, idempotency key k-1)'],
    ],
    ['a part of it', { requestId: 'r-1' }, ['  (request r-1)']],
    [
      'what is wrong with which field',
      { issues: issues(2), hint: 'Mend them.' },
      [
        '  items[0].sku " ": is blank; give it (sku_blank)',
        '  items[1].sku: is blank; give it (sku_blank)',
        'Mend them.',
      ],
    ],
    [
      'what the service gave no code for',
      { issues: [{ path: 'total', message: 'is wrong' }] },
      ['  total: is wrong'],
    ],
    ['nothing twice', { issues: issues(2), hasShownIssues: true, hint: 'Mend them.' }, ['Mend them.']],
    ['not what only programs need', { outcome: 'unknown' }, []],
  ])('%s', (_, details, lines) => {
    expect(text(details)).toBe(['error: The service refused.', ...lines].join('\n'));
  });

  it('shows 20 issues and counts the rest', () => {
    expect(text({ issues: issues(20) }).split('\n')).toHaveLength(21);
    expect(
      text({ issues: issues(23) })
        .split('\n')
        .slice(20),
    ).toEqual(['  items[19].sku: is blank; give it (sku_blank)', '  and 3 more']);
  });

  it.each(['interrupted', 'terminated', 'not_confirmed'] as const)(
    'does not call it an error when it was %s',
    (code) => {
      expect(formatError(new CliError(code, 'Stopped.', { hint: 'Go on.' }), 'table', false)).toBe(
        'Stopped.\nGo on.',
      );
    },
  );

  it.each(['table', 'csv', 'tsv'] as const)('is the same in %s', (format) => {
    expect(formatError(new CliError('usage', 'No.'), format, false)).toBe('error: No.');
  });

  it('shows the stack of a bug on request', () => {
    const cause = new Error('the cause');
    const error = new CliError('unexpected_failure', 'A bug.', { cause, hint: 'Report it.' });
    expect(formatError(error, 'table', true)).toBe(`error: A bug.\nReport it.\n${cause.stack}`);
    const own = new CliError('unexpected_failure', 'No.');
    expect(formatError(own, 'table', true)).toBe(`error: No.\n${own.stack}`);
    expect(formatError(new CliError('usage', 'No.'), 'table', true)).toBe('error: No.');
  });
});

describe('for a program', () => {
  it('is one line with all details', () => {
    const details: ErrorDetails = {
      hint: 'Run: x',
      status: 422,
      serviceCode: 'X',
      requestId: 'r-1',
      idempotencyKey: 'k-1',
      issues: issues(30),
      outcome: 'rejected',
      cause: new Error('not shown'),
    };
    const error = new CliError('order_refused', 'The service\nrefused.', details);
    const { cause, ...told } = details;
    for (const format of ['json', 'ndjson'] as const) {
      const line = json(error, format);
      expect(line).not.toContain('\n');
      expect(JSON.parse(line)).toEqual({
        error: { code: 'order_refused', message: 'The service\nrefused.', ...told, exitCode: 5 },
      });
    }
  });

  it('leaves out keys without a value', () => {
    const error = new CliError('usage', 'No.', { issues: issues(1), hasShownIssues: true });
    expect(JSON.parse(json(error))).toEqual({
      error: { code: 'usage', message: 'No.', issues: issues(1), exitCode: 2 },
    });
    expect(JSON.parse(json(new CliError('usage', 'No.')))).toEqual({
      error: { code: 'usage', message: 'No.', exitCode: 2 },
    });
  });

  it('has no character that acts on a terminal', () => {
    const message = 'a\u001b[2Jb\u202ec';
    const line = json(new CliError('usage', message));
    expect(line).toContain('a\\u001b[2Jb\\u202ec');
    expect(JSON.parse(line).error.message).toBe(message);
  });
});
