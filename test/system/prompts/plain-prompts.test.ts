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
