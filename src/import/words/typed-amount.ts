import { isDecimal } from '../../orders/decimal.ts';
import words from './amount-words.json' with { type: 'json' };
import { readMoney } from './money.ts';
import { normaliseWords, wordsOf } from './phrases.ts';

const thousands = /^\d{1,3}(?:([,.' \u00a0\u202f])\d{3})(?:\1\d{3})*$/;
const written = /^(?:₮|mnt)?\s*(\d[\d.,'’\s]*)((?:[\p{L}₮][\p{L}\s.₮]*)?)$/iu;
const scaled = /^(\d+)(?:[.,](\d{1,2}))?$/;
const unitOf = wordsOf(words);
const zeros = { thousand: 3, million: 6, tugrik: 0 };

/** `25,000`, `₮25 000`, `25к`, `25 мянган төгрөг` or `1.5 сая` → a decimal string. */
export function readTypedAmount(text: string): string | undefined {
  const { number = '', scale } = splitAmount(text) ?? {};
  if (scale === undefined) return undefined;
  const amount = scale === 'tugrik' ? readTugrik(number) : readScaled(number, zeros[scale]);
  return isDecimal(amount) ? amount : undefined;
}

/** As `readTypedAmount`, but only with a word for thousands or millions: there is no second way to read it. */
export function readAmountInWords(text: string): string | undefined {
  return splitAmount(text)?.scale === 'tugrik' ? undefined : readTypedAmount(text);
}

function splitAmount(text: string): { number: string; scale: keyof typeof zeros } | undefined {
  const [, number = '', unit = ''] = written.exec(text.trim()) ?? [];
  const [first, second, ...others] = normaliseWords(unit).split(' ');
  const [scale, currency] = [first, second].map((word = '') => (word === '' ? 'tugrik' : unitOf(word)));
  const isUnit = scale !== undefined && currency === 'tugrik' && others.length === 0;
  return isUnit ? { number: number.trimEnd(), scale } : undefined;
}

/** Tugrik have no small coins, so three digits after a separator are thousands. */
function readTugrik(number: string): string {
  if (thousands.test(number)) return number.replace(/\D/g, '');
  return readMoney(number) ?? readMoney(number, 'dot') ?? '';
}

function readScaled(number: string, scale: number): string {
  const [, whole, fraction = ''] = scaled.exec(number) ?? [];
  return whole === undefined ? '' : (whole + fraction.padEnd(scale, '0')).replace(/^0+(?=\d)/, '');
}
