import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanData, cleanText } from '../../src/clean-text.ts';
import { createReporter, type Format, type Reporter } from '../../src/output/reporter.ts';
import { formats } from '../../src/settings.ts';
import { capture } from './capture.ts';
import { forbidden, forbiddenInData, hostileString, hostileTexts } from './hostile.ts';

/** Calls each method of a reporter with the text in every place for external text. */
const methods: Record<string, (report: Reporter, text: string) => void> = {
  order: (report, text) => report.order({ [`name${text}`]: text, deep: [{ [`key${text}`]: [text] }] }, 0),
  orders: (report, text) => {
    const rows = report.orders(Date.parse('2026-11-22T12:00:00Z'));
    rows.page([{ orderNumber: text, status: `ө${text}`, customer: { phone: text }, [text]: 1 }]);
    rows.page([{ orderNumber: 'wide enough to start anew', externalOrderId: text }]);
    rows.end({ page: null, pageSize: null, total: null, nextPage: null });
  },
  cancellations: (report, text) => {
    const order = { orderNumber: text, [text]: text };
    report.cancellations([{ order, outcome: 'refused', status: text, code: text, message: text }]);
  },
  request: (report, text) => {
    const headers = { [`X-${text}`]: text };
    report.requests([
      { method: 'POST', url: `https://api.example/${text}`, headers, body: { [text]: text } },
    ]);
  },
  outcome: (report, text) => report.outcome({ message: text }),
  imported: (report, text) =>
    report.imported({ file: text, [text]: text, orders: { [`x${text}`]: 2, total: 2 } }),
  facts: (report, text) => report.facts({ profile: text, [`name${text}`]: { url: text } }),
};

const settings = [
  ...formats.flatMap((format) => [true, false].map((isTerminal) => ({ format, isTerminal, width: 120 }))),
  // Too narrow for a table: one record after the other.
  { format: 'table' as const, isTerminal: true, width: 20 },
];

function shown(
  method: string,
  text: string,
  setting: { format: Format; isTerminal: boolean; width: number },
) {
  const { print, out, err } = capture({ out: setting.isTerminal, err: true });
  const terminal = { ...setting, colour: setting.isTerminal };
  methods[method]?.(createReporter({ format: setting.format, print, header: true, terminal }), text);
  expect(err()).toBe('');
  return out();
}

const ourCodes = ['\u001b[1m', '\u001b[22m'];

describe.each(settings)('$format, terminal $isTerminal, width $width', (setting) => {
  test.each(Object.keys(methods))('%s writes nothing forbidden', (method) => {
    for (const [, text] of hostileTexts) {
      const out = shown(method, text, setting);
      const isForbidden = setting.isTerminal ? forbidden : forbiddenInData;
      expect(ourCodes.reduce((rest, code) => rest.replaceAll(code, ''), out)).not.toMatch(isForbidden);
    }
  });

  test.each(Object.keys(methods))('%s writes the same as for the cleaned text', (method) => {
    if (setting.format === 'json' || setting.format === 'ndjson') return;
    for (const [, text, cleaned] of hostileTexts) {
      // The body of a request is JSON, which keeps the characters as escapes.
      const withoutBody = (out: string) => (method === 'request' ? out.slice(0, out.indexOf('\n{')) : out);
      const expected = setting.isTerminal ? cleaned : cleanData(text);
      expect(withoutBody(shown(method, text, setting))).toBe(withoutBody(shown(method, expected, setting)));
    }
  });
});

test.each(['json', 'ndjson'] as const)('%s loses nothing', (format) => {
  fc.assert(
    fc.property(hostileString, (text) => {
      const { print, out } = capture();
      const terminal = { isTerminal: true, width: 80, colour: true };
      createReporter({ format, print, header: true, terminal }).facts({ text });
      expect(JSON.parse(out())).toEqual(JSON.parse(JSON.stringify({ text })));
      expect(out()).not.toMatch(forbidden);
    }),
  );
});

test('any text is one row of a table, on a terminal and off it', () => {
  fc.assert(
    fc.property(hostileString, (text) => {
      const order = { a: text, b: 'end' };
      const show = (format: Format, isTerminal: boolean) => {
        const { print, out } = capture({ out: isTerminal });
        const terminal = { isTerminal, width: 200, colour: false };
        const report = createReporter({ format, print, columns: ['a', 'b'], header: false, terminal });
        report.orders(Date.parse('2026-11-22T12:00:00Z')).page([order]);
        return out();
      };
      expect(show('tsv', false).split('\t')).toHaveLength(2);
      expect(show('tsv', false).split('\n')).toHaveLength(2);
      expect(show('table', true).split('\n')).toHaveLength(2);
      expect(show('table', true)).not.toMatch(forbidden);
      expect(show('csv', false)).not.toMatch(/(^|,)"?\s*[=+\-@＝＋－＠]/u);
      expect(cleanText(show('csv', false))).toBe(show('csv', true));
    }),
    { numRuns: 200 },
  );
});
