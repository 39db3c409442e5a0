import { t } from '../../advice/advice.ts';
import { groupThousands, isDecimal, toHundredths } from '../../orders/decimal.ts';
import { normaliseWords, wordsOf } from '../../words/phrases.ts';
import { type DecimalMark, decimalMarks } from '../choices.ts';
import type { Problem } from '../problem.ts';
import words from './amount-words.json' with { type: 'json' };

const space = "['’ \\u00a0\\u2009\\u202f]";
const written = new RegExp(
  `^(?:₮|MNT|төг(?:рөг)?\\.?)?\\s*(\\d(?:[\\d.,]|${space})*)((?:[\\p{L}₮][\\p{L}\\s.₮]*)?)$`,
  'iu',
);
const grouped = `[1-9]\\d{0,2}(?<group>[.,]|${space})\\d{3}(?:\\k<group>\\d{3})*`;
const numberShape = new RegExp(`^(?<whole>\\d+|${grouped})(?:(?<mark>[.,])(?<fraction>\\d+))?$`);
const zeros = { thousand: 3, million: 6, tugrik: 0 };
const unitOf = wordsOf<keyof typeof zeros>(words);

interface WrittenAmount {
  whole: string;
  isGrouped: boolean;
  /** Before the fraction. */
  mark?: DecimalMark;
  fraction: string;
  /** The mark stands before exactly three digits, which may be thousands or decimals. */
  isUnclear: boolean;
  scale: keyof typeof zeros;
}

/**
 * `25,000`, `25.000`, `₮25 000`, `25000,00`, `25к`, `25 мянган төгрөг` or `1.5 сая` → a decimal string. Amounts in ₮ have two
 * decimals or none, so three digits after a mark are thousands, unless `decimal` says that this mark is that of decimals.
 */
export function readMoney(text: string, decimal?: DecimalMark): string | undefined {
  if (isDecimal(text)) return text;
  const amount = digitsOf(split(text), decimal);
  return isDecimal(amount) ? amount : undefined;
}

/** As `readMoney` does, and `-45,000` is below zero. */
export function readHundredths(text: string, decimal?: DecimalMark): bigint | undefined {
  const isNegative = text.startsWith('-');
  const amount = text === '' ? undefined : readMoney(isNegative ? text.slice(1) : text, decimal);
  if (amount === undefined) return undefined;
  return isNegative ? -toHundredths(amount) : toHundredths(amount);
}

type Marked<Found> = Partial<Record<DecimalMark, Found>>;

/**
 * Where a column has amounts with three decimals, such as `45000.000`, its `45.000` may be 45, and only a person knows; its
 * `45,000` has the other mark. Finds the first such text of each column.
 */
export function createDecimalsCheck<Column, Place>() {
  const shown = new Map<Column, Marked<string>>();
  const possible = new Map<Column, Marked<{ text: string; place: Place }>>();
  return {
    /** Without `place`: an amount that is not used. */
    add: (column: Column, text: string, place?: Place): void => {
      if (!/[.,]\d{3}(?!\d)/.test(text)) return;
      const { whole = '', fraction, mark, scale, isUnclear } = split(text) ?? {};
      if (fraction?.length !== 3 || mark === undefined || scale !== 'tugrik' || !isDecimal(whole)) return;
      if (!isUnclear) shown.set(column, { [mark]: text, ...shown.get(column) });
      else if (place !== undefined)
        possible.set(column, { [mark]: { text, place }, ...possible.get(column) });
    },
    unclear: () =>
      [...possible].flatMap(([column, found]) => {
        const isShown = (mark: DecimalMark) => shown.get(column)?.[mark] !== undefined;
        const mark = decimalMarks.find((each) => found[each] !== undefined && isShown(each));
        if (mark === undefined) return [];
        const { text, place } = found[mark] as { text: string; place: Place };
        return [{ column, place, ...describeUnclear(text, shown.get(column)?.[mark] ?? '') }];
      }),
  };
}

function describeUnclear(text: string, shown: string): Required<Pick<Problem, 'problem' | 'fix' | 'cures'>> {
  const { whole = text, fraction = '', mark = 'dot' } = split(text) ?? {};
  const thousands = groupThousands(whole + fraction);
  const decimals = /^0+$/.test(fraction) ? whole : `${whole}.${fraction}`;
  const cures = [mark === 'dot' ? 'comma' : 'dot', mark].map((each) => ['--decimal', each]);
  const [ofThousands = '', ofDecimals = ''] = cures.map((words) => words.join(' '));
  return {
    problem: t`may be ${thousands} ₮ or ${decimals} ₮, because this column has amounts with three decimals, such as ${shown}`,
    fix: t`add ${ofThousands} if it is ${thousands} ₮, or ${ofDecimals} if it is ${decimals} ₮`,
    cures,
  };
}

function split(text: string): WrittenAmount | undefined {
  const [, number = '', unit = ''] = written.exec(text.trim()) ?? [];
  const { whole, group, mark, fraction = '' } = numberShape.exec(number.trim())?.groups ?? {};
  const scale = scaleOf(unit);
  if (whole === undefined || scale === undefined || (mark !== undefined && mark === group)) return undefined;
  return {
    whole: whole.replace(/\D/g, ''),
    isGrouped: group !== undefined,
    ...(mark === undefined ? {} : { mark: mark === '.' ? 'dot' : 'comma' }),
    fraction,
    isUnclear: fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole),
    scale,
  };
}

function scaleOf(unit: string): keyof typeof zeros | undefined {
  if (unit === '') return 'tugrik';
  const [first = '', second = '', ...others] = normaliseWords(unit).split(' ');
  const isAmount = others.length === 0 && (second === '' || unitOf(second) === 'tugrik');
  return isAmount ? (first === '' ? 'tugrik' : unitOf(first)) : undefined;
}

function digitsOf(amount: WrittenAmount | undefined, decimal: DecimalMark | undefined): string {
  if (amount === undefined) return '';
  const { whole, isGrouped, mark, fraction, isUnclear, scale } = amount;
  if (scale !== 'tugrik') {
    if (isGrouped || fraction.length > 2) return '';
    return (whole + fraction.padEnd(zeros[scale], '0')).replace(/^0+(?=\d)/, '');
  }
  if (fraction === '' || (isUnclear && mark !== decimal)) return whole + fraction;
  // Four decimals are of a database, which has a dot; `2,5000` is mistyped.
  if (fraction.length > 3 && mark !== (decimal ?? 'dot')) return '';
  return /^\d{1,2}0*$/.test(fraction) ? `${whole}.${fraction.padEnd(2, '0').slice(0, 2)}` : '';
}

const usualCodes = 'USD EUR RUB CNY KZT KRW JPY GBP TRY PLN BRL INR';
const otherNames =
  'RMB US DOLLAR DOLLARS EURO EUROS YUAN WON YEN TL ZŁ РС ТГ ТЕНГЕ ДОЛЛАР ЕВРО РУБ РУБЛЬ РУБЛЕЙ ЮАНЬ ВОН ИЕН';
const usualNames = ` ${usualCodes} ${otherNames} `;

/** In a header only the last word can be a currency, and `Total (all)` is no amount in lek. */
export function namesOtherCurrency(text: string, where: 'cell' | 'header' = 'cell'): boolean {
  if (/(?!₮)\p{Sc}/u.test(text)) return true;
  const words = text.toUpperCase().match(/\p{L}+/gu);
  if (words === null) return false;
  if (where === 'header') return usualNames.includes(` ${words.at(-1)} `);
  const names = new Set([...Intl.supportedValuesOf('currency'), ...otherNames.split(' ')]);
  return words.some((word) => word !== 'MNT' && names.has(word));
}
