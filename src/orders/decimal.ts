const decimalShape = /^(?:0|[1-9]\d*)(?:\.\d{2})?$/;
const zeroShape = /^0(?:\.00)?$/;
const numberShape = /^([+-]?)0*(\d+)(?:\.(\d+))?$/;

/** Digits, or digits, a dot and two digits (interface section 2.4). Any length. */
export function isDecimal(text: string): boolean {
  return decimalShape.test(text);
}

export function isZeroDecimal(text: string): boolean {
  return zeroShape.test(text);
}

/** The same amount, however it is spelled: `25000`, `25000.0` and `025000.00` agree. */
export function isSameAmount(left: string, right: string): boolean {
  return plainAmount(left) === plainAmount(right);
}

/** Exact sum of decimal strings of any length, as a decimal string. */
export function sumDecimals(decimals: Iterable<string>): string {
  let hundredths = 0n;
  for (const decimal of decimals) {
    const [whole = '0', fraction = '00'] = decimal.split('.');
    hundredths += BigInt(whole + fraction);
  }
  const digits = hundredths.toString().padStart(3, '0');
  const fraction = digits.slice(-2);
  return fraction === '00' ? digits.slice(0, -2) : `${digits.slice(0, -2)}.${fraction}`;
}

function plainAmount(text: string): string {
  const match = numberShape.exec(text.trim());
  if (!match) return text;
  const [, sign, whole, fraction = ''] = match;
  const digits = fraction.replace(/0+$/, '');
  const amount = digits === '' ? `${whole}` : `${whole}.${digits}`;
  return sign === '-' && amount !== '0' ? `-${amount}` : amount;
}
