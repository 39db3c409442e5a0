import { expect } from 'vitest';
import { type Advice, plainText } from '../../src/advice/advice.ts';

/** A hint, a fix or a warning as text; the command of `again` is not part of it. */
export function textOf(advice: Advice | undefined): string {
  return plainText(advice ?? '', { isWindows: false });
}

/** For `toMatchObject` and its like: a hint with this text. */
export function asText(expected: string | RegExp): Advice {
  return expect.toSatisfy((hint: Advice | undefined) =>
    typeof expected === 'string' ? textOf(hint) === expected : expected.test(textOf(hint)),
  );
}
