import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

const scientificNotation = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;
const roundedNumber = /^(\d)(?:[.,](\d+))?e\+?(\d{1,2})$/i;
/** libphonenumber reads `99112233;88112233` as a number with an extension; here it is two numbers. */
const severalNumbers = /[;,/|]/;

/** What libphonenumber finds valid as well, in a hundredth of its time; a test holds the two together. */
const usualNumber = /^[5-9]\d{7}$/;

/** `9.91E+07`: a spreadsheet has replaced the number; its last digits are gone. */
export function isScientificNotation(text: string): boolean {
  return scientificNotation.test(text);
}

/**
 * The numbers that may have stood where a spreadsheet wrote scientific notation, as digits: `9.91E+07` was
 * 99050000 to 99149999. Undefined when nothing was lost, or when it is no such number.
 */
export function rangeBeforeRounding(text: string): { from: string; to: string } | undefined {
  const [, whole, fraction = '', exponent] = roundedNumber.exec(text) ?? [];
  if (whole === undefined || exponent === undefined) return undefined;
  const lost = BigInt(exponent) - BigInt(fraction.length);
  if (lost <= 0n) return undefined;
  const unit = 10n ** lost;
  const middle = BigInt(whole + fraction) * unit;
  return { from: String(middle - unit / 2n), to: String(middle + unit / 2n - 1n) };
}

/** At least one digit, and neither a letter nor a digit that is hidden: the little that identifies a customer. */
export function isPhoneLike(text: string): boolean {
  return /\p{Nd}/u.test(text) && !/[\p{L}*•?]/u.test(text);
}

/** Whether libphonenumber finds it a valid number of Mongolia. */
export function isPlausiblePhone(text: string): boolean {
  if (usualNumber.test(text)) return true;
  const phone = readPhone(text);
  return phone?.country === 'MN' && phone.isValid();
}

/** E.164 read from Mongolia (`+97699112233`), or undefined when it is no phone number. */
export function phoneToE164(text: string): string | undefined {
  return readPhone(text)?.number;
}

/** The same number, however it is spelled, read from Mongolia. */
export function isSamePhone(left: string, right: string): boolean {
  if (left.trim() === right.trim()) return true;
  const phone = phoneToE164(left);
  return phone !== undefined && phone === phoneToE164(right);
}

function readPhone(text: string) {
  const phone = text.trim();
  if (severalNumbers.test(phone)) return undefined;
  return parsePhoneNumberFromString(phone.replace(/^00/, '+'), 'MN');
}
