import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { listMessages, messagesOf } from './messages.ts';

const listUrl = new URL('messages.txt', import.meta.url);

describe('the list of everything that the program can say', () => {
  it('is the one in messages.txt, which UPDATE_SCREENS=1 writes', () => {
    const list = listMessages();
    if (process.env.UPDATE_SCREENS === '1') writeFileSync(listUrl, list);
    const how =
      'To write it: UPDATE_SCREENS=1 npx vitest run --config test/vitest.config.ts test/screens/messages.test.ts';
    expect(list, how).toBe(readFileSync(listUrl, 'utf8'));
  });

  it.each([
    ["note('Sent.');", ['Sent.']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    ["new CliError('no_key', `There is no key in ${profile.name}.`);", ['There is no key in {name}.']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    ["f(`${count} of them ${count === 1 ? 'was' : 'were'} sent`);", ['{count} of them [was|were] sent']],
    ["f('One half, ' + 'the other');", ['One half, the other']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    ['f(`The file ${name ?? quoted(`of ${a} rows`)}`);', ['The file {value}', 'of {a} rows']],
    ["import x from 'a b'; type T = 'c d'; f('SELECT a FROM b', 'sku', /e f/);", []],
    ["f({ cause: 'one two' }, 'one two'.split(' '), 'one\\0 two');", []],
    ["command.option('--all', 'everything');", ['--all', 'everything']],
    ["f('one two' as const);", ['one two']],
  ])('has of %s', (source, messages) => {
    expect(messagesOf(source)).toEqual(messages);
  });
});
