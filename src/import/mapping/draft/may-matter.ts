import type { JsonObject } from '../../../orders/json.ts';
import type { NamedColumn } from '../../columns/header.ts';
import { isOtherThan, roleOfHeader, rolesOfHeader } from '../../columns/header-roles.ts';
import { readValues } from '../../columns/reading.ts';
import type { Role } from '../../columns/roles.ts';
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
  const role = roleOfHeader(header);
  if (role === 'name') return !isFilled('customer.name');
  // A SKU says which size is meant.
  if (role === 'variant') return !isFilled('items[].sku');
  if (role !== undefined) return true;
  const said = readValues(profile);
  if (said.words || said.ticks || said.choices || said.quantity) return true;
  const isPrice = profiles.some(({ productOf }) => productOf?.[1] === index);
  const isOtherAmount =
    profile.isProduct || isPrice || isOtherThan('total', header) || isBeside('total', header);
  if (said.amounts && !isOtherAmount) return true;
  const lacks = (field: string) => !Object.keys(columns as JsonObject).some((name) => name.startsWith(field));
  // With a time it is when something happened.
  const isDay = said.date && !profile.samples.some((text) => /\d:\d\d/.test(text));
  return (
    (profile.different > 1 || profile.blankOrders > 0) &&
    (said.phone ||
      (isDay && lacks('requestedDeliveryDate')) ||
      (said.address && (lacks('deliveryAddress.') || !isBeside('street', header))))
  );
}

/** `Billing address` beside that of the delivery; `Subtotal`, `Shipping total` beside a total. */
function isBeside(role: Role, header: string): boolean {
  const match = rolesOfHeader(header).get(role);
  return match?.kind === 'beside' && match.score >= 0.5;
}
