const readAs = ['windows-1251', 'windows-1252'];
const fewest = 3;

/**
 * UTF-8 that a program took for another encoding and saved again: `Дархан` as `Ð”Ð°Ñ€Ñ…Ð°Ð½`. Each letter of
 * Cyrillic has become two, of which the first is one of a few and the second no letter that could follow it so often.
 */
const misread = new RegExp(
  readAs
    .map((encoding) => {
      const first = classOf(encoding, 0xd0, 0xd3);
      const second = classOf(encoding, 0x80, 0xbf);
      // Spaces at the end of a letter may have been lost.
      return `(?:${first}${second}\\s?){${fewest}}`;
    })
    .join('|'),
);

export function isMisread(text: string): boolean {
  return misread.test(text);
}

/** The characters that an encoding has for these bytes. */
function classOf(encoding: string, from: number, to: number): string {
  const bytes = Uint8Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const characters = [...new TextDecoder(encoding).decode(bytes)];
  return `[${characters.map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}]`;
}
