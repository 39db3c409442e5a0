import { describe, expect, test } from 'vitest';
import type { Cancellation, Reporter } from '../../src/output/reporter.ts';
import { first, shown, terminal } from './shown.ts';

describe('cancellations', () => {
  const delivered = { orderNumber: 'ORD-9', status: 'DELIVERED' };
  const results: Cancellation[] = [
    { order: { ...first }, outcome: 'cancelled', status: 'CANCELLED' },
    { order: delivered, outcome: 'refused', code: 'ORDER_DELIVERED', message: 'Хүргэгдсэн' },
    { order: { externalOrderId: '7', message: 'of the order itself' }, outcome: 'not_found' },
  ];
  const use = (report: Reporter) => report.cancellations(results);

  test('only those that failed, in full, when there are many on a terminal', () => {
    const done = Array.from({ length: 20 }, (_, index) => ({
      order: { orderNumber: `ORD-${index}` },
      outcome: 'cancelled' as const,
    }));
    const failed = {
      order: { orderNumber: 'ORD-99', externalOrderId: 'UB-99' },
      outcome: 'refused' as const,
      status: 'DELIVERED',
      code: 'ORDER_NOT_CANCELLABLE',
      message: 'It was delivered. '.repeat(10).trim(),
    };
    const missing = {
      order: { reference: 'UB-9' },
      outcome: 'not_found' as const,
      code: 'order_not_found',
      message: 'There is no order UB-9.',
    };
    const many = (report: Reporter) => report.cancellations([failed, ...done, missing]);
    expect(shown(many, { ...terminal, width: 80 })).toBe(
      `ORD-99 (UB-99): It was delivered. It was delivered. It was delivered. It was
  delivered. It was delivered. It was delivered. It was delivered. It was
  delivered. It was delivered. It was delivered. (ORDER_NOT_CANCELLABLE)
There is no order UB-9.
`,
    );
    const ofFile = {
      ...missing,
      order: { reference: '0b0e', orderNumber: 'ORD-9', externalOrderId: 'UB-9' },
    };
    const oneOfFile = (report: Reporter) =>
      report.cancellations([{ ...ofFile, message: 'There is no order 0b0e.' }]);
    expect(shown(oneOfFile, terminal)).toMatch(/\nORD-9 \(UB-9\): There is no order 0b0e\.\n$/);
    expect(shown((report) => report.cancellations([...done, done[0] as (typeof done)[0]]), terminal)).toBe(
      '',
    );
    expect(shown(many).split('\n')).toHaveLength(24);
  });

  test('a table on a terminal, and why some were not cancelled', () => {
    expect(shown(use, terminal)).toBe(
      [
        'number           own id  outcome    status',
        'ORD-2026-000001  1013    cancelled  CANCELLED',
        'ORD-9                    refused    DELIVERED',
        '                 7       not found',
        'ORD-9: Хүргэгдсэн (ORDER_DELIVERED)',
        '7: not found',
        '',
      ].join('\n'),
    );
  });

  test('rows off a terminal', () => {
    const tsv = [
      'orderNumber\texternalOrderId\toutcome\tstatus\tcode\tmessage',
      'ORD-2026-000001\t1013\tcancelled\tCANCELLED\t\t',
      'ORD-9\t\trefused\tDELIVERED\tORDER_DELIVERED\tХүргэгдсэн',
      '\t7\tnot_found\t\t\t',
      '',
    ].join('\n');
    expect(shown(use)).toBe(tsv);
    expect(shown(use, { format: 'csv' })).toBe(tsv.replaceAll('\t', ','));
    expect(shown(use, { columns: ['id', 'outcome'], header: false })).toBe(
      '0b0e\tcancelled\n\trefused\n\tnot_found\n',
    );
  });
});

describe('an import', () => {
  const orders = { total: 338, created: 335, already_exists: 0, rejected: 2, invalid: 1, not_sent: 0 };
  const summary = { file: 'orders.csv', run: 'r1', orders, exitCode: 6 };
  const outcome = { row: 14, outcome: 'created' };
  const use = (report: Reporter) => {
    report.outcome(outcome);
    report.imported(summary);
  };

  test('counts above zero, and their total', () => {
    expect(shown(use, terminal)).toBe(
      [
        'outcome   orders',
        'created      335',
        'rejected       2',
        'invalid        1',
        'all          338',
        '',
      ].join('\n'),
    );
    const tsv = 'outcome\torders\ncreated\t335\nrejected\t2\ninvalid\t1\ntotal\t338\n';
    expect(shown(use)).toBe(tsv);
    expect(shown(use, { format: 'tsv', ...terminal })).toBe(tsv);
    expect(shown(use, { format: 'csv' })).toBe(tsv.replaceAll('\t', ','));
    expect(shown(use, { header: false, columns: ['id'] })).toBe(
      'created\t335\nrejected\t2\ninvalid\t1\ntotal\t338\n',
    );
  });
});
