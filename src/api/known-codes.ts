const orderHint = 'Mend what the message names and run the same command again.';

/** The codes of interface section 7, each with what a shop assistant can do about it. */
const hints = new Map([
  [
    'PRODUCT_SKU_NOT_FOUND',
    'Check the SKU against the catalogue, have the product added there, or leave the SKU out for a line that is not in stock.',
  ],
  [
    'PRODUCT_SKU_INACTIVE',
    'Have the product made active in the catalogue, choose another one, or leave the SKU out for a line that is not in stock.',
  ],
  [
    'CUSTOMER_PHONE_AMBIGUOUS',
    'Give an external customer id that this key has used before, or have the platform merge the customers who share this phone.',
  ],
  ['MERCHANT_API_INVALID_ORDER', orderHint],
]);

export const knownServiceCodes: ReadonlySet<string> = new Set(hints.keys());

/** What to do about a refusal; a general word for codes that nobody knows. */
export function hintFor(serviceCode: string | undefined): string {
  return hints.get(serviceCode ?? '') ?? orderHint;
}
