import { damages } from '../file-texts.ts';
import type { ProblemText } from '../problem.ts';

/** As Excel (in English and Russian) and LibreOffice write them. */
const spreadsheetErrors = (
  'REF! N/A VALUE! NAME? DIV/0! NUM! NULL! SPILL! CALC! FIELD! BLOCKED! CONNECT! UNKNOWN! BUSY! GETTING_DATA ' +
  'ССЫЛКА! Н/Д ЗНАЧ! ИМЯ? ДЕЛ/0! ЧИСЛО! ПУСТО! ПЕРЕНОС!'
).split(' ');
const spreadsheetError = new RegExp(
  `^(?:#(?:${spreadsheetErrors.map((name) => name.replace('?', '\\?')).join('|')}|#+)|Err:\\d{3})$`,
  'i',
);
const cyrillic = '\\p{sc=Cyrl}';
/** U+FFFD, or `?` inside a Cyrillic word or at its start; before a capital it ends a question. */
const replacedLetter = new RegExp(
  [
    '\\uFFFD',
    `${cyrillic}\\?+(?=${cyrillic})\\p{Ll}`,
    `(?<=${cyrillic})(?<=\\p{Lu})\\?+${cyrillic}`,
    `(?<![\\p{L}\\p{N}?])\\?+${cyrillic}`,
  ].join('|'),
  'u',
);
/** The text that stands for a formula in a workbook whose value is not stored. */
export const uncalculatedFormula = '#FORMULA!';
const hidden = /^(?:\s*[*•]){3,}\s*$|[*•]{5}/;
const scientific = /^[+-]?\d(?:[.,]\d+)?E[+-]\d{2,3}$/i;

const manyDigits = /^-?\d\.\d{14}E\+\d{2,3}$/;

const signs: [isDamaged: (text: string) => boolean, ProblemText][] = [
  [(text) => spreadsheetError.test(text), damages.error],
  [(text) => hidden.test(text), damages.hidden],
  [(text) => text === uncalculatedFormula, damages.formula],
  [(text) => manyDigits.test(text), damages.manyDigits],
  [(text) => scientific.test(text), damages.exponent],
  [(text) => /[?\uFFFD]/.test(text) && replacedLetter.test(text), damages.letters],
];

/** Signs that a spreadsheet, an encoding or a shop has destroyed a text. */
export function findDamage(text: string): ProblemText | undefined {
  if (!suspicious.test(text)) return undefined;
  if (misread.test(text)) return damages.encoding;
  return signs.find(([isDamaged]) => isDamaged(text))?.[1];
}

/** Whether different numbers may have become this one. */
export function hasLostDigits(damage: ProblemText | undefined): boolean {
  return damage?.code === 'number_damaged';
}

const wrongEncodings = ['windows-1251', 'windows-1252'];
const minLetters = 3;
const firstBytes = { from: 0xd0, to: 0xd3 };
const secondBytes = { from: 0x80, to: 0xbf };

const misread = new RegExp(
  wrongEncodings
    .map((encoding) => {
      const [first, second] = [charactersOf(encoding, firstBytes), charactersOf(encoding, secondBytes)];
      // A second character that is a space may have been trimmed.
      return `(?:[${first}][${second}]\\s?){${minLetters}}`;
    })
    .join('|'),
);
/** Every damaged text has one of these, and most texts have none. */
const suspicious = new RegExp(
  `[?\\uFFFD#*•${wrongEncodings.map((encoding) => charactersOf(encoding, secondBytes)).join('')}]|E[+-]\\d|^Err:`,
  'i',
);

function charactersOf(encoding: string, { from, to }: { from: number; to: number }): string {
  const bytes = Uint8Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const characters = [...new TextDecoder(encoding).decode(bytes)];
  return characters.map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}
