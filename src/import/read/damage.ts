import { t } from '../../advice/advice.ts';
import type { Problem } from '../problem.ts';

type Damage = Pick<Problem, 'code' | 'reason' | 'problem' | 'fix'>;

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

export const fromExport = t`take it from the original export, or import that column into the spreadsheet as text`;

const manyDigits = /^-?\d\.\d{14}E\+\d{2,3}$/;

const damages: [isDamaged: (text: string) => boolean, Damage][] = [
  [
    (text) => spreadsheetError.test(text),
    {
      code: 'value_lost',
      reason: 'error',
      problem: t`a spreadsheet replaced the value by an error`,
      fix: t`fix the formula, or take the value from the original export`,
    },
  ],
  [
    (text) => hidden.test(text),
    {
      code: 'value_lost',
      reason: 'hidden',
      problem: t`the shop hides this value`,
      fix: t`export the orders again while the shop still shows the value, or type it in`,
    },
  ],
  [
    (text) => text === uncalculatedFormula,
    {
      code: 'value_lost',
      reason: 'formula',
      problem: t`the workbook has a formula here, but not its value`,
      fix: t`open the workbook in a spreadsheet program and save it there, or write the value into the cell`,
    },
  ],
  [
    (text) => manyDigits.test(text),
    {
      code: 'number_damaged',
      reason: 'digits',
      problem: t`a number of more than 15 digits; a spreadsheet keeps only 15 of them`,
      fix: fromExport,
    },
  ],
  [
    (text) => scientific.test(text),
    {
      code: 'number_damaged',
      problem: t`a spreadsheet replaced this number; its last digits are gone`,
      fix: fromExport,
    },
  ],
  [
    (text) => /[?\uFFFD]/.test(text) && replacedLetter.test(text),
    {
      code: 'text_damaged',
      problem: t`letters were lost when the file was saved: older encodings have no Ө and Ү`,
      fix: t`save the original again as "CSV UTF-8"`,
    },
  ],
];

const misreadDamage: Damage = {
  code: 'text_damaged',
  problem: t`the file was opened with the wrong encoding and saved again`,
  fix: t`open the original as UTF-8 (Data, From Text/CSV) and save it as "CSV UTF-8"`,
};

/** Signs that a spreadsheet, an encoding or a shop has destroyed a text. */
export function findDamage(text: string): Damage | undefined {
  if (!suspicious.test(text)) return undefined;
  if (misread.test(text)) return misreadDamage;
  return damages.find(([isDamaged]) => isDamaged(text))?.[1];
}

/** Whether different numbers may have become this one. */
export function hasLostDigits(damage: Damage | undefined): boolean {
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
