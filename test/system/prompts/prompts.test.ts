import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createSay, type Say } from '../../../src/advice/advice.ts';
import { PromptLeft } from '../../../src/errors.ts';
import { createPlainPrompts } from '../../../src/system/prompts/plain-prompts.ts';
import { createPrompts, type Prompts } from '../../../src/system/prompts/prompts.ts';

/** Which Inquirer cannot end, as it cannot end stderr. */
function createScreen() {
  return Object.assign(new PassThrough(), { columns: 80, end: () => {} });
}

/** Types the next text of the script each time its prompt has been drawn. */
function atTerminal(...script: [drawn: string | RegExp, typed: string][]) {
  return atTerminalOf({}, ...script);
}

function atTerminalOf(
  { columns = 80, say }: { columns?: number; say?: Say },
  ...script: [drawn: string | RegExp, typed: string][]
) {
  const [input, output] = [new PassThrough(), Object.assign(createScreen(), { columns })];
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
  return { prompts: createPrompts(input, output, left.signal, say), left, screen: () => chunks.join('') };
}

describe('text', () => {
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
});

describe('choose', () => {
  it('returns the value of the choice', async () => {
    const choices = [
      { value: 'NONE', name: 'prepaid' },
      { value: 'COLLECT', name: 'the courier collects' },
    ] as const;
    const { prompts, screen } = atTerminal(['How is it paid?', '\u001b[B\r']);
    expect(await prompts.choose('How is it paid?', choices)).toBe('COLLECT');
    expect(screen()).toContain('the courier collects');
  });

  it('takes nothing by Enter alone where nothing is proven', async () => {
    const choices = [{ value: 'Total', name: 'Total' }];
    const { prompts, screen } = atTerminal(['please choose', '\r'], ['please choose', '\u001b[B\r']);
    expect(await prompts.choose('Which amount?', choices, null)).toBe('Total');
    expect(stripVTControlCharacters(screen()).replace(/\s+/g, ' ')).toContain(
      'Enter alone chooses none of these. Choose one with the arrow keys.',
    );
  });
});

describe('a line of 80 columns', () => {
  const lines = (screen: string) => stripVTControlCharacters(screen).split(/\r?\n/);
  const words = (length: number) => 'word '.repeat(length / 5).slice(0, length - 1);

  it('keeps a question that just fits it, and a choice', async () => {
    const { prompts, screen } = atTerminal(['word', '\r']);
    const choices = [{ value: 'a', name: `${words(75)} ab` }];
    expect(await prompts.choose(`${words(75)} ?`, choices)).toBe('a');
    expect(lines(screen())).toContain(`? ${words(75)} ?`);
    expect(lines(screen())).toContain(`❯ ${words(75)} ab`);
    expect(lines(screen())[1]).not.toBe('');
  });

  it('has room for half as many Chinese characters', async () => {
    const { prompts, screen } = atTerminal(['字', '\r']);
    await prompts.confirm('字字字字 '.repeat(9).trim());
    expect(lines(screen())).toContain(`? ${'字字字字 '.repeat(8).trim()}`);
  });

  it('takes the last word with the answer to the next', async () => {
    const { prompts, screen } = atTerminal(['word', '\r']);
    await prompts.confirm(words(75));
    expect(lines(screen())).toContain(`? ${words(70)}`);
    expect(screen()).toContain('\nword (y/N)');
  });
});

describe('chooseSeveral', () => {
  it('asks for at least one where none is proven', async () => {
    const choices = [{ value: 'Street', name: 'Street', isTicked: false }];
    const { prompts } = atTerminal(['Which?', '\r'], ['Tick at least one', ' \r']);
    expect(await prompts.chooseSeveral('Which?', choices, true)).toEqual(['Street']);
  });

  it('names its keys in the language of the terminal', async () => {
    const say = createSay(
      { isWindows: false },
      { code: 'mn', sentences: { space: 'зай', select: 'сонгох' } },
    );
    const { prompts, screen } = atTerminalOf({ say }, ['Which?', '\r']);
    await prompts.chooseSeveral('Which?', [{ value: 'a', name: 'a', isTicked: true }]);
    expect(stripVTControlCharacters(screen())).toContain(' • зай сонгох • ');
  });
});

describe('what is pasted', () => {
  const paste = (text: string) => `\u001b[200~${text}\u001b[201~`;

  it('answers one question with its first line, and shows the others', async () => {
    const { prompts, screen } = atTerminal(
      ['Phone', paste('\n9911\t2233\r\u001b[31mБЗД, 3-р хороо\r\nTEA-001 2ш\n')],
      ['9911 2233', '\r'],
      ['Item', `COF${paste('-001')} x 2\r`],
    );
    expect(await prompts.text({ message: 'Phone' })).toBe('9911 2233');
    expect(screen()).toContain('These were not used:\n  БЗД, 3-р хороо\n  TEA-001 2ш\n');
    expect(await prompts.text({ message: 'Item' })).toBe('COF-001 x 2');
  });

  it('is said to be left without breaking a word', async () => {
    const { prompts, screen } = atTerminalOf(
      { columns: 40 },
      ['Phone', paste('99112233\nБЗД')],
      ['99112233', '\r'],
    );
    await prompts.text({ message: 'Phone' });
    expect(screen()).toContain(
      'Only the first line of what was\npasted is the answer. These were not\nused:\n',
    );
  });

  it('is not shown where it is a secret', async () => {
    const { prompts, screen } = atTerminal(['API key', paste('mk_live_1\rmk_live_2')], [/\*{9}/, '\r']);
    expect(await prompts.secret({ message: 'API key' })).toBe('mk_live_1');
    expect(screen()).not.toContain('mk_');
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
    return create(input, createScreen());
  }
  const drawn = (input: PassThrough, output: PassThrough) =>
    createPrompts(input, output, new AbortController().signal);
  const plain = (input: PassThrough, output: PassThrough) => createPlainPrompts(input, output);

  it.each([
    ['in one piece', drawn, ['UB-1\rӨ\r25000\r\ny\rlast\r']],
    ['in pieces', drawn, ['UB', '-1\r', 'Ө\r2500', '0\r\ny', '\r', 'last\r']],
    ['pasted in pieces', drawn, ['UB\u001b[200~-1\rn', 'o\u001b[201~\r', 'Ө\r25000\ry\rlast\r']],
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
