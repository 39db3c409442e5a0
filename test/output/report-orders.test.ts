import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/orders/json.ts';
import { formatJson } from '../../src/output/print.ts';
import { createReporter, type Reporter } from '../../src/output/reporter.ts';
import { capture } from './capture.ts';
import { endOfList, first, read, type Setting, second, shown, terminal } from './shown.ts';

const list = (pages: JsonObject[][]) => (report: Reporter) => {
  const rows = report.orders(Date.parse('2026-11-22T12:00:00Z'));
  for (const page of pages) rows.page(page);
  rows.end({ page: 1, pageSize: 50, total: 2, nextPage: null });
};

const tsv = [
  'id\torderNumber\texternalOrderId\tstatus\tcustomer.phone\ttotal\tcollectionAmount\trequestedDeliveryDate',
  '0b0e\tORD-2026-000001\t1013\tCONFIRMED\t+97699112233\t25000.50\t0\t2026-11-25',
  '0b0f\tORD-2026-000002\t\tХҮЛЭЭГДЭЖ БУЙ\t\t5\t\t',
  '',
];

test('rows with the id first off a terminal', () => {
  expect(shown(list([[first], [], [second]]))).toBe(tsv.join('\n'));
  expect(shown(list([[first], [second]]), { format: 'tsv', ...terminal })).toBe(tsv.join('\n'));
  const csv = tsv.join('\n').replaceAll('\t', ',').replace('+', "'+");
  expect(shown(list([[first], [second]]), { format: 'csv', ...terminal })).toBe(csv);
  expect(shown(list([[first, second]]), { header: false })).toBe(tsv.slice(1).join('\n'));
});

test('writes each page at once', () => {
  for (const setting of [{}, { format: 'csv' }, { format: 'ndjson' }, terminal] as Setting[]) {
    const { print, out } = capture();
    const { format = 'table', isTerminal = false } = setting;
    const report = createReporter({
      format,
      print,
      header: true,
      terminal: { isTerminal, width: 80, colour: false },
    });
    const rows = report.orders(Date.parse('2026-11-22T12:00:00Z'));
    rows.page([first]);
    expect(out()).toContain('ORD-2026-000001');
    rows.page([second]);
    const beforeEnd = out();
    expect(beforeEnd).toContain('ORD-2026-000002');
    rows.end(endOfList);
    expect(out()).toBe(beforeEnd);
  }
});

test('JSON is written with each page, as it would be written at once', () => {
  const hidden = read(
    '{ "id": "\\u202e", "items": [], "customer": {}, "nested": [[{ "a": [1.50, null] }]] }',
  );
  for (const pages of [[[first, second, hidden]], [[first], [], [second, hidden]], [[], [hidden]]]) {
    const { print, out } = capture();
    const rows = createReporter({
      format: 'json',
      print,
      header: true,
      terminal: { isTerminal: false, width: 80, colour: false },
    }).orders(0);
    let received = 0;
    for (const page of pages) {
      rows.page(page);
      received += page.length;
      // A comma follows all but the last order, which is written once it is known to be the last.
      expect(out().split('"id"').length).toBe(Math.max(1, received));
    }
    rows.end(endOfList);
    expect(out()).toBe(`${formatJson({ orders: pages.flat(), ...endOfList })}\n`);
  }
});

test('names keep their joiners for a program, and no terminal gets them', () => {
  const name = 'می\u200cخواهم 👩\u200d🌾 re\u00adlay\u202e\u001b[31m';
  const kept = 'می\u200cخواهم 👩\u200d🌾 re\u00adlay';
  const calm = 'میخواهم 👩🌾 relay';
  const setting = { columns: ['name'], header: false };
  for (const format of ['csv', 'tsv', 'table'] as const) {
    expect(shown(list([[{ name }]]), { ...setting, format })).toBe(`${kept}\n`);
    if (format !== 'table')
      expect(shown(list([[{ name }]]), { ...setting, format, ...terminal })).toBe(`${calm}\n`);
  }
  expect(shown(list([[{ name: '\u200c=1+1' }]]), { ...setting, format: 'csv' })).toBe("'\u200c=1+1\n");
});

test('times in local time on a terminal, and as the service sent them in data', () => {
  const createdAt = new Date(2026, 10, 21, 9, 5, 7).toISOString();
  const order = { id: '0b0e', createdAt, note: '2026-11-21' };
  const one = (report: Reporter) => report.order(order, 0);
  expect(shown(one, { ...terminal, columns: ['id', 'createdAt', 'note'] })).toBe(
    'id         0b0e\ncreatedAt  2026-11-21 09:05\nnote       2026-11-21\n',
  );
  const columns = ['id', 'createdAt'];
  expect(shown(list([[order]]), { ...terminal, columns })).toContain('0b0e  2026-11-21 09:05\n');
  for (const format of ['json', 'csv', 'tsv'] as const) {
    expect(shown(one, { format })).toContain(createdAt);
    expect(shown(list([[order]]), { format, columns })).toContain(createdAt);
  }
  expect(shown(list([[order]]), { columns })).toContain(createdAt);
});
