import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { advice, again, command, completeCommand, shellCommand, type Text } from '../../src/advice/advice.ts';
import { formatCommandLine } from '../../src/advice/command-line.ts';
import { CliError, type ErrorDetails } from '../../src/errors.ts';
import { formatError } from '../../src/output/error-text.ts';
import { wrapLine } from '../../src/output/wrapped-text.ts';
import { runCli } from '../support/cli.ts';

const line = { isWindows: false, args: ['list', '--all'], serviceFlags: [['--sandbox']] };

const issues = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    path: `items[${index}].sku`,
    code: 'sku_blank',
    message: 'is blank; give it',
    ...(index === 0 ? { value: ' ' } : {}),
  }));
const text = (details: ErrorDetails = {}) =>
  formatError(new CliError('order_refused', 'The service rejected it.', details), 'table', line);

describe('for a person', () => {
  it.each<[string, ErrorDetails, string[]]>([
    ['the message', {}, []],
    ['the hint', { hint: 'Run: x\nor: y' }, ['Run: x', 'or: y']],
    [
      'facts of the response',
      { serviceCode: 'X', status: 422, requestId: 'r-1', idempotencyKey: 'k-1' },
      ['  (code X, status 422, request r-1, idempotency key k-1)'],
    ],
    ['only known facts', { requestId: 'r-1' }, ['  (request r-1)']],
    [
      'the issues of the fields',
      { issues: issues(2), hint: 'Fix them.' },
      [
        '  items[0].sku " ": is blank; give it (sku_blank)',
        '  items[1].sku: is blank; give it (sku_blank)',
        'Fix them.',
      ],
    ],
    ['an issue without a code', { issues: [{ path: 'total', message: 'is wrong' }] }, ['  total: is wrong']],
    [
      'no issues that were already shown',
      { issues: issues(2), hasShownIssues: true, hint: 'Fix them.' },
      ['Fix them.'],
    ],
    ['no outcome', { outcome: 'unknown' }, []],
  ])('%s', (_, details, lines) => {
    expect(text(details)).toBe(['error: The service rejected it.', ...lines].join('\n'));
  });

  it('shows the stack of a bug with --verbose', () => {
    const cause = new Error('the cause');
    const error = new CliError('unexpected_failure', 'A bug.', { cause, hint: 'Report it.' });
    expect(formatError(error, 'table', line, { stack: true })).toBe(
      `error: A bug.\nReport it.\n${cause.stack}`,
    );
    const own = new CliError('unexpected_failure', 'No.');
    expect(formatError(own, 'table', line, { stack: true })).toBe(`error: No.\n${own.stack}`);
    expect(formatError(new CliError('usage', 'No.'), 'table', line, { stack: true })).toBe('error: No.');
  });
});

describe('on a terminal', () => {
  const at = (width: number, sentence: string, details: ErrorDetails = {}) =>
    formatError(new CliError('order_invalid', sentence, details), 'table', line, {
      wrap: (pieces) => wrapLine(pieces, width),
    });
  const damaged = 'a spreadsheet replaced this number; its last digits are gone';
  const issue = { path: 'customer.phone', value: '9.91E+07', message: damaged, code: 'phone_damaged' };

  it('is wrapped between words, and issues and facts keep their indentation', () => {
    const details = { issues: [issue], serviceCode: 'X', requestId: 'r-1', hint: 'Correct it there.' };
    expect(
      at(40, 'The order has 1 problem. Nothing was sent.', details),
    ).toBe(`error: The order has 1 problem. Nothing
was sent.
  customer.phone "9.91E+07": a
  spreadsheet replaced this number; its
  last digits are gone (phone_damaged)
  (code X, request r-1)
Correct it there.`);
    expect(at(80, 'No.', { issues: [issue] })).toBe(`error: No.
  customer.phone "9.91E+07": a spreadsheet replaced this number; its last digits
  are gone (phone_damaged)`);
  });

  it.each<[Text, string[]]>([
    [
      advice`Compare it: ${command('get', 'UB 1', '--json')}; or cancel it`,
      ['Compare it:', "merchant-orders --sandbox get 'UB 1' --json; or cancel it"],
    ],
    [
      advice`Correct the first of all the mistakes: ${shellCommand('lsof -i :4010')}`,
      ['Correct the first of all', 'the mistakes:', 'lsof -i :4010'],
    ],
    [
      advice`Correct it, and run:  ${completeCommand(['list'])}`,
      ['Correct it, and run:', 'merchant-orders list'],
    ],
    [
      advice`First this:\n  ${completeCommand(['import', 'orders.csv'])}`,
      ['First this:', '  merchant-orders import orders.csv'],
    ],
    [advice`See: ${completeCommand(['list'])}`, ['See: merchant-orders list']],
    [advice`Two more words: ${completeCommand(['ls'])}, now`, ['Two more words:', 'merchant-orders ls, now']],
    [
      advice`Wait, then run the same command again.${again()}`,
      ['Wait, then run the same', 'command again.', '  merchant-orders list --all'],
    ],
  ])('leaves the command whole in %j', (hint, lines) => {
    expect(at(26, 'No.', { hint }).split('\n').slice(1)).toEqual(lines);
  });

  it('leaves a word that is longer than a line whole, and a very long text as it is', () => {
    const path = `/home/${'a'.repeat(40)}.csv`;
    expect(at(30, `There is no file ${path} here.`)).toBe(`error: There is no file\n${path}\nhere.`);
    const long = 'word '.repeat(1000);
    expect(at(30, `${long}end`)).toBe(`error: ${long}end`);
  });

  it('is wrapped only where stderr is a terminal', async () => {
    const args = ['--no-color', 'get', 'nothing', '--by', 'a-word-that-is-none'];
    const whole =
      'error: The value of --by is not valid. Choose one of: id, number, external, phone.\n' +
      'Run: merchant-orders get --help\n';
    const wrapped = whole.replace('id, number', 'id,\nnumber');
    expect((await runCli(args, { width: 60 })).stderr).toBe(whole);
    expect((await runCli(args, { width: 60, answers: [] })).stderr).toBe(wrapped);
    const { stderr } = await runCli([...args, '--json'], { width: 60, answers: [] });
    expect(JSON.parse(stderr).error.message).toBe(whole.slice('error: '.length, whole.indexOf('\n')));
  });
});

it('shows every value on one line, clipped', () => {
  const value = `x\nerror: forged\u001b[31m${'y'.repeat(100_000)}`;
  const error = new CliError('order_invalid', `The order ${value.slice(0, 20)} has 1 problem.`, {
    issues: [{ path: `items[0].a\nb`, code: 'c\nd', message: 'is wrong\r\nreally', value }],
    serviceCode: 'E\n1',
    requestId: 'r\n2',
  });
  const lines = formatError(error, 'table', line).split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toBe('error: The order x error: forged has 1 problem.');
  expect(lines[1]).toMatch(/^ {2}items\[0\]\.a b "x error: forgedy{100,200}…": is wrong really \(c d\)$/);
  expect(lines[2]).toBe('  (code E 1, request r 2)');
});

it('writes hidden characters and line breaks of a command so that a shell reads them', () => {
  const words = ["it's\n\u001b[31m\u200b\\", 'plain', "it's", '👩‍🌾'];
  const line = formatCommandLine(words, { isWindows: false });
  expect(line).toBe(
    String.raw`merchant-orders $'it\'s\U0000000a\U0000001b[31m\U0000200b\\' plain 'it'\''s' $'👩\U0000200d🌾'`,
  );
  const { stdout } = spawnSync('bash', ['-c', `printf '%s\\0' ${line.slice('merchant-orders '.length)}`], {
    env: { LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
  });
  expect(stdout.split('\0').slice(0, -1)).toEqual(words);
});

describe('a command in a hint', () => {
  const shown = (hint: Text, serviceFlags: string[][] = [['--profile', 'a b']]) =>
    formatError(new CliError('usage', 'No.', { hint }), 'table', { ...line, serviceFlags }).slice(
      'error: No.\n'.length,
    );

  it.each<[Text, string]>([
    [advice`Run: ${command('get', 'x')}`, "Run: merchant-orders --profile 'a b' get x"],
    [advice`Run: ${command('profiles')}`, 'Run: merchant-orders profiles'],
    [advice`Run: ${command('login', '--profile', 'c')}`, 'Run: merchant-orders login --profile c'],
    [advice`Run: ${completeCommand(['get', 'x'])}`, 'Run: merchant-orders get x'],
    [advice`Once more.${again()}`, 'Once more.\n  merchant-orders list --all'],
    [
      advice`Once more.${again()} And again.${again()}`,
      'Once more. And again.\n  merchant-orders list --all',
    ],
    [advice`Once more, or ${command('profiles')}.${again()}`, 'Once more, or merchant-orders profiles.'],
    [
      advice`Choose.${again('--sheet', 'A 1')}${again('--sheet', 'B')}`,
      "Choose.\n  merchant-orders list --all --sheet 'A 1'\n  merchant-orders list --all --sheet B",
    ],
  ])('%j', (hint, text) => {
    expect(shown(hint)).toBe(text);
    const error = new CliError('usage', 'No.', { hint });
    const serviceFlags = [['--profile', 'a b']];
    expect(JSON.parse(formatError(error, 'json', { ...line, serviceFlags })).error.hint).toBe(text);
  });
});
