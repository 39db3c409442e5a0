import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPrint, createStyle } from '../../src/output/print.ts';
import { wrapLine } from '../../src/output/wrapped-text.ts';
import { createRedaction } from '../../src/redact.ts';
import { capture } from './capture.ts';
import { forbidden, hostileString, hostileTexts } from './hostile.ts';

const { bold, red } = createStyle(true);
const painted = `${bold('x')}${red('x')}`;

const paletteCodes = [1, 22, 31, 39].map((code) => `\u001b[${code}m`);

test('sends data to stdout, notes and errors to stderr', () => {
  const { print, out, err } = capture();
  print.data('rows');
  print.note('note');
  print.error('error: sentence');
  expect(out()).toBe('rows\n');
  expect(err()).toBe('note\nerror: sentence\n');
});

test.each([
  [['a', 'it is LIVE_KEY_1234', 'b'], 'a\nit is …1234\nb\n'],
  [['a', 'b \u001b[2Jc'], 'a\nb c\n'],
  [['ends with live_key', '_1234 begins'], 'ends with live_key\n_1234 begins\n'],
])('lines are cleaned and redacted one by one: %j', (lines, shown) => {
  let written = '';
  const stdout = { write: (text: string) => (written += text) };
  const redaction = createRedaction();
  redaction.add('live_key_1234');
  createPrint({
    ...{ ...redaction, stdout, stderr: stdout, quiet: false, isWindows: false },
    ...{ terminal: { stdout: true }, colour: { out: false, err: false } },
  }).lines(lines);
  expect(written).toBe(shown);
});

test('the lines of a note are broken for a terminal, those of data and errors are not', () => {
  let written = '';
  const stream = { write: (text: string) => (written += text) };
  const print = createPrint({
    stdout: stream,
    stderr: stream,
    quiet: false,
    isWindows: false,
    terminal: { stdout: true },
    colour: { out: false, err: false },
    ...createRedaction(),
    wrapNote: (line) => wrapLine(line, 12),
  });
  const text = 'one two three four\n  five six seven';
  print.note(text);
  expect(written).toBe('one two\nthree four\n  five six\n  seven\n');
  written = '';
  print.data(text);
  print.error(text);
  expect(written).toBe(`${text}\n${text}\n`);
});

test('keeps styles only in data, and only if stdout has colour', () => {
  const dim = capture({ out: true });
  dim.print.data('\u001b[2mx\u001b[22m');
  expect(dim.out()).toBe('\u001b[2mx\u001b[22m\n');

  const outOnly = capture({ out: true });
  outOnly.print.data(painted);
  outOnly.print.note(painted);
  expect(outOnly.out()).toBe(`${painted}\n`);
  expect(outOnly.err()).toBe('xx\n');

  const errOnly = capture({ err: true });
  errOnly.print.data(painted);
  errOnly.print.note(painted);
  expect(errOnly.out()).toBe('xx\n');
  expect(errOnly.err()).toBe('xx\n');
});

test.each([
  '\u001b[0m',
  '\u001b[3m',
  '\u001b[4m',
  '\u001b[32m',
  '\u001b[7m',
  '\u001b[35m',
  '\u001b[41m',
  '\u001b[1;31m',
  '\u001b[31;1H',
])('removes other codes: %j', (code) => {
  const { print, out } = capture({ out: true });
  print.data(`a${code}b`);
  expect(out()).toBe('ab\n');
});

test('highlights the first word of an error and removes colours from the rest', () => {
  const { print, err } = capture({ err: true });
  print.error('error: the service said \u001b[32mfine\u001b[39m');
  print.error('no colon in the first word: nothing');
  print.error('{"error":{"code":"usage"}}');
  expect(err()).toBe(
    '\u001b[31m\u001b[1merror\u001b[22m\u001b[39m: the service said fine\n' +
      'no colon in the first word: nothing\n' +
      '{"error":{"code":"usage"}}\n',
  );
});

test.each(hostileTexts)('never writes %s', (_, text, cleaned) => {
  const { print, out, err } = capture({ isTerminal: true });
  print.data(text);
  print.note(text);
  print.error(text);
  expect(out()).toBe(`${cleaned}\n`);
  expect(err()).toBe(`${cleaned}\n${cleaned}\n`);
});

test('with colour, keeps only our own style codes of any text', () => {
  fc.assert(
    fc.property(hostileString, (text) => {
      const { print, out, err } = capture({ out: true, err: true });
      print.data(text);
      print.note(text);
      expect(err()).not.toMatch(forbidden);
      expect(paletteCodes.reduce((rest, code) => rest.replaceAll(code, ''), out())).not.toMatch(forbidden);
    }),
    { numRuns: 300 },
  );
});

test('highlights the first word of a question, and cleans it', () => {
  const question = 'LIVE: create 2\u001b[2J orders?';
  expect(capture({ err: true }).print.alarm(question)).toBe(`${red(bold('LIVE'))}: create 2 orders?`);
  expect(capture().print.alarm(question)).toBe('LIVE: create 2 orders?');
});
