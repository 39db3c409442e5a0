import { describe, expect, test } from 'vitest';
import type { PastImport, Reporter } from '../../src/output/reporter.ts';
import { formatAge } from '../../src/output/times.ts';
import { shown, terminal } from './shown.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const none = { created: 0, already_exists: 0, rejected: 0, invalid: 0, conflict: 0, unknown: 0, not_sent: 0 };
const imports: PastImport[] = [
  {
    run: '3f9c21aa',
    file: 'orders.csv',
    service: 'https://api.example',
    sandbox: false,
    startedAt: '2026-11-20T11:55:00.000Z',
    endedAt: null,
    ended: 'died',
    exitCode: null,
    orders: { total: 264, ...none, created: 200, unknown: 4, not_sent: 60 },
  },
  {
    run: '00b1d2c3',
    file: '-',
    service: 'sandbox 0191',
    sandbox: true,
    startedAt: '2026-11-18T09:00:00.000Z',
    endedAt: '2026-11-18T09:00:02.000Z',
    ended: 'some must be fixed',
    exitCode: 6,
    orders: { total: 9, ...none, created: 3, rejected: 1, invalid: 2, conflict: 3 },
  },
];
const use = (report: Reporter) => report.imports(imports, { now, endings: [] });

describe('past imports', () => {
  test('on a terminal, with their age and without columns of zeros', () => {
    expect(shown(use, terminal)).toBe(
      [
        'run       started     file        service              all  created  to fix  unknown  not sent  ended',
        '3f9c21aa  5 min ago   orders.csv  https://api.example  264      200       0        4        60  died',
        '00b1d2c3  2 days ago  -           SANDBOX                9        3       6        0         0  some must be fixed',
        '',
      ].join('\n'),
    );
    expect(shown(use, { ...terminal, columns: ['run', 'orders.conflict'] })).toBe(
      'run       orders.conflict\n3f9c21aa  0\n00b1d2c3  3\n',
    );
  });
});

test.each([
  [-5000, 'just now'],
  [0, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 min ago'],
  [3_599_999, '59 min ago'],
  [3_600_000, '1 h ago'],
  [86_399_999, '23 h ago'],
  [86_400_000, '1 day ago'],
  [400 * 86_400_000, '400 days ago'],
])('%i milliseconds are %s', (age, text) => {
  expect(String(formatAge(now - age, now))).toBe(text);
});
