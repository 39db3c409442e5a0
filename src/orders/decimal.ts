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

/** Whether two amounts are equal in value: `25000`, `25000.0` and `025000.00` are. */
export function isSameAmount(left: string, right: string): boolean {
  return plainAmount(left) === plainAmount(right);
}

/** Exact sum of decimal strings of any length. Other texts are ignored; the sum of none is undefined. */
export function createSum() {
  let hundredths: bigint | undefined;
  return {
    add: (decimal: string | undefined): void => {
      if (decimal === undefined || !isDecimal(decimal)) return;
      const [whole = '0', fraction = '00'] = decimal.split('.');
      hundredths = (hundredths ?? 0n) + BigInt(whole + fraction);
    },
    value: (): string | undefined => {
      if (hundredths === undefined) return undefined;
      const digits = hundredths.toString().padStart(3, '0');
      const fraction = digits.slice(-2);
      return fraction === '00' ? digits.slice(0, -2) : `${digits.slice(0, -2)}.${fraction}`;
    },
  };
}

function plainAmount(text: string): string {
  const match = numberShape.exec(text.trim());
  if (!match) return text;
  const [, sign, whole, fraction = ''] = match;
  const digits = fraction.replace(/0+$/, '');
  const amount = digits === '' ? `${whole}` : `${whole}.${digits}`;
  return sign === '-' && amount !== '0' ? `-${amount}` : amount;
}
