import { startsWithDay } from '../../orders/calendar-date.ts';
import { isPhoneLike, kindOfPhone } from '../../orders/phone.ts';
import { normaliseWords } from '../../words/phrases.ts';
import { isDayInWords } from '../words/dates.ts';
import { readMoney } from '../words/money.ts';
import { findCounts, readQuantity } from '../words/quantity.ts';
import { verdict } from '../words/verdict.ts';

/** What the text of a cell can be. One text can be several of these. */
export const textKinds = [
  'phone',
  /** Certainly a phone: of Mongolia, or with a country code. */
  'certain_phone',
  'id',
  'sku',
  'count',
  'money',
  /** A number that ends in 0 or has decimals, as nearly all amounts do and other numbers rarely. */
  'round',
  'date',
  'email',
  'name',
  'words',
  /** Yes or no: `TRUE`, `✓`, `x`, `үгүй`. */
  'tick',
  /** Words and numbers as addresses have them: `БЗД 3-р хороо, 12-р байр`, `Calle Sol 12`. */
  'address',
  /** A city, province or district of Mongolia, and nothing else. */
  'place',
  /** A list of objects. */
  'json',
  /** Goods with their counts: `TEA-001 x 2; MUG x 1`, `Цай - 2ш`. */
  'packed',
] as const;
export type TextKind = (typeof textKinds)[number];

const maxLength = 200;
/** Longer cells cannot be read as lines. */
const maxLinesLength = 65_536;
const emailText = /^[^\s@]{1,64}@[^\s@]{1,190}$/;
/** A longer number is an amount or a code. */
const maxCountDigits = 3;
const moneyText = /^[^\d-]{0,5}\d[\d.,'’ \u00a0\u202f]{0,20}[^\d]{0,5}$/;
/** `A12`, `Z-7` */
const codeText = /^\p{L}{1,4}-?\d+$/u;
const roundText = /0(?:[^\d.,]{0,5}|[.,]\d{1,2}\D{0,5})$|[.,]\d{1,2}\D{0,5}$/;
const decimalText = /^\d[\d ,]*[.,]\d{1,2}$/;
const nameText = /^[\p{L}\p{M}][\p{L}\p{M}.'’-]*(?: [\p{L}\p{M}.'’-]+){0,4}$/u;

export function kindsOf(text: string): TextKind[] {
  const kinds: TextKind[] = [];
  const hasLetters = /\p{L}/u.test(text);
  const hasDigits = /\d/.test(text);
  if (hasLetters) kinds.push('words');
  if (isJsonLines(text)) return [...kinds, 'json'];
  if (hasLetters && hasDigits && isPacked(text)) kinds.push('packed');
  if (text.length > maxLength) return kinds;
  if (hasLetters && text.includes('@') && emailText.test(text)) return [...kinds, 'email'];
  if (hasDigits && (startsWithDay(text) || (hasLetters && isDayInWords(text)))) return [...kinds, 'date'];
  if (!hasDigits && isTick(text)) kinds.push('tick');
  const amount = hasDigits ? readMoney(text) : undefined;
  const isCode = hasLetters && codeText.test(text);
  if (amount !== undefined || (hasDigits && moneyText.test(text) && !isCode)) kinds.push('money');
  if (kinds.includes('money') && roundText.test(amount ?? text)) kinds.push('round');
  if (hasDigits && isCount(text)) kinds.push('count');
  if (hasLetters && !hasDigits && nameText.test(text)) kinds.push('name');
  const isAmount = hasDigits && !hasLetters && decimalText.test(text);
  if (!isAmount && hasDigits && !hasLetters && isPhone(text)) {
    kinds.push('phone');
    const kind = kindOfPhone(text);
    const isMarked = /^(?:\+|00)/.test(text) || /\d[ ()-]+\d/.test(text);
    if (kind === 'mongolian' || (kind === 'possible' && isMarked)) kinds.push('certain_phone');
  }
  const spaces = isAmount ? 0 : spacesIn(text);
  const isTime = hasDigits && /^\d{1,2}:\d{2}/.test(text);
  if (!isAmount && !isTime && hasDigits && text.length <= 60 && spaces <= 2) kinds.push('id');
  if (!isAmount && text.length <= 40 && spaces <= 1 && !/\s{2}|[!?]/.test(text)) kinds.push('sku');
  if (hasLetters && !hasDigits && isPlace(text)) kinds.push('place');
  if (hasLetters && isAddressLike(text, hasDigits)) kinds.push('address');
  return kinds;
}

/** Without a header `2X` may be a size. */
function isCount(text: string): boolean {
  const count = /^[x×х*]|\d ?[x×х*]$/iu.test(text) ? undefined : readQuantity(text);
  return count !== undefined && count.length <= maxCountDigits;
}

/** Up to 3. */
function spacesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(' '); at !== -1 && count < 3; at = text.indexOf(' ', at + 1)) count += 1;
  return count;
}

function isPhone(text: string): boolean {
  if (text.length > 24) return false;
  const digits = text.replace(/\D/g, '').length;
  return isPhoneLike(text) && digits >= 8 && digits <= 15;
}

/** `x`, `TRUE`, `үгүй`, `1` and `0`. */
export function isTick(text: string): boolean {
  if (text.length > 12) return false;
  if (/^[01xх+]$/i.test(text)) return true;
  const found = /\d/.test(text) ? 'unknown' : verdict('tick', text);
  return found === 'yes' || found === 'no';
}

/** Whether all texts of a column are ticks; only 1 may as well be a quantity. */
export function areTicks(texts: readonly string[]): boolean {
  return texts.every(isTick) && !texts.every((text) => text === '1');
}

function isJsonLines(text: string): boolean {
  if (text[0] !== '[' || text.length > maxLinesLength) return false;
  try {
    const value: unknown = JSON.parse(text);
    const isObject = (item: unknown) => typeof item === 'object' && item !== null && !Array.isArray(item);
    return Array.isArray(value) && value.length > 0 && value.every(isObject);
  } catch {
    return false;
  }
}

/** A count beside a name, which may have more behind it: `Tea x 2 pcs`. */
const countedText =
  /(?:^|[\s;,+/|&])\d{1,3} ?[x×х*] ?(?=\p{L})|[\p{L})] ?[×*] ?\d{1,3}(?!\d)|[\p{L}\d)] [xх] ?\d{1,3}(?![\d\p{L}])|\([x×х*] ?\d{1,3}\)/iu;
const countMarks = /[x×х*]/i;
/** The sizes of a product are no counts: `Rug 120 x 180`. */
const sizedText = /\d ?[x×х*] ?\d/i;

function isPacked(text: string): boolean {
  if (text.length > maxLinesLength) return false;
  if (findCounts(text).some(({ kind }) => kind !== 'parentheses')) return true;
  if (!countMarks.test(text) || !countedText.test(text)) return false;
  return !sizedText.test(text) || /[;\n(]/.test(text);
}

const places = new Set(
  'улаанбаатар|уб|ub|ulaanbaatar|ulan bator|дархан|darkhan|эрдэнэт|erdenet|архангай|баян өлгий|баянхонгор|булган|говь алтай|говьсүмбэр|дархан уул|дорноговь|дорнод|дундговь|завхан|орхон|өвөрхангай|өмнөговь|сүхбаатар|сэлэнгэ|төв|төв аймаг|увс|ховд|хөвсгөл|хэнтий|чойбалсан|баянзүрх|баянгол|сонгинохайрхан|чингэлтэй|хан уул|налайх|багануур|багахангай|бзд|сбд|худ|схд|чд|бгд|нд'
    .split('|')
    .map(normaliseWords),
);

function isPlace(text: string): boolean {
  return text.length <= 24 && places.has(normaliseWords(text));
}

const districtWords =
  /(?:^|[^\p{L}])(?:бзд|сбд|худ|схд|чд|бгд|нд|bzd|sbd|hud|khud|shd|skhd|bgd|дүүрэг\p{L}*|duureg|хороо\p{L}*|khoroo\p{L}*|horoo\p{L}*|байр\p{L}*|bair|тоот\p{L}*|toot|гудамж\p{L}*|gudamj|хотхон\p{L}*|хаус|town|орц\p{L}*|давхар\p{L}*|айл|сум|баг)(?!\p{L})/iu;
const streetWords =
  /(?:^|[^\p{L}])(?:street|st|avenue|ave|road|rd|lane|house|flat|apt|apartment|building|bldg|block|floor|calle|avenida|av|avda|carrera|rua|rue|via|viale|piazza|plaza|platz|allee|weg|ul|ulica|улица|ул|проспект|пр|дом|кв|квартира|mahallesi|mah|sokak|sok|cad|caddesi|strada|str|jalan|jl|\p{L}{2,20}(?:str|straße|strasse|gasse|weg|straat))(?!\p{L})/iu;
const sizeText =
  /\d ?(?:ml|l|g|gr|kg|cm|mm|m|gb|tb|mg|xl|мл|л|г|гр|кг|см|мм|м|гб|ш|шт|ширхэг|pcs|pc|inch|"|%)(?!\p{L})/iu;

function isAddressLike(text: string, hasDigits: boolean): boolean {
  if (text.length < 4 || !/[\s,]/.test(text)) return false;
  if (districtWords.test(text)) return true;
  if (!hasDigits) return false;
  if (streetWords.test(text)) return true;
  if (sizeText.test(text)) return false;
  const words = text.split(/[\s,;]+/);
  if (!words.some((word) => /^\d{1,5}(?:[-/]\d{1,5})?\p{L}?$/u.test(word))) return false;
  return (text.includes(',') && words.length > 2) || /[\p{L}.] \d{1,5}(?:[-/]\d{1,5}|\p{Ll})$/u.test(text);
}
