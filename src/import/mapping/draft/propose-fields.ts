import type { Text } from '../../../advice/advice.ts';
import { formatFieldPath } from '../../../orders/field-path.ts';
import { areNameParts } from '../../columns/header-roles.ts';
import { allRoles, type Role, roleOfField, roles } from '../../columns/roles.ts';
import type { Column } from '../column.ts';
import { type FieldGuesses, isAddress, type ShownColumn } from '../guesses.ts';
import { type Mapping, unreadColumns } from '../mapping.ts';
import type { FieldProposal } from './proposal.ts';

const lineField = 'items';

export function labelOf(field: string): Text {
  const role = roleOfField(field);
  return (role && roles[role].label) ?? field;
}

/** A field of which nothing is decided, and without which the file cannot be imported. */
function openField(field: string, guesses: readonly ShownColumn[] = []): FieldProposal {
  return { field, label: labelOf(field), isNeeded: true, guesses, settled: [], isMapped: false };
}

export function isLineField({ field }: Pick<FieldProposal, 'field'>): boolean {
  return field === lineField;
}

export function mappedField({ path, type }: Column, shown: ShownColumn): FieldProposal {
  const field = formatFieldPath(path) + (type === 'text' ? '' : `:${type}`);
  const settled = [{ ...shown, reasons: ['it is mapped'] }];
  return { ...openField(field, settled), isNeeded: false, settled, isMapped: true };
}

/** A field of which the values leave no doubt. */
export function settledField(field: string, shown: ShownColumn): FieldProposal {
  return { ...openField(field, [shown]), isNeeded: false, settled: [shown] };
}

export function guessedField(
  { role, field, guesses, isSettled, parts: named = [], areRivals = false, minus }: FieldGuesses,
  mapped: Mapping,
  hasProducts: boolean,
): FieldProposal {
  const isMeant = ({ index }: ShownColumn) =>
    unreadColumns(mapped).some((column) => column.index === index && mustBeRead(column.role));
  const parts =
    isAddress(role) && !areRivals
      ? guesses.filter((guess) => isMeant(guess) || named.some(({ index }) => index === guess.index))
      : role === 'name' && !isSettled
        ? nameParts(guesses)
        : [];
  const joined = parts.toSorted((left, right) => left.index - right.index);
  const [best, rival] = guesses;
  // Where another column holds the products, `Name` is the name of a person.
  const isName = role === 'name' && hasProducts && rival === undefined && (best?.score ?? 0) >= minNameScore;
  const settled = parts.length > 1 ? joined : isSettled || isName ? guesses.slice(0, 1) : [];
  // Asked, because without an answer each line would count as one piece.
  const isQuantity = role === 'quantity' && mapped.lines === undefined;
  // Without a street the courier has no address.
  const isNeeded = guesses.some(isMeant) || isQuantity || role === 'street';
  return { ...openField(field, guesses), isNeeded, settled, ...(minus === undefined ? {} : { minus }) };
}

/** Without a decision about a column of a field that the orders are sent without, the import stops. */
function mustBeRead(role: Role): boolean {
  const { unread, field } = roles[role];
  return typeof unread === 'string' && field !== undefined;
}

const minNameScore = 0.7;

function nameParts(guesses: readonly ShownColumn[]): ShownColumn[] {
  const pairs = guesses.flatMap((one) =>
    guesses
      .filter((other) => other.index > one.index && areNameParts(one.header, other.header))
      .map((other) => [one, other]),
  );
  return pairs.length === 1 ? (pairs[0] ?? []) : [];
}

/** The fields in the order of the questions, with those that every order needs. */
export function withNeeded(
  fields: readonly FieldProposal[],
  { lines }: Mapping,
  filled: ReadonlySet<string>,
  declined: readonly string[],
): FieldProposal[] {
  const has = (field: string) => filled.has(field) || fields.some((found) => found.field === field);
  const isSettled = (field: string) =>
    filled.has(field) || fields.some((found) => found.field === field && found.settled.length > 0);
  const isLine = (field: string) => field.startsWith('items[') && !declined.includes(field);
  const hasLines = lines !== undefined || filled.has(lineField) || [...filled].some(isLine);
  const needed = new Set<string>();
  if (!filled.has('externalOrderId')) needed.add('externalOrderId');
  if (!isSettled('customer.externalCustomerId') && !filled.has('customer')) needed.add('customer.phone');
  const products = ['items[].sku', 'items[].name'].find((name) => fields.some(({ field }) => field === name));
  if (!hasLines) needed.add(products ?? lineField);
  const missing = [...needed].filter((field) => !has(field));
  const order = allRoles.map((role) => roles[role].field);
  const place = ({ field }: FieldProposal) => (order.indexOf(field) + order.length + 1) % (order.length + 1);
  return [
    ...fields.map((field) => ({ ...field, isNeeded: field.isNeeded || needed.has(field.field) })),
    ...missing.map((field) => openField(field)),
  ].toSorted((left, right) => place(left) - place(right));
}
