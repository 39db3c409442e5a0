import { formatFieldPath } from '../../orders/field-path.ts';
import type { Column } from '../mapping/column.ts';
import { areNameParts } from '../mapping/guess/guess-by-header.ts';
import type { ColumnGuess, FieldGuesses } from '../mapping/guess/guesses.ts';
import type { Meaning } from '../mapping/meanings.ts';
import type { FieldProposal, GivenMapping } from './proposal.ts';

const labels: Record<string, string> = {
  externalOrderId: 'the order ID',
  'customer.phone': 'the customer’s phone',
  'customer.externalCustomerId': 'the customer ID',
  'customer.name': 'the customer’s name',
  'items[].sku': 'the SKU',
  'items[].name': 'the name of the product',
  'items[].quantity:number': 'the quantity',
  total: 'the total of the order',
  collectionAmount: 'the amount to collect',
  collectionMode: 'who pays at the door (NONE or COLLECT)',
  requestedDeliveryDate: 'the delivery date',
  'deliveryAddress.street': 'the street',
  'deliveryAddress.city': 'the city',
  'deliveryAddress.district': 'the district',
  'deliveryAddress.province': 'the province',
  'deliveryAddress.postalCode': 'the postal code',
  'deliveryAddress.country': 'the country',
  'deliveryAddress.note': 'the note for the courier',
};

export function mappedField({ path, type }: Column, guess: ColumnGuess): FieldProposal {
  const field = formatFieldPath(path) + (type === 'text' ? '' : `:${type}`);
  const settled = { ...guess, reasons: ['it is mapped'] };
  return {
    field,
    label: labels[field] ?? field,
    isNeeded: false,
    guesses: [settled],
    settled,
    isMapped: true,
  };
}

/** A column with such a meaning must not go unread: without a decision the import stops. */
const stopping: readonly Meaning[] = ['quantity', 'address', 'date'];

export function guessedField(
  { field, guesses, isSettled }: FieldGuesses,
  { mapped }: GivenMapping,
): FieldProposal {
  const isMeant = ({ index }: ColumnGuess) =>
    mapped.unread.some((column) => column.index === index && stopping.includes(column.meaning));
  const [best] = guesses;
  const isAddress = field.startsWith('deliveryAddress.') && field !== 'deliveryAddress.note';
  const parts = isAddress ? guesses.filter(isMeant) : [];
  const all = isAddress ? parts : field === 'customer.name' && !isSettled ? nameParts(guesses) : [];
  const [first, ...joined] = all.toSorted((left, right) => left.index - right.index);
  const settled = all.length > 1 ? first : isSettled ? best : undefined;
  // Asked, because without an answer each line would count as one piece.
  const isQuantity = field === 'items[].quantity:number' && mapped.lines === undefined;
  return {
    field,
    label: labels[field] ?? field,
    isNeeded: guesses.some(isMeant) || isQuantity,
    guesses,
    ...(settled === undefined ? {} : { settled }),
    ...(joined.length > 0 ? { joined } : {}),
    isMapped: false,
  };
}

function nameParts(guesses: readonly ColumnGuess[]): ColumnGuess[] {
  const pairs = guesses.flatMap((one) =>
    guesses
      .filter((other) => other.index > one.index && areNameParts(one.name, other.name))
      .map((other) => [one, other]),
  );
  return pairs.length === 1 ? (pairs[0] ?? []) : [];
}

/** The fields in the order of the questions, with those that every order needs. */
export function withNeeded(
  fields: readonly FieldProposal[],
  { mapped }: GivenMapping,
  filled: ReadonlySet<string>,
): FieldProposal[] {
  const has = (field: string) => filled.has(field) || fields.some((found) => found.field === field);
  const isSettled = (field: string) =>
    filled.has(field) || fields.some((found) => found.field === field && found.settled !== undefined);
  const hasLines = mapped.lines !== undefined || [...filled].some((field) => field.startsWith('items['));
  const needed = new Set<string>();
  if (!filled.has('externalOrderId')) needed.add('externalOrderId');
  if (!isSettled('customer.externalCustomerId') && !filled.has('customer')) needed.add('customer.phone');
  if (!hasLines) needed.add(!has('items[].sku') && has('items[].name') ? 'items[].name' : 'items[].sku');
  const missing = [...needed].filter((field) => !has(field));
  const order = Object.keys(labels);
  const place = ({ field }: FieldProposal) => (order.indexOf(field) + order.length + 1) % (order.length + 1);
  return [
    ...fields.map((field) => ({ ...field, isNeeded: field.isNeeded || needed.has(field.field) })),
    ...missing.map((field) => ({
      field,
      label: labels[field] ?? field,
      isNeeded: true,
      guesses: [],
      isMapped: false,
    })),
  ].toSorted((left, right) => place(left) - place(right));
}
