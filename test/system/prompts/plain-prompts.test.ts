import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { PromptLeft } from '../../../src/errors.ts';
import { createPlainPrompts } from '../../../src/system/prompts/plain-prompts.ts';
import type { Prompts } from '../../../src/system/prompts/prompts.ts';

/** Answers with these lines, each as soon as something is asked. Returns the answer and all that was written. */
async function answer<Answer>(lines: string[], question: (prompts: Prompts) => Promise<Answer>) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let written = '';
  const remaining = [...lines];
  output.on('data', (chunk: Buffer) => {
    written += String(chunk);
    if (!/[:?] $/.test(written)) return;
    const line = remaining.shift();
    setImmediate(() => (line === undefined ? input.end() : input.write(line)));
  });
  const answered = await question(createPlainPrompts(input, output));
  return { answered, written };
}

describe('for screen readers', () => {
  it('a text is typed, and asked for again until it is right', async () => {
    const check = (text: string) => (text === '25000' ? undefined : 'Write digits.');
    const { answered, written } = await answer(['many\n', ' 25000 \n'], (prompts) =>
      prompts.text({ message: 'Total', check }),
    );
    expect([answered, written]).toEqual(['25000', 'Total: Write digits.\nTotal: ']);
  });

  it('Enter takes what is proposed', async () => {
    const { answered, written } = await answer(['\n'], (prompts) =>
      prompts.text({ message: 'Your own order ID', preset: 'UB-1' }),
    );
    expect([answered, written]).toEqual(['UB-1', 'Your own order ID (Enter takes UB-1): ']);
  });

  it.each([
    ['y\n', false, true],
    ['YES\n', false, true],
    ['no\n', true, false],
    ['тийм\n', false, true],
    ['үгүй\n', true, false],
    ['\n', false, false],
    ['\n', true, true],
  ])('a confirmation is typed: %j with the preset %s', async (line, preset, confirmed) => {
    const { answered, written } = await answer(['у\n', line], (prompts) =>
      prompts.confirm('Create it?', preset),
    );
    const question = `Create it? Type y or n (Enter takes ${preset ? 'y' : 'n'}): `;
    expect([answered, written]).toEqual([confirmed, `${question}Please answer yes or no.\n${question}`]);
  });

  it.each([
    [['0\n', '3\n', 'two\n', '2\n'], 'b'],
    [['\n'], 'a'],
  ])('choices are numbered: %j', async (lines, chosen) => {
    const choices = [
      { value: 'a', name: 'Notes' },
      { value: 'b', name: 'Orders', description: 'the second\nsheet' },
    ] as const;
    const { answered, written } = await answer(lines, (prompts) =>
      prompts.choose('Which sheet?', choices, 'a'),
    );
    expect(answered).toBe(chosen);
    const asked = 'Type a number from 1 to 2 (Enter takes 1): ';
    const again = `Please type a number from 1 to 2.\n${asked}`.repeat(lines.length - 1);
    expect(written).toBe(`Which sheet?\n1. Notes\n2. Orders\n   the second\n   sheet\n${asked}${again}`);
  });

  it('at least one number is typed where one is needed', async () => {
    const choices = [{ value: 'a', name: 'Street', isTicked: false }];
    const { answered } = await answer(['\n', 'none\n', '1\n'], (prompts) =>
      prompts.chooseSeveral('Which?', choices, true),
    );
    expect(answered).toEqual(['a']);
  });

  it('nothing of a secret is shown', async () => {
    const { answered, written } = await answer(['mk_live_1\r'], (prompts) =>
      prompts.secret({ message: 'API key' }),
    );
    expect([answered, written]).toEqual(['mk_live_1', 'API key (not shown while you type): \n']);
  });

  it.each([['the end of the input'], ['Ctrl-C, which destroys it']])('is left by %s', async (way) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const left = createPlainPrompts(input, output).confirm('Create it?');
    if (way.startsWith('the end')) input.end();
    else input.destroy(new Error('aborted'));
    await expect(left).rejects.toThrow(PromptLeft);
    expect(String(output.read())).toBe('Create it? Type y or n (Enter takes n): \n');
  });

  it('Ctrl-C leaves a secret', async () => {
    await expect(answer(['mk\u0003'], (prompts) => prompts.secret({ message: 'API key' }))).rejects.toThrow(
      PromptLeft,
    );
  });
});
