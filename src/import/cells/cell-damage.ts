import type { ProblemCode } from '../problem.ts';

interface Damage {
  code: ProblemCode;
  problem: string;
  fix: string;
}

const suspicious = /[?\uFFFD#*•]|E[+-]\d|^Err:/i;
/** As Excel writes them in English and in Russian, and LibreOffice. */
const spreadsheetErrors = [
  ...['REF!', 'N/A', 'VALUE!', 'NAME?', 'DIV/0!', 'NUM!', 'NULL!', 'SPILL!', 'CALC!', 'FIELD!', 'BLOCKED!'],
  ...['CONNECT!', 'UNKNOWN!', 'BUSY!', 'GETTING_DATA'],
  ...['ССЫЛКА!', 'Н/Д', 'ЗНАЧ!', 'ИМЯ?', 'ДЕЛ/0!', 'ЧИСЛО!', 'ПУСТО!', 'ПЕРЕНОС!'],
];
const spreadsheetError = new RegExp(
  `^(?:#(?:${spreadsheetErrors.map((name) => name.replace('?', '\\?')).join('|')}|#+)|Err:\\d{3})$`,
  'i',
);
const cyrillic = '\\p{sc=Cyrl}';
/** Inside a word or at its start; a capital after a small letter begins the sentence after a question. */
const replacedLetter = new RegExp(
  [
    '\\uFFFD',
    `${cyrillic}\\?+(?=${cyrillic})\\p{Ll}`,
    `(?<=${cyrillic})(?<=\\p{Lu})\\?+${cyrillic}`,
    `(?<![\\p{L}\\p{N}?])\\?+${cyrillic}`,
  ].join('|'),
  'u',
);
const hidden = /^(?:\s*[*•]){3,}\s*$|[*•]{5}/;
const scientific = /^[+-]?\d(?:[.,]\d+)?E[+-]\d{2,3}$/i;

const fromExport = 'take it from the original export, or import that column into the spreadsheet as text';

const damages: [isDamaged: (text: string) => boolean, Damage][] = [
  [
    (text) => spreadsheetError.test(text),
    {
      code: 'spreadsheet_error',
      problem: 'a spreadsheet put its error in place of the value',
      fix: 'mend the formula, or take the value from the original export',
    },
  ],
  [
    (text) => hidden.test(text),
    {
      code: 'value_hidden',
      problem: 'the shop has hidden this value',
      fix: 'export the orders again while the shop still shows it, or type it in',
    },
  ],
  [
    (text) => scientific.test(text),
    {
      code: 'number_damaged',
      problem: 'a spreadsheet replaced this number; its last digits are gone',
      fix: fromExport,
    },
  ],
  [
    (text) => replacedLetter.test(text),
    {
      code: 'text_damaged',
      problem: 'letters were replaced when it was saved: an older encoding has no Ө and Ү',
      fix: 'save the original again as "CSV UTF-8"',
    },
  ],
];

const misreadDamage: Damage = {
  code: 'text_damaged',
  problem: 'it was opened in the wrong encoding and saved so',
  fix: 'open the original as UTF-8 (Data, From Text/CSV) and save it as "CSV UTF-8"',
};

/** What a spreadsheet, an encoding or a shop has done to a text; undefined when nothing shows. */
export function damageOf(text: string): Damage | undefined {
  if (isMisread(text)) return misreadDamage;
  if (!suspicious.test(text)) return undefined;
  return damages.find(([isDamaged]) => isDamaged(text))?.[1];
}

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
