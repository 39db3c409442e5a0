import { startsWithDay } from '../../../orders/calendar-date.ts';
import type { JsonObject } from '../../../orders/json.ts';
import { verdict } from '../../words/verdict.ts';
import { areTicks, isTick } from '../guess/cell-kinds.ts';
import type { ColumnProfile } from '../guess/column-profile.ts';
import { fieldsOfHeader, isOtherThan } from '../guess/guess-by-header.ts';
import { holdsAmounts } from '../guess/value-fit.ts';
import type { NamedColumn } from '../header.ts';
import { meaningOfHeader } from '../meanings.ts';
import type { ProfiledTable } from './proposal.ts';

const most = 0.8;
const maxChoices = 6;

/** Whether the values of a column that nothing reads may change an order: a list of them is shown to a person. */
export function mayMatter(
  { index, header }: NamedColumn,
  { profiles }: ProfiledTable,
  { columns = {} }: JsonObject,
): boolean {
  const profile = profiles[index];
  // An equal column says nothing new.
  if (profile === undefined || profile.filled === 0 || profile.equalTo !== undefined) return false;
  const meaning = meaningOfHeader(header);
  if (meaning !== undefined)
    return meaning !== 'name' || !Object.hasOwn(columns as JsonObject, 'customer.name');
  const isPrice = profiles.some(({ productOf }) => productOf?.[1] === index);
  const isOtherAmount = profile.isProduct || isPrice || isOtherThan('total', header) || isBesideTotal(header);
  return (
    holdsChoices(profile) ||
    (holdsAmounts(profile) && profile.different > 1 && !isOtherAmount) ||
    holdsCounts(profile) ||
    holdsPlaces(profile, columns as JsonObject)
  );
}

/** A few texts that repeat, a tick, or a word that says more. */
function holdsChoices({ values, filled, blankOrders, shares }: ColumnProfile): boolean {
  if (values === undefined) return false;
  const texts = values.map(({ text }) => text);
  if (texts.some((text) => !['unknown', 'nothing', 'yes', 'no', 'mnt'].includes(verdict('any', text))))
    return true;
  const different = texts.length + Number(blankOrders > 0);
  if (areTicks(texts)) return different > 1;
  // A tick or an amount among other texts, such as a deposit of which one says `all`.
  if (
    texts.some((text) => isTick(text) && !/\d/.test(text)) ||
    (shares.money > 0 && shares.money < most && texts.some(isLarge))
  )
    return true;
  if (texts.every(startsWithDay) || shares.money >= most) return false;
  return different > 1 && texts.length <= maxChoices && filled >= 2 * texts.length;
}

const isLarge = (text: string) => /\d{3}/.test(text);

/** `Subtotal`, `Shipping total` */
function isBesideTotal(header: string): boolean {
  const match = fieldsOfHeader(header).get('total');
  return match?.kind === 'beside' && match.score >= 0.5;
}

/** Small whole numbers, not all of which are one. */
function holdsCounts({ shares, values, isRowNumber }: ColumnProfile): boolean {
  if (values === undefined || isRowNumber || shares.count < most) return false;
  return values.length > 1 && values.some(({ text }) => /^(?:[2-9]|[1-9]\d)$/.test(text));
}

/** Phones, days and addresses. */
function holdsPlaces({ shares, different, samples }: ColumnProfile, columns: JsonObject): boolean {
  if (different < 2) return false;
  const lacks = (field: string) => Object.keys(columns).every((name) => !name.startsWith(field));
  return (
    shares.certain_phone >= most ||
    // With a time it is when something happened.
    (shares.date >= most &&
      !samples.some((text) => /\d:\d\d/.test(text)) &&
      lacks('requestedDeliveryDate')) ||
    (shares.address >= 0.5 && lacks('deliveryAddress.'))
  );
}
