import { describe, expect, it } from 'vitest';
import { formatOrdersToCancel } from '../../src/commands/cancel/run.ts';
import { orderLine } from '../../src/output/order-list.ts';
import { createReporter, type Format } from '../../src/output/reporter.ts';
import { capture } from './capture.ts';
import { shown } from './shown.ts';

const long = 'x'.repeat(200_000);
const manyShort = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, `v${index}`]));

function shownAs(
  format: Format,
  isTerminal: boolean,
  show: (report: ReturnType<typeof createReporter>) => void,
) {
  const { print, out } = capture();
  const terminal = { isTerminal, width: 80, colour: false };
  show(createReporter({ format, print, header: true, terminal }));
  return out();
}

describe('a name of 200 kB', () => {
  it('is clipped beside 5,000 short names, and so is its value', () => {
    const out = shownAs('table', true, (report) => report.order({ ...manyShort, [long]: long }, 0));
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toBe('k0     v0');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(85);
    expect(lines.slice(5_000).join('').replaceAll(' ', '')).toMatch(/^x{59}…x{1000}…$/);
  });

  it.each(['csv', 'tsv', 'json', 'ndjson'] as const)('is whole in %s', (format) => {
    const out = shownAs(format, false, (report) => report.order({ ...manyShort, [long]: long }, 0));
    expect(out).toContain(long);
    expect(out.length).toBeLessThan(800_000);
  });

  it('does not widen a table of orders', () => {
    const orders = Array.from({ length: 300 }, (_, index) => ({
      orderNumber: `N-${index}`,
      status: 'new',
    }));
    const out = shownAs('table', true, (report) => {
      const rows = report.orders(Date.parse('2026-11-22T12:00:00Z'));
      rows.page([...orders, { orderNumber: long, status: long, externalOrderId: long }]);
      rows.end({ page: null, pageSize: null, total: null, nextPage: null });
    });
    expect(out.length).toBeLessThan(800_000);
  });

  it('does not widen a table of facts or outcomes', () => {
    const out = shownAs('table', true, (report) => {
      report.facts({ ...manyShort, [long]: 'x' });
      report.imported({
        orders: { [long]: 1, ...Object.fromEntries(Object.keys(manyShort).map((key) => [key, 1])), total: 1 },
      });
    });
    expect(out.length).toBeLessThan(2_000_000);
  });
});

describe('an order of the service with a value of 3 MB', () => {
  const huge = 'x'.repeat(3_000_000);
  const order = {
    orderNumber: huge,
    externalOrderId: huge,
    createdAt: huge,
    customer: { phone: huge, name: huge },
    items: [{ sku: huge, name: huge, quantity: huge }],
    total: huge,
    status: huge,
    delivery: { status: huge },
  };

  it('is clipped on the screen of cancel and in a choice', () => {
    expect(formatOrdersToCancel([order, order], { now: 0 }).length).toBeLessThan(30_000);
    // Beside the mark of a choice, it leaves the last column free.
    expect(orderLine(order, { width: 80, now: 0 }).length).toBeLessThanOrEqual(77);
  });
});

describe('past imports in a narrow terminal', () => {
  const past = (file: string, service = 'https://api.example') => ({
    ...{ run: '62a6d40b', file, service, sandbox: service.startsWith('sandbox ') },
    ...{ startedAt: '2026-11-20T00:00:00Z', endedAt: null, ended: 'done', exitCode: 0 },
    orders: { total: 3, created: 3, already_exists: 0, unknown: 0, not_sent: 0 },
  });
  const table = (...imports: ReturnType<typeof past>[]) =>
    shown((report) => report.imports(imports, { now: 0, endings: [] }), { isTerminal: true, width: 62 });

  it('show how their files end, and the services where there are several', () => {
    const ofOne = table(past('2026-11-30.csv'), past('2026-11-30.rejects.csv'));
    expect(ofOne).toMatch(/.rejects\.csv /);
    expect(ofOne).not.toContain('service');
    expect(table(past('a.csv'), past('a.csv', 'sandbox 1'))).toContain('SANDBOX');
  });
});
