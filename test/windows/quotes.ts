import fc from 'fast-check';
import { formatCommandLine } from '../../src/advice/command-line.ts';
import { cleanCell } from '../../src/clean-text.ts';
import '../support/fast-check.ts';
import { words } from '../advice/words.ts';

/** cmd and PowerShell would act on these within double quotes, or read a mark as a quote. */
const harm = /["“”„%!$`]|\\$/;
const isHarmful = (word: string) => word === '' || harm.test(word) || cleanCell(word) !== word;

const wordsAtOnce = 20;
/** cmd takes 8,191 characters. */
const maxLength = 4000;

/** Command lines for Windows, and the arguments that a program must get by each: a value is whole, or left out. */
export function drawCommandLines(count: number): { line: string; expected: string[] }[] {
  return fc
    .sample(fc.array(words, { minLength: 1, maxLength: wordsAtOnce }), count)
    .map((values) => ({
      line: formatCommandLine(
        values.flatMap((value) => ['--set', value]),
        { isWindows: true },
      ),
      expected: values.flatMap((value) => (isHarmful(value) ? ['--set='] : ['--set', value])),
    }))
    .filter(({ line }) => line.length < maxLength);
}
