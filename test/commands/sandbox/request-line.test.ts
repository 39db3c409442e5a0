import { describe, expect, it } from 'vitest';
import { formatRequestLine } from '../../../src/commands/sandbox/start.ts';
import { createStyle } from '../../../src/output/print.ts';

type EndedRequest = Parameters<typeof formatRequestLine>[0];

const plain = { width: undefined, style: createStyle(false) };

const create = {
  time: new Date(2026, 10, 22, 14, 3, 22).toISOString(),
  method: 'POST',
  path: '/api/v1/merchant/orders',
  status: 201,
  durationMs: 12,
  externalOrderId: 'TRY-1',
  fault: null,
} as EndedRequest;

describe('the line of a request', () => {
  it.each<[Partial<EndedRequest>, string]>([
    [{}, '14:03:22  POST  201     12 ms  /api/v1/merchant/orders  TRY-1'],
    [
      { method: 'GET', path: '/api/v1/merchant/orders?page=2', externalOrderId: null, durationMs: 1234 },
      '14:03:22  GET   201   1234 ms  /api/v1/merchant/orders?page=2',
    ],
    [
      { fault: { kind: 'close', when: 'after_commit', status: null } },
      '14:03:22  POST  201     12 ms  /api/v1/merchant/orders  TRY-1  fault: close',
    ],
    [
      { fault: { kind: 'status', when: 'after_commit', status: 504 } },
      '14:03:22  POST  201     12 ms  /api/v1/merchant/orders  TRY-1  fault: status 504',
    ],
    [
      { fault: { kind: 'wait', when: 'after_commit', status: 201 } },
      '14:03:22  POST  201     12 ms  /api/v1/merchant/orders  TRY-1  fault: wait',
    ],
    [
      { status: null, fault: { kind: 'reset', when: 'after_commit', status: null }, durationMs: null },
      '14:03:22  POST   -       - ms  /api/v1/merchant/orders  TRY-1  fault: reset',
    ],
    [
      { externalOrderId: `\u001b[31mevil\u202e\nline${'x'.repeat(100)}` },
      `14:03:22  POST  201     12 ms  /api/v1/merchant/orders  evil line${'x'.repeat(51)}…`,
    ],
    [
      { path: '/api/v1/merchant/orders/\u009b31mevil\u202e', externalOrderId: null },
      '14:03:22  POST  201     12 ms  /api/v1/merchant/orders/evil',
    ],
  ])('with %j', (change, line) => {
    expect(formatRequestLine({ ...create, ...change }, plain)).toBe(line);
  });

  it.each([60, 80, 100])('fits %i columns, and keeps the order', (width) => {
    const path = `/api/v1/merchant/orders/${'x'.repeat(100)}`;
    const line = formatRequestLine({ ...create, path }, { ...plain, width });
    expect(line.length).toBe(width);
    expect(line).toMatch(/… {2}TRY-1$/);
  });

  it('has a red status for an error, and a bold fault', () => {
    const look = { ...plain, style: createStyle(true) };
    expect(formatRequestLine(create, look)).not.toContain('\u001b');
    expect(formatRequestLine({ ...create, status: 422 }, look)).toContain('\u001b[31m422\u001b[39m');
    const fault = { kind: 'close', when: 'after_commit', status: null };
    expect(formatRequestLine({ ...create, fault }, look)).toContain(
      '\u001b[1m  TRY-1  fault: close\u001b[22m',
    );
  });
});
