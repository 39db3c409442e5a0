import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

const scientificNotation = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;
const roundedNumber = /^(\d)(?:[.,](\d+))?e\+?(\d{1,2})$/i;
/** libphonenumber reads `99112233;88112233` as a number with an extension, but it is two numbers. */
const betweenNumbers = /[;,/|\\\r\n]+/;
const betweenGroups = /(?<=\d)\D+?(?=\+?\d)/g;
/** The limit of libphonenumber. */
const maxLength = 250;
const maxMaskedParts = 4;

/** A hundred times faster than libphonenumber, which agrees on all of these. */
const commonNumber = /^(?:(?:\+|00)?976[ -]?)?([5-9]\d{3})[ -]?(\d{4})$/;

export function isCommonPhone(text: string): boolean {
  return commonNumber.test(text);
}

/** Such as `9.91E+07` from a spreadsheet: the last digits are lost. */
export function isScientificNotation(text: string): boolean {
  return scientificNotation.test(text);
}

/** `9.91E+07` → 99050000 to 99149999; undefined if no digits are lost. */
export function rangeBeforeRounding(text: string): { from: string; to: string } | undefined {
  const [, whole, fraction = '', exponent] = roundedNumber.exec(text) ?? [];
  if (whole === undefined || exponent === undefined) return undefined;
  const lost = BigInt(exponent) - BigInt(fraction.length);
  if (lost <= 0n) return undefined;
  const unit = 10n ** lost;
  const middle = BigInt(whole + fraction) * unit;
  return { from: String(middle - unit / 2n), to: String(middle + unit / 2n - 1n) };
}

/** At least one digit, no letters, no masks: the least that can identify a customer. */
export function isPhoneLike(text: string): boolean {
  return /\p{Nd}/u.test(text) && !/[\p{L}*•?]/u.test(text);
}

/** `mongolian`: valid in Mongolia; `possible`: of a possible length there or in its country; `several`: more than one number. */
type PhoneKind = 'mongolian' | 'possible' | 'several' | 'impossible';

export function kindOfPhone(text: string): PhoneKind {
  if (isCommonPhone(text)) return 'mongolian';
  const phone = readPhone(text);
  if (phone?.isPossible()) return phone.country === 'MN' && phone.isValid() ? 'mongolian' : 'possible';
  return phonesIn(text).some(isPossible) ? 'several' : 'impossible';
}

/** The numbers of a text that holds several, else none. */
export function phonesIn(text: string): string[] {
  if (text.length > maxLength) return [];
  const parts = text.split(betweenNumbers).filter((part) => /\p{Nd}/u.test(part));
  if (parts.length > 1) return parts.map((part) => part.trim());
  // Numbers separated only by spaces or dashes: `99112233 88112233`, `9911-2233 8811-2233`.
  const pairs = Array.from(text.matchAll(betweenGroups), ({ 0: gap, index }) => {
    return [text.slice(0, index), text.slice(index + gap.length)].map((part) => part.trim());
  });
  return pairs.find((pair) => pair.every(isPossible)) ?? [];
}

function isPossible(text: string): boolean {
  return readPhone(text)?.isPossible() ?? false;
}

/** E.164 as dialled from Mongolia (`+97699112233`); undefined if it is not a phone number. */
export function phoneToE164(text: string): string | undefined {
  const [, start, end] = commonNumber.exec(text) ?? [];
  return start === undefined ? readPhone(text)?.number : `+976${start}${end}`;
}

export function isSamePhone(left: string, right: string): boolean {
  if (left.trim() === right.trim()) return true;
  const phone = phoneToE164(left);
  return phone !== undefined && phone === phoneToE164(right);
}

const maskedShape = /^\+?[\d*•●·…xX#]{1,30}$/;
const masks = /[*•●·…xX#]+/;

/** Whether the text is `phone` with hidden digits: `9911****`, `+976 99****33`. */
export function isMaskedPhone(text: string, phone: string): boolean {
  const shown = text.replace(/[\s()-]/g, '');
  const parts = shown.replace('+', '').split(masks);
  if (!maskedShape.test(shown) || parts.length < 2 || parts.length > maxMaskedParts) return false;
  const digits = [phone, phoneToE164(phone) ?? ''].map((number) => number.replace(/\D/g, ''));
  return digits.some((number) => fitsMask(number, parts) || fitsMask(number.replace(/^976/, ''), parts));
}

/** A phone with hidden digits, whichever it is. */
export function isMasked(text: string): boolean {
  const shown = text.replace(/[\s()-]/g, '');
  return maskedShape.test(shown) && masks.test(shown) && /\d/.test(shown);
}

/** The phone in E.164; undefined if it is not certain that the text is one phone. */
export function possiblePhone(text: string): string | undefined {
  const phone = text.replace(/^tel:/i, '');
  const isOne = isPhoneLike(phone) && ['mongolian', 'possible'].includes(kindOfPhone(phone));
  return isOne ? phoneToE164(phone) : undefined;
}

function fitsMask(number: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop() ?? '';
  let end = first.length;
  if (!number.startsWith(first)) return false;
  for (const part of others) {
    const start = number.indexOf(part, end + 1);
    if (start < 0) return false;
    end = start + part.length;
  }
  return number.endsWith(last) && number.length - last.length > end;
}

function readPhone(text: string) {
  const phone = text.trim();
  if (betweenNumbers.test(phone)) return undefined;
  return parsePhoneNumberFromString(phone.replace(/^00/, '+'), 'MN');
}

/** Whether an order may be for `phone`, as far as a service shows that of the order: whole, masked or not at all. */
export function mayBePhone(phone: string, shown: string | undefined): boolean {
  return shown === undefined || isSamePhone(phone, shown) || isMaskedPhone(shown, phone);
}

/** The same text for every way in which a phone is written; another text as it is. */
export function phoneKey(text: string): string {
  return phoneToE164(text) ?? text;
}
