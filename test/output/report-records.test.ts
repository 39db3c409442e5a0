import { describe, expect, test } from 'vitest';
import { createReporter, type Format, type Reporter } from '../../src/output/reporter.ts';
import { capture } from './capture.ts';
import { first, shown, terminal } from './shown.ts';

describe('one order', () => {
  const use = (report: Reporter) => report.order(first, 0);

  test('a header and a row off a terminal', () => {
    const header = [
      'id orderNumber externalOrderId status customer.phone items[0].sku items[0].quantity total',
      'collectionAmount requestedDeliveryDate delivery',
    ];
    const row = '0b0e ORD-2026-000001 1013 CONFIRMED +97699112233 TEA-1 2.50 25000.50 0 2026-11-25 ';
    const tsv = `${header.join(' ')}\n${row}\n`.replaceAll(' ', '\t');
    expect(shown(use)).toBe(tsv);
    expect(shown(use, { format: 'tsv' })).toBe(tsv);
    expect(shown(use, { format: 'tsv', ...terminal })).toBe(tsv);
    expect(shown(use, { format: 'csv', ...terminal })).toBe(tsv.replaceAll('\t', ',').replace('+', "'+"));
    expect(shown(use, { header: false, columns: ['id', 'customer.phone'] })).toBe('0b0e\t+97699112233\n');
  });
});

describe('an order with a value too long for a screen', () => {
  const address = 'a '.repeat(500);
  const use = (value: string) => (report: Reporter) => report.order({ address: value }, 0);
  const report = (value: string, isTerminal: boolean, format: Format = 'table') => {
    const { print, out, err } = capture({ isTerminal });
    const look = { isTerminal, width: 80, colour: false };
    use(value)(createReporter({ format, print, header: true, terminal: look }));
    return { out: out(), err: err() };
  };
  const note = 'Values of more than 1,000 characters are cut here; get with --json shows them whole.\n';

  test('is cut on a terminal, and that is said', () => {
    const huge = address + 'b'.repeat(3_000_000);
    const { out, err } = report(huge, true);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => line.length).every((length) => length <= 80)).toBe(true);
    expect([lines.join('').replace(/^address|\s/g, ''), err]).toEqual([`${'a'.repeat(500)}…`, note]);
  });

  test('is whole up to 1,000 characters', () => {
    const { out, err } = report(address, true);
    expect([out.replaceAll(/^address|\s/g, ''), err]).toEqual(['a'.repeat(500), '']);
  });

  test('is whole in data, also on a terminal', () => {
    const long = `${address}b`;
    expect(report(long, false)).toEqual({ out: `address\n${long}\n`, err: '' });
    expect(report(long, true, 'tsv')).toEqual({ out: `address\n${long}\n`, err: '' });
    const { out, err } = report(long, true, 'json');
    expect([JSON.parse(out), err]).toEqual([{ address: long }, '']);
  });
});

describe('facts', () => {
  const facts = { profile: 'default', baseUrl: 'http://127.0.0.1:4010', source: { key: 'env' } };
  const use = (report: Reporter) => report.facts(facts);

  test('in every format', () => {
    expect(shown(use, terminal)).toBe(
      'profile     default\nbaseUrl     http://127.0.0.1:4010\nsource.key  env\n',
    );
    const tsv = 'profile\tbaseUrl\tsource.key\ndefault\thttp://127.0.0.1:4010\tenv\n';
    expect(shown(use)).toBe(tsv);
    expect(shown(use, { format: 'csv' })).toBe(tsv.replaceAll('\t', ','));
    expect(JSON.parse(shown(use, { format: 'json' }))).toEqual(facts);
    expect(shown(use, { format: 'ndjson' })).toBe(`${JSON.stringify(facts)}\n`);
  });
});
