import { isJsonNumber, type Json, member } from './json.ts';
import { isSameAmount } from './money.ts';
import { moneyFields, type Order, orderLines, textField } from './order.ts';
import { isSamePhone } from './phone.ts';

export interface Comparison {
  differing: string[];
  /** Fields that were sent but are missing from the response. */
  notCompared: string[];
}

/**
 * Compares the fields of interface section 2.2 that the response shows: money by value, lines by SKU in any order.
 * A field that was not sent never differs, since the service may normalise and add.
 */
export function compareOrders(sent: Order, found: Order): Comparison {
  const comparison: Comparison = { differing: [], notCompared: [] };
  const note = (field: string, agrees: boolean | undefined) => {
    if (agrees === undefined) comparison.notCompared.push(field);
    else if (!agrees) comparison.differing.push(field);
  };
  for (const field of ['collectionMode', 'requestedDeliveryDate'] as const) {
    if (member(sent, field) !== undefined) note(field, sameText(sent, found, field));
  }
  for (const field of moneyFields) {
    if (member(sent, field) !== undefined) note(field, sameMoney(sent, found, field));
  }
  if (member(sent, 'items') !== undefined) note('items', sameSkus(sent, found));
  if (member(sent, 'customer') !== undefined) note('customer', sameCustomer(sent, found));
  return comparison;
}

function sameText(sent: Order, found: Order, field: string): boolean | undefined {
  const theirs = member(found, field);
  return theirs === undefined ? undefined : theirs === member(sent, field);
}

function sameMoney(sent: Order, found: Order, field: string): boolean | undefined {
  const theirs = amountText(member(found, field));
  const ours = textField(sent, field);
  if (ours === undefined) return undefined;
  if (theirs === undefined) return isSameAmount(ours, '0') && field === 'collectionAmount' ? true : undefined;
  return isSameAmount(ours, theirs);
}

function amountText(value: Json | undefined): string | undefined {
  if (isJsonNumber(value)) return value.toString();
  return typeof value === 'string' ? value : undefined;
}

function sameSkus(sent: Order, found: Order): boolean | undefined {
  if (!Array.isArray(member(found, 'items'))) return undefined;
  const ours = orderLines(sent);
  const theirs = orderLines(found);
  if (ours.length !== theirs.length) return false;
  if (ours.some(carriesSku) && !theirs.some(carriesSku)) return undefined;
  return sortedSkus(ours) === sortedSkus(theirs);
}

function carriesSku(line: Json): boolean {
  return member(line, 'sku') !== undefined;
}

function sortedSkus(lines: Json[]): string {
  return lines
    .map((line) => textField(line, 'sku') ?? '')
    .sort()
    .join('\n');
}

function sameCustomer(sent: Order, found: Order): boolean | undefined {
  const ours = member(sent, 'customer');
  const theirs = member(found, 'customer');
  const externalId = textField(ours, 'externalCustomerId');
  const theirExternalId = textField(theirs, 'externalCustomerId');
  if (externalId !== undefined && externalId === theirExternalId) return true;
  const phone = textField(ours, 'phone');
  const theirPhone = textField(theirs, 'phone');
  if (phone !== undefined && theirPhone !== undefined && isSamePhone(phone, theirPhone)) return true;
  // The service may have matched an existing customer, whose external ID it does not show.
  const compared = externalId === undefined ? [phone, theirPhone] : [externalId, theirExternalId];
  return compared.includes(undefined) ? undefined : false;
}
