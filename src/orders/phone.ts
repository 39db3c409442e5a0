import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

const scientificNotation = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;
const roundedNumber = /^(\d)(?:[.,](\d+))?e\+?(\d{1,2})$/i;
/** libphonenumber reads `99112233;88112233` as a number with an extension, but it is two numbers. */
const severalNumbers = /[;,/|]/;

/** A shortcut for common numbers, a hundred times faster than libphonenumber, which finds all of them valid too. */
const commonNumber = /^[5-9]\d{7}$/;

/** Whether a spreadsheet replaced a number by `9.91E+07` or the like, so that its last digits are lost. */
export function isScientificNotation(text: string): boolean {
  return scientificNotation.test(text);
}

/** The numbers that a spreadsheet rounds to this text: `9.91E+07` → 99050000 to 99149999. Undefined when none is lost. */
export function rangeBeforeRounding(text: string): { from: string; to: string } | undefined {
  const [, whole, fraction = '', exponent] = roundedNumber.exec(text) ?? [];
  if (whole === undefined || exponent === undefined) return undefined;
  const lost = BigInt(exponent) - BigInt(fraction.length);
  if (lost <= 0n) return undefined;
  const unit = 10n ** lost;
  const middle = BigInt(whole + fraction) * unit;
  return { from: String(middle - unit / 2n), to: String(middle + unit / 2n - 1n) };
}

/** At least one digit, no letters, and no characters that hide digits: the least that can identify a customer. */
export function isPhoneLike(text: string): boolean {
  return /\p{Nd}/u.test(text) && !/[\p{L}*•?]/u.test(text);
}

/** Whether it is a valid number in Mongolia, as libphonenumber knows them. */
export function isPlausiblePhone(text: string): boolean {
  if (commonNumber.test(text)) return true;
  const phone = readPhone(text);
  return phone?.country === 'MN' && phone.isValid();
}

/** The number in E.164 as dialled from Mongolia (`+97699112233`), or undefined when it is not a phone number. */
export function phoneToE164(text: string): string | undefined {
  return readPhone(text)?.number;
}

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
