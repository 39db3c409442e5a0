import { type Text, t } from '../../../advice/advice.ts';
import type { TextKind } from './cell-kinds.ts';
import type { ColumnProfile } from './column-profile.ts';
import type { GuessedField, HeaderMatch } from './guess-by-header.ts';

/** The share of values that must be those of the field. */
export const minFit = 0.8;

export function speaksForItself(field: GuessedField, profile: ColumnProfile): boolean {
  const { shares, uniqueShare, different, filled } = profile;
  const isOther = shares.phone >= 0.5 || shares.date >= 0.5 || shares.email > 0.2;
  switch (field) {
    case 'customer.phone':
      return shares.certain_phone >= minFit;
    case 'externalOrderId':
      return !isOther && shares.money < 1 && filled > 2 && different > 2 && uniqueShare >= 0.98;
    case 'items[].quantity:number':
      return areSmallNumbers(profile);
    case 'total':
      return (
        !isOther &&
        holdsAmounts(profile) &&
        shares.words === 0 &&
        shares.round >= 0.5 &&
        !areConsecutive(profile)
      );
    case 'items[].name':
      return !isOther && shares.words >= 0.95 && filled > 1 && shares.place < 0.5 && shares.address < 0.5;
    case 'deliveryAddress.street':
      return shares.address >= minFit;
    default:
      return false;
  }
}

/** Whether its values may be amounts in ₮, which have at least three digits. */
export function holdsAmounts(profile: ColumnProfile | undefined): profile is ColumnProfile {
  if (profile === undefined || profile.isRowNumber) return false;
  const { shares, examples } = profile;
  return shares.money >= 0.95 && shares.certain_phone === 0 && examples.some((text) => /\d{3}/.test(text));
}

/** Whole numbers such as quantities, not all of which are 1. */
function areSmallNumbers({ shares, largest, isRowNumber }: ColumnProfile): boolean {
  return !isRowNumber && shares.count >= 0.95 && largest > 1 && largest < 100;
}

/** A value that is the same in more than two orders is neither a customer's phone nor an order ID. */
function isConstant({ different, orders, blankOrders }: ColumnProfile): boolean {
  return different === 1 && orders - blankOrders > 2;
}

/** The numbers of documents: 1001, 1002, 1003. */
function areConsecutive({ samples, isRowNumber }: ColumnProfile): boolean {
  const numbers = samples.map(Number);
  const isNext = (number: number, place: number) => place === 0 || number === (numbers[place - 1] ?? 0) + 1;
  return isRowNumber || (numbers.length > 2 && numbers.every(isNext));
}

/** From 0 to 1. */
export function fitOf(field: GuessedField, profile: ColumnProfile, match: HeaderMatch | undefined): number {
  const { shares, uniqueShare, isRowNumber, different } = profile;
  switch (field) {
    case 'externalOrderId': {
      // The numbers of the rows are order IDs only where the header says so.
      if (isRowNumber && match?.kind !== 'name') return 0;
      const isOther = shares.certain_phone >= minFit && match?.kind !== 'name';
      if (isOther || isConstant(profile)) return 0;
      if (match?.kind !== 'name' && areSmallNumbers(profile) && !areConsecutive(profile)) return 0;
      // The rows of an order may be far apart, but then only the header can say that they are of one order.
      if (uniqueShare < 0.9) return match?.kind === 'name' ? Math.min(shares.id, minFit) : 0;
      return shares.id;
    }
    case 'customer.phone':
      return isConstant(profile) || (different > 2 && shares.round > 0.8) ? 0 : shares.phone;
    case 'customer.externalCustomerId':
      return isConstant(profile) || shares.certain_phone >= minFit ? 0 : shares.id;
    case 'items[].sku':
      if (isRowNumber || shares.email > 0.2 || shares.certain_phone >= minFit) return 0;
      // A shop may sell one product, but then its header must say so.
      return isConstant(profile) && (match === undefined || match.kind === 'weak') ? 0 : shares.sku;
    case 'items[].name':
      return shares.json > 0 ? 0 : shares.words;
    case 'items[].quantity:number':
      return shares.count;
    case 'total':
      return shares.certain_phone >= minFit || areSmallNumbers(profile) ? 0 : shares.money;
    case 'collectionAmount':
      return shares.certain_phone >= minFit ? 0 : shares.money;
    case 'requestedDeliveryDate':
      return shares.date;
    case 'customer.name':
      return shares.email > 0.2 || shares.id > 0.5 ? 0 : shares.words;
    case 'deliveryAddress.postalCode':
      return 1 - shares.email;
    case 'deliveryAddress.street':
      // Only the last word of a header can be a currency; `Total (all)` is not an amount in lek.
      return Math.max(shares.words, shares.count >= minFit ? minFit : 0);
    default:
      return shares.words;
  }
}

const kindOfField: Partial<Record<GuessedField, [TextKind, Text]>> = {
  externalOrderId: ['id', t`IDs`],
  'customer.phone': ['phone', t`phones`],
  'customer.externalCustomerId': ['id', t`IDs`],
  'items[].sku': ['sku', t`SKUs`],
  'items[].quantity:number': ['count', t`quantities`],
  total: ['money', t`amounts`],
  collectionAmount: ['money', t`amounts`],
  requestedDeliveryDate: ['date', t`dates`],
};

export function reasonsOf(
  field: GuessedField,
  { shares, filled, uniqueShare }: ColumnProfile,
  match: HeaderMatch | undefined,
): Text[] {
  const reasons: Text[] = [];
  if (match !== undefined) reasons.push(headerReasons[match.kind]);
  const [kind, words = ''] = kindOfField[field] ?? [];
  if (kind !== undefined) {
    reasons.push(t`${Math.round(shares[kind] * filled)} of ${filled} values look like ${words}`);
  }
  if (field === 'externalOrderId' && uniqueShare === 1) reasons.push(t`no two orders have the same value`);
  return reasons;
}

const headerReasons: Record<HeaderMatch['kind'], Text> = {
  name: t`its header is a name of the field`,
  weak: t`its header may be a name of the field`,
  beside: t`its header is close to a name of the field`,
  near: t`its header is a name of the field, misspelt`,
};
