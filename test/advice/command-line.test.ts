import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCommandLine } from '../../src/advice/command-line.ts';
import { cleanCell } from '../../src/clean-text.ts';
import '../support/fast-check.ts';
import { words } from './words.ts';

function argumentsIn(shell: string, line: string): string[] {
  const script = line.replace('merchant-orders', "printf '%s\\0'");
  const { stdout } = spawnSync(shell, ['-c', script], { env: { LC_ALL: 'C.UTF-8' }, encoding: 'utf8' });
  return stdout.split('\0').slice(0, -1);
}

describe('a printed command', () => {
  it.each([
    ['sh', words.filter((word) => cleanCell(word) === word)],
    // Only its $'...' holds line breaks and hidden characters.
    ['bash', words],
  ])('gives %s the words that it was made of', (shell, each) => {
    fc.assert(
      fc.property(fc.array(each, { minLength: 1, maxLength: 100 }), (all) => {
        expect(argumentsIn(shell, formatCommandLine(all, { isWindows: false }))).toEqual(all);
      }),
      { numRuns: 50 },
    );
  });
});
