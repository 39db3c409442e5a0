import { t } from '../../advice/advice.ts';
import { groupThousands, isDecimal } from '../../orders/decimal.ts';
import { moneyFormat } from '../../orders/issue.ts';
import { type DecimalMark, decimalMarks } from '../choices.ts';
import type { Problem } from '../problem.ts';

const tugrik = /^(?:₮|MNT|төг(?:рөг)?\.?)\s*|(?<!\s)\s*(?:₮|MNT|төг(?:рөг)?\.?)$/giu;
const shapes: Record<DecimalMark | 'plain', RegExp> = {
  // Three decimals may be thousands, but not after a zero.
  plain:
    /^(?<whole>\d+|\d{1,3}(?:(['’ \u00a0\u202f])\d{3})(?:\2\d{3})*)(?:\.(?<fraction>\d{1,2}|\d{2}0{2,}|(?<=^0\.)000))?$/,
  dot: /^(?<whole>\d+|\d{1,3}(?:([,'’ \u00a0\u202f])\d{3})(?:\2\d{3})*)(?:\.(?<fraction>\d{1,2}|\d{2}0+))?$/,
  comma: /^(?<whole>\d+|\d{1,3}(?:([.'’ \u00a0\u202f])\d{3})(?:\2\d{3})*)(?:,(?<fraction>\d{1,2}|\d{2}0+))?$/,
};

/** Returns a decimal string; undefined for a text that is not written in this style. */
export function readMoney(text: string, mark?: DecimalMark): string | undefined {
  if (mark !== 'comma' && isDecimal(text)) return text;
  const { whole, fraction } = shapes[mark ?? 'plain'].exec(withoutTugrik(text))?.groups ?? {};
  if (whole === undefined) return undefined;
  const digits = whole.replace(/\D/g, '');
  const amount = fraction === undefined ? digits : `${digits}.${fraction.padEnd(2, '0').slice(0, 2)}`;
  return isDecimal(amount) ? amount : undefined;
}

/** What is wrong with a text that is not in the service's format, when more can be said. */
export function checkMoneyText(
  text: string,
  mark: DecimalMark | undefined,
): Pick<Problem, 'code' | 'problem' | 'fix'> | undefined {
  if (isDecimal(text)) return undefined;
  if (namesOtherCurrency(text)) {
    return {
      code: 'currency_not_mnt',
      problem: t`is not in MNT`,
      fix: t`give the amount in MNT, in digits: 25000; the service takes every amount as MNT`,
    };
  }
  const isAmbiguous = mark === undefined && ambiguousMark(text) !== undefined;
  if (!isAmbiguous || readings(text).length === 0) return undefined;
  return {
    code: 'decimal_ambiguous',
    problem: t`has exactly three digits after the dot or comma, which may be thousands or decimals`,
    fix: moneyFormat,
  };
}

/** The amounts that a text may stand for: `45.000` → `45.00` and `45000`. */
export function readings(text: string): string[] {
  return decimalMarks.flatMap((mark) => readMoney(text, mark) ?? []);
}

/** `45.000` → `45.000 ₮ is 45 with dot, 45,000 with comma`. */
export function describeReadings(text: string): string {
  const described = decimalMarks.flatMap((mark) => {
    const amount = readMoney(text, mark);
    if (amount === undefined) return [];
    const [whole = '', fraction] = amount.replace(/\.00$/, '').split('.');
    const grouped = groupThousands(whole);
    return [`${fraction === undefined ? grouped : `${grouped}.${fraction}`} with ${mark}`];
  });
  return `${withoutTugrik(text)} ₮ is ${described.join(', ')}`;
}

/** The dot or comma before the last three digits, when it may separate thousands or decimals. */
function ambiguousMark(text: string): string | undefined {
  return /^\d+([.,])\d{3}$/.exec(withoutTugrik(text))?.[1];
}

const maxRemembered = 1000;
const maxRememberedLength = 40;

/** Whether the cells of a column cannot all have one style, although each may have it. */
export function createContradictionFinder() {
  const ambiguous = new Set<string>();
  const decimal = new Set<string>();
  // Amounts repeat, and the same text again changes nothing.
  const added = new Set<string>();
  return {
    add: (text: string): void => {
      if (added.has(text)) return;
      if (added.size < maxRemembered && text.length <= maxRememberedLength) added.add(text);
      const mark = ambiguousMark(text);
      if (mark !== undefined) ambiguous.add(mark);
      const [, point] = /([.,])\d{1,2}$/.exec(withoutTugrik(text)) ?? [];
      if (point !== undefined) decimal.add(point);
    },
    isFound: () => ambiguous.size > 1 || [...ambiguous].some((mark) => decimal.has(mark)),
  };
}

function withoutTugrik(text: string): string {
  return text.replace(tugrik, '');
}

const otherNames =
  'RMB US DOLLAR DOLLARS EURO EUROS YUAN WON YEN TL ZŁ РС ТГ ТЕНГЕ ДОЛЛАР ЕВРО РУБ РУБЛЬ РУБЛЕЙ ЮАНЬ ВОН ИЕН'.split(
    ' ',
  );

const usualNames = new Set([...'USD EUR RUB CNY KZT KRW JPY GBP TRY PLN BRL INR'.split(' '), ...otherNames]);

/** In a header only the last word can be a currency, and `Total (all)` is no amount in lek. */
export function namesOtherCurrency(text: string, where: 'cell' | 'header' = 'cell'): boolean {
  if (/(?!₮)\p{Sc}/u.test(text)) return true;
  const words = text.toUpperCase().match(/\p{L}+/gu);
  if (words === null) return false;
  if (where === 'header') return usualNames.has(words.at(-1) ?? '');
  const names = new Set([...Intl.supportedValuesOf('currency'), ...otherNames]);
  return words.some((word) => word !== 'MNT' && names.has(word));
}
