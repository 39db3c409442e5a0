import { expect } from 'vitest';
import { plainText, type Text } from '../../src/advice/advice.ts';

/** A hint, a fix or a warning as text; the command of `again` is not part of it. */
export function textOf(advice: Text | undefined): string {
  return plainText(advice ?? '', { isWindows: false });
}

/** For `toMatchObject` and its like: a hint with this text. */
export function asText(expected: string | RegExp): Text {
  return expect.toSatisfy((hint: Text | undefined) =>
    typeof expected === 'string' ? textOf(hint) === expected : expected.test(textOf(hint)),
  );
}
