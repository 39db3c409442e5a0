import { expect } from 'vitest';

/** Files share this process, and testers are never taken away. */
const shared = globalThis as { knowsSentences?: boolean };

/** A sentence of both languages equals its English text. */
if (!shared.knowsSentences) {
  shared.knowsSentences = true;
  expect.addEqualityTesters([
    (one: unknown, other: unknown) => {
      const [sentence, text] = typeof one === 'string' ? [other, one] : [one, other];
      const isPair = typeof text === 'string' && isSentence(sentence);
      return isPair ? String(sentence) === text : undefined;
    },
  ]);
}

/** Each test file has a class of its own. */
function isSentence(value: unknown): boolean {
  return typeof value === 'object' && value?.constructor.name === 'Sentence';
}
