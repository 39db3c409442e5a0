import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanText } from '../../src/clean-text.ts';
import { createReporter, type Format } from '../../src/output/reporter.ts';
import { capture } from './capture.ts';
import { forbidden, hostileString } from './hostile.ts';

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
