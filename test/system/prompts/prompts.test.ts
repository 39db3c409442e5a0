import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { PromptLeft } from '../../../src/errors.ts';
import { createPlainPrompts } from '../../../src/system/prompts/plain-prompts.ts';
import { createPrompts, type Prompts } from '../../../src/system/prompts/prompts.ts';

/** Types the next text of the script each time its prompt has been drawn. */
function atTerminal(...script: [drawn: string | RegExp, typed: string][]) {
  const [input, output] = [new PassThrough(), Object.assign(new PassThrough(), { columns: 80 })];
  const left = new AbortController();
  const remaining = [...script];
  let drawn = '';
  output.on('data', (chunk: Buffer) => {
    drawn += String(chunk);
    const next = remaining[0];
    if (next === undefined || drawn.search(next[0]) < 0) return;
    remaining.shift();
    drawn = '';
    setImmediate(() => input.write(next[1]));
  });
  const chunks: string[] = [];
  output.on('data', (chunk: Buffer) => chunks.push(String(chunk)));
  return { prompts: createPrompts(input, output, left.signal), left, screen: () => chunks.join('') };
}

describe('text', () => {
  it('is trimmed, and drawn on the given output', async () => {
    const { prompts, screen } = atTerminal(['Phone of the customer', ' 99112233 Ө \r']);
    expect(await prompts.text({ message: 'Phone of the customer' })).toBe('99112233 Ө');
    expect(screen()).toContain('99112233');
  });

  it('is the preset when nothing is typed', async () => {
    const { prompts } = atTerminal([/UB-1/, '\r']);
    expect(await prompts.text({ message: 'Own id', preset: 'UB-1' })).toBe('UB-1');
  });

  it('is asked again until it is valid', async () => {
    const checked: string[] = [];
    const check = (answer: string) => {
      checked.push(answer);
      return answer === '25000' ? undefined : 'write digits';
    };
    const { prompts, screen } = atTerminal(['Total', 'many \r'], ['write digits', '\u001525000\r']);
    expect(await prompts.text({ message: 'Total', check })).toBe('25000');
    expect(checked).toEqual(['many', '25000']);
    expect(screen()).toContain('write digits');
  });
});

describe('a secret', () => {
  it('is never drawn', async () => {
    const { prompts, screen } = atTerminal(['API key', ' mk_live_1 \r']);
    expect(await prompts.secret({ message: 'API key' })).toBe('mk_live_1');
    expect(screen()).toContain('***');
    expect(screen()).not.toContain('mk_');
  });
});

describe('confirm', () => {
  it.each([
    ['y\r', undefined, true],
    ['n\r', undefined, false],
    ['\r', undefined, false],
    ['\r', true, true],
    ['n\r', true, false],
    ['тийм\r', undefined, true],
    ['үгүй\r', true, false],
    // Tab shows what Enter takes.
    ['\t\r', true, true],
    ['\t\r', false, false],
    ['у\r\u0015т\r', false, true],
  ])('returns for %j with the default %s: %s', async (typed, preset, expected) => {
    const { prompts } = atTerminal(['Send it?', typed]);
    expect(await prompts.confirm('Send it?', preset)).toBe(expected);
  });

  it('shows the choice, what is wrong, and what was understood', async () => {
    const { prompts, screen } = atTerminal(['(y/N)', 'цуца\r'], ['answer yes or no', 'цуцал\r']);
    expect(await prompts.confirm('Cancel it?', false, 'cancel')).toBe(true);
    expect(stripVTControlCharacters(screen())).toMatch(/Cancel it\? Yes\s*$/);
  });
});

describe('what is wrong', () => {
  it('is wrapped between words, and gone once Enter alone answers', async () => {
    const problem = `Write ${'a day that exists, '.repeat(8)}or nothing.`;
    const check = (answer: string) => (answer === 'many' ? problem : undefined);
    const { prompts, screen } = atTerminal(['Day', 'many\r'], [/nothing\./, '\u0015\r']);
    await prompts.text({ message: 'Day', check });
    const lines = stripVTControlCharacters(screen()).split('\n');
    const words = lines.filter((line) => line.includes('a day')).flatMap((line) => line.trim().split(' '));
    expect([...new Set(words)].sort()).toEqual(['>', 'Write', 'a', 'day', 'exists,', 'that']);
  });

  it('is gone when Enter takes the preset after it', async () => {
    const { prompts, screen } = atTerminal(['(y/N)', 'x\r'], ['answer yes or no', '\r']);
    expect(await prompts.confirm('Send it?')).toBe(false);
    const last = screen().slice(screen().lastIndexOf('Send it?'));
    expect(stripVTControlCharacters(last).trim()).toBe('Send it? No');
  });
});

describe('choose', () => {
  it('wraps long choices between words, and shows the chosen one', async () => {
    const name = `skip ${'all orders of that customer, '.repeat(4)}today`;
    const { prompts, screen } = atTerminal(['Which?', '\r']);
    await prompts.choose('Which?', [{ value: 'a', name }]);
    const [drawn = ''] = stripVTControlCharacters(screen()).split('Which? skip');
    expect(drawn.match(/\S+/g)).toEqual(expect.arrayContaining(['customer,', 'today']));
    expect(drawn.split('\n').slice(1, 3).join(' ').match(/\S+/g)?.slice(1)).toEqual(name.split(' '));
    const chosen = stripVTControlCharacters(screen()).slice(drawn.length).split('\n');
    expect(chosen.flatMap((line) => line.trim().split(' ')).slice(1, 21)).toEqual(
      name.split(' ').slice(0, 20),
    );
  });

  it('returns the value of the choice', async () => {
    const choices = [
      { value: 'NONE', name: 'prepaid' },
      { value: 'COLLECT', name: 'the courier collects' },
    ] as const;
    const { prompts, screen } = atTerminal(['How is it paid?', '\u001b[B\r']);
    expect(await prompts.choose('How is it paid?', choices)).toBe('COLLECT');
    expect(screen()).toContain('the courier collects');
  });
});

describe('Ctrl-C', () => {
  it('between two questions ends the one that is open, and the next', async () => {
    const { prompts, left } = atTerminal();
    const open = prompts.text({ message: 'Question' });
    setImmediate(() => left.abort());
    await expect(open).rejects.toBeInstanceOf(PromptLeft);
    await expect(prompts.text({ message: 'Next' })).rejects.toBeInstanceOf(PromptLeft);
  });

  it.each<[string, (prompts: Prompts) => Promise<unknown>]>([
    ['text', (prompts) => prompts.text({ message: 'Question' })],
    ['a secret', (prompts) => prompts.secret({ message: 'Question' })],
    ['confirm', (prompts) => prompts.confirm('Question')],
    ['choose', (prompts) => prompts.choose('Question', [{ value: 'a', name: 'a' }])],
  ])('ends %s', async (_name, ask) => {
    const { prompts } = atTerminal(['Question', '\u0003']);
    await expect(ask(prompts)).rejects.toBeInstanceOf(PromptLeft);
  });
});

describe('what is typed before its question', () => {
  /** A terminal that has all of this typed already, in these chunks. */
  function typedAhead(create: (input: PassThrough, output: PassThrough) => Prompts, ...chunks: string[]) {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
    for (const chunk of chunks) input.write(chunk);
    return create(input, new PassThrough());
  }
  const drawn = (input: PassThrough, output: PassThrough) =>
    createPrompts(input, output, new AbortController().signal);
  const plain = (input: PassThrough, output: PassThrough) => createPlainPrompts(input, output);

  it.each([
    ['in one piece', drawn, ['UB-1\rӨ\r25000\r\ny\rlast\r']],
    ['in pieces', drawn, ['UB', '-1\r', 'Ө\r2500', '0\r\ny', '\r', 'last\r']],
    ['for screen readers', plain, ['UB-1\nӨ\n25000\r\ny\nlast\n']],
  ])('answers it: %s', async (_, create, chunks) => {
    const prompts = typedAhead(create, ...chunks);
    const answers = [
      await prompts.text({ message: 'Own id' }),
      await prompts.secret({ message: 'API key' }),
      await prompts.text({ message: 'Total', check: (text) => (text === '25000' ? undefined : 'no') }),
      await prompts.confirm('Send it?'),
    ];
    // Long after the question before it.
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([...answers, await prompts.text({ message: 'Note' })]).toEqual([
      'UB-1',
      'Ө',
      '25000',
      true,
      'last',
    ]);
  });

  it('is added to an answer that was wrong', async () => {
    const prompts = typedAhead(drawn, '2500\r0\r', 'next\r');
    const check = (text: string) => (text === '25000' ? undefined : 'Write 25000.');
    expect(await prompts.text({ message: 'Total', check })).toBe('25000');
    expect(await prompts.text({ message: 'Note' })).toBe('next');
  });

  it('does not delay Ctrl-C', async () => {
    const prompts = typedAhead(drawn, 'UB-1\ryes\r\u0003');
    await expect(prompts.text({ message: 'Own id' })).rejects.toThrow(PromptLeft);
  });
});

it.each([
  [60, 'Product code (SKU) of item 2 (press Enter when there are\nno more)'],
  [40, 'Product code (SKU) of item 2 (press\nEnter when there are no more)'],
])('a question that is longer than %i columns is broken between words', async (columns, lines) => {
  const [input, output] = [new PassThrough(), Object.assign(new PassThrough(), { columns })];
  const prompts = createPrompts(input, output, new AbortController().signal);
  input.write('TEA-1\r');
  const message = 'Product code (SKU) of item 2 (press Enter when there are no more)';
  expect(await prompts.text({ message })).toBe('TEA-1');
  expect(stripVTControlCharacters(String(output.read()))).toContain(`? ${lines}`);
});

it('a question with colours is as long as what is seen of it', async () => {
  const [input, output] = [new PassThrough(), Object.assign(new PassThrough(), { columns: 60 })];
  input.write('y\r');
  const prompts = createPrompts(input, output, new AbortController().signal);
  await prompts.confirm('\u001b[31m\u001b[1mLIVE\u001b[22m\u001b[39m: create 2 orders, collect 75,000 ₮?');
  expect(stripVTControlCharacters(String(output.read()))).toContain('collect 75,000 ₮? (y/N)');
});

it('a question with lines of its own keeps them', async () => {
  const [input, output] = [new PassThrough(), Object.assign(new PassThrough(), { columns: 30 })];
  input.write('y\r');
  const prompts = createPrompts(input, output, new AbortController().signal);
  expect(await prompts.confirm('8 rows of the sheet\n  are hidden. Read them?')).toBe(true);
  expect(stripVTControlCharacters(String(output.read()))).toContain('sheet\n  are hidden. Read');
});
