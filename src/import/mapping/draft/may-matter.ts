import type { JsonObject } from '../../../orders/json.ts';
import { fieldsOfHeader, isOtherThan } from '../../columns/guess-by-header.ts';
import type { NamedColumn } from '../../columns/header.ts';
import { meaningOfHeader } from '../../columns/meanings.ts';
import { readValues } from '../../columns/reading.ts';
import type { ProfiledTable } from './proposal.ts';

/** Whether the values of a column that nothing reads may change an order: a list of them is shown to a person. */
export function mayMatter(
  { index, header }: NamedColumn,
  { profiles }: ProfiledTable,
  { columns = {} }: JsonObject,
): boolean {
  const profile = profiles[index];
  // An equal column says nothing new.
  if (profile === undefined || profile.filled === 0 || profile.equalTo !== undefined) return false;
  const isFilled = (field: string) => Object.hasOwn(columns as JsonObject, field);
  const meaning = meaningOfHeader(header);
  if (meaning === 'name') return !isFilled('customer.name');
  // A SKU says which size is meant.
  if (meaning === 'variant') return !isFilled('items[].sku');
  if (meaning !== undefined) return true;
  const said = readValues(profile);
  if (said.words || said.ticks || said.choices || said.quantity) return true;
  const isPrice = profiles.some(({ productOf }) => productOf?.[1] === index);
  const isOtherAmount = profile.isProduct || isPrice || isOtherThan('total', header) || isBesideTotal(header);
  if (said.amounts && !isOtherAmount) return true;
  const lacks = (field: string) => !Object.keys(columns as JsonObject).some((name) => name.startsWith(field));
  // With a time it is when something happened.
  const isDay = said.date && !profile.samples.some((text) => /\d:\d\d/.test(text));
  return (
    (profile.different > 1 || profile.blankOrders > 0) &&
    (said.phone ||
      (isDay && lacks('requestedDeliveryDate')) ||
      (said.address && (lacks('deliveryAddress.') || !isOfOther(header))))
  );
}

/** `Billing address` */
function isOfOther(header: string): boolean {
  const match = fieldsOfHeader(header).get('deliveryAddress.street');
  return match?.kind === 'beside' && match.score >= 0.5;
}

/** `Subtotal`, `Shipping total` */
function isBesideTotal(header: string): boolean {
  const match = fieldsOfHeader(header).get('total');
  return match?.kind === 'beside' && match.score >= 0.5;
}
