import { distance } from 'fastest-levenshtein';
import type { FieldPath } from '../../orders/field-path.ts';
import { normaliseName, normaliseWords, once, spellPlainly } from '../../words/phrases.ts';
import { units } from '../words/quantity.ts';
import { isLeftOut, isPaymentVerdict, saysThatOrderEnded, verdict } from '../words/verdict.ts';
import { columnAt, type Header, type NamedColumn } from './header.ts';
import { listed, namesIn, namesOf } from './lexicon.ts';
import { allRoles, type Role, roles } from './roles.ts';

/** A column that nothing reads, although it says something. */
export interface UnreadColumn extends NamedColumn {
  role: Role;
}

/** A column that nothing reads, and what it is where that is known. */
export interface IgnoredColumn extends NamedColumn {
  role?: Role;
}

export function isUnreadColumn(column: IgnoredColumn): column is UnreadColumn {
  return column.role !== undefined;
}

/** Of roles that say something where nothing reads them; of two with one name the later counts. */
const roleByName = new Map<string, Role>(
  allRoles
    .filter((role) => roles[role].unread !== undefined)
    .flatMap((role) =>
      namesIn([...(namesOf[role]?.names ?? []), ...(namesOf[role]?.weak ?? [])]).map(
        (name) => [name.replaceAll(' ', ''), role] as const,
      ),
    ),
);

/** Mongolian names in one spelling, also of Latin letters: `tulbur` is `төлбөр`. */
const roleBySpelling = new Map(
  [...roleByName].flatMap(([name, role]) =>
    /[а-яөү]/.test(name) ? [[spellPlainly(name), role] as const] : [],
  ),
);

function roleOfName(name: string): Role | undefined {
  const folded = foldName(name);
  return roleByName.get(folded) ?? roleBySpelling.get(spellPlainly(folded));
}

/** Longer headers are not taken apart: a text of 1 MiB has very many parts. */
const maxNameLength = 1000;

/** The whole header, else what stands before its unit (`Qty (pcs)`), else one of two languages. */
export function roleOfHeader(header: string): Role | undefined {
  const known = roleOfName(header);
  if (known !== undefined || header.length > maxNameLength) return known;
  const [outside = ''] = header.replace(/^[\s*#]+/, '').split(/[([{?]/, 1);
  const parts = (outside === '' ? header : outside).split(/[/|\\,;:+]|\s[-–—]\s|\n/);
  const found = parts.map(
    (part) => roleOfName(part) ?? roleOfPart(part) ?? (saysThatOrderEnded(part) ? 'state' : undefined),
  );
  // A price may be "per piece", so that a unit alone means nothing.
  const isQuantity = (role: Role | undefined) => role === 'quantity';
  if (isQuantity(found[0])) return 'quantity';
  const others = found.filter((role) => role !== undefined && !isQuantity(role));
  // `Payment / Deposit` joins the names of a header of two rows: the lower one says more.
  return others.at(header.includes(' / ') ? -1 : 0);
}

const persons = once(() => new Set(listed('persons').flatMap((name) => name.split(' '))));

/** `RecipientCity`, `Ilość szt.`: the name without its person or its unit. */
function roleOfPart(part: string): Role | undefined {
  const words = normaliseName(part).split(' ');
  const end = words.length > 1 && units().has(words.at(-1) ?? '') ? -1 : undefined;
  const start = words.findIndex((word) => !persons().has(word));
  const role = roleByName.get(words.slice(Math.max(start, 0), end).join(''));
  return start > 0 && !['address', 'name', 'note'].includes(role ?? '') ? undefined : role;
}

interface FilledColumn extends NamedColumn {
  path: FieldPath;
}

/** By their headers; a misspelt one counts with values that fit. `columns`: those that fill a field. */
export function findUnread(
  header: Header,
  indexes: readonly number[],
  columns: readonly FilledColumn[] = [],
): UnreadColumn[] {
  const numbered = new Set(columns.filter(isNumberedLine).map((column) => withoutNumber(column.header)));
  return indexes.flatMap((index): UnreadColumn[] => {
    const column = columnAt(header, index);
    const name = column.header;
    if (/\d/.test(name) && numbered.has(withoutNumber(name))) return [{ ...column, role: 'line' }];
    const values = (header.below ?? []).map(({ cells }) => cells[index] ?? '').filter((text) => text !== '');
    const different = [...new Set(values)];
    const role = roleOfHeader(name) ?? roleOfTypo(name, different);
    return role === undefined ? [] : [{ ...column, role: roleWithValues(role, different, name) }];
  });
}

/** A column of states may hold payments as well, and one named for delivery may hold states: its values say so. */
export function roleWithValues(role: Role, values: readonly string[], header: string): Role {
  if (values.length > maxStates) return role;
  if (role === 'state' && values.some(isOnlyPayment)) return 'state_or_payment';
  const holdsStates =
    role === 'shipping_method' &&
    values.some(
      (text) => isStateOfShipping(text, header) || verdict('shipping_or_state', text, header) === 'unclear',
    );
  return holdsStates ? 'shipping_or_state' : role;
}

/** Whether a text of a column for the shipping method is a state, and no method. */
export function isStateOfShipping(text: string, header: string): boolean {
  return isValueOf('state', text) && verdict('shipping_method', text, header) === 'unknown';
}

/** A column of one of several lines that stand side by side, such as `SKU 1`. */
function isNumberedLine({ path, header }: FilledColumn): boolean {
  return path[0] === 'items' && typeof path[1] === 'number' && /\d/.test(header);
}

function withoutNumber(header: string): string {
  return foldName(header.replace(/\d+/, '#'));
}

/** Only when the different values of `count` cells are known, and one changes what is delivered or collected. */
export function roleOfValues(values: readonly string[], count: number): Role | undefined {
  const some = (holds: (text: string) => boolean) => values.some(holds);
  const areKnown = (role: Role) => {
    const known = values.filter((text) => isValueOf(role, text)).length;
    return known === values.length || (isChoice(values, count) && 3 * known >= values.length);
  };
  if (values.length === 0) return undefined;
  if (some((text) => verdict('payment_method', text) === 'on_delivery') && areKnown('payment_method'))
    return 'payment_method';
  if (values.length > 1 && some((text) => isLeftOut(verdict('state', text))) && areKnown('state'))
    return 'state';
  const hasPickup = some((text) => isValueOf('shipping_method', text));
  if (hasPickup && values.length <= maxChoices && count >= 2 * values.length) return 'shipping_method';
  const areCurrencies = values.every((text) => isValueOf('currency', text));
  return areCurrencies && some((text) => verdict('currency', text) !== 'mnt') ? 'currency' : undefined;
}

function isValueOf(role: Role, text: string): boolean {
  return roles[role].isValue?.(text) ?? false;
}

/** Whether so many cells hold a choice of these few values; a third of them must be known. */
function isChoice({ length }: readonly string[], count: number): boolean {
  return length <= maxChoices && count > length;
}

const minTypoLength = 6;

/** A misspelt header whose values have its role. */
function roleOfTypo(name: string, values: readonly string[]): Role | undefined {
  const folded = foldName(name);
  if (folded.length < minTypoLength || values.length === 0) return undefined;
  const limit = folded.length >= 8 ? 2 : 1;
  for (const [known, role] of roleByName) {
    const isNear = Math.abs(known.length - folded.length) <= limit && known.length >= minTypoLength;
    if (isNear && distance(folded, known) <= limit && values.some((text) => isValueOf(role, text)))
      return role;
  }
  return undefined;
}

/** A column of names or notes has more values than a choice of shipping methods. */
const maxChoices = 5;
const maxStates = 20;

/** `paid` is a state as well, but without a rule for it the courier would collect what is paid. */
function isOnlyPayment(text: string): boolean {
  const isPayment = verdict('state', text) === 'unknown' && isPaymentVerdict(verdict('payment_method', text));
  return isPayment || verdict('state_or_payment', text) === 'paid';
}

function foldName(name: string): string {
  return normaliseWords(name).replaceAll(' ', '');
}
