import type { FieldPath } from '../../orders/field-path.ts';
import { normaliseName, normaliseWords, once, spellPlainly } from '../../words/phrases.ts';
import { units } from '../words/quantity.ts';
import { isLeftOut, isPaymentVerdict, saysThatOrderEnded, verdict } from '../words/verdict.ts';
import { columnAt, type Header, isMisspelt, type NamedColumn } from './header.ts';
import { allRoles, listed, type MatchKind, namesIn, namesOf, type Role, roles } from './roles.ts';

/** A column that nothing reads, although it says something. */
export interface UnreadColumn extends NamedColumn {
  role: Role;
}

/** Of roles that say something where nothing reads them; of two with one name the later counts. */
const roleByName = once(() => {
  const named = allRoles.filter((role) => roles[role].unread !== undefined);
  return new Map(
    named.flatMap((role) =>
      namesIn([...(namesOf[role]?.names ?? []), ...(namesOf[role]?.weak ?? [])]).map(
        (name) => [name.replaceAll(' ', ''), role] as const,
      ),
    ),
  );
});

/** Mongolian names in one spelling, also of Latin letters: `tulbur` is `төлбөр`. */
const roleBySpelling = once(() => {
  const mongolian = [...roleByName()].filter(([name]) => /[а-яөү]/.test(name));
  return new Map(mongolian.map(([name, role]) => [spellPlainly(name), role]));
});

function roleOfName(name: string): Role | undefined {
  const folded = foldName(name);
  return roleByName().get(folded) ?? roleBySpelling().get(spellPlainly(folded));
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
  const role = roleByName().get(words.slice(Math.max(start, 0), end).join(''));
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

/** A misspelt header whose values have its role. */
function roleOfTypo(name: string, values: readonly string[]): Role | undefined {
  const folded = foldName(name);
  for (const [known, role] of roleByName())
    if (isMisspeltName(folded, known) && values.some((text) => isValueOf(role, text))) return role;
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

/** The roles that columns are searched for. */
export const searchedRoles = allRoles.filter((role) => roles[role].fits !== undefined);

export interface HeaderMatch {
  kind: MatchKind;
  /** 0 to 1: 1 for a name that can mean nothing else. */
  score: number;
}

interface Names {
  whole: ReadonlySet<string>;
  weak: ReadonlySet<string>;
  rivals: ReadonlySet<string>;
  besides: ReadonlySet<string>;
  others: ReadonlySet<string>;
  never: ReadonlySet<string>;
  /** Whether a word for the person makes a weak name certain: `destino_nombre`. */
  persons: boolean;
  /** The names as words, the longest first. */
  phrases: readonly (readonly string[])[];
}

const fillers = once(() => listed('fillers'));

/** Built for the first unknown header: most files have none. */
const namesByRole = once(
  () =>
    new Map<Role, Names>(
      searchedRoles.map((role) => {
        const {
          aliases = [],
          names = [],
          weak = [],
          rivals = [],
          besides = [],
          others = [],
          never = [],
        } = namesOf[role] ?? {};
        const all = [...namesIn(names), ...aliases.map(normaliseWords)];
        const near = new Set(namesIn(rivals));
        const own = all.filter((name) => !near.has(name));
        return [
          role,
          {
            whole: new Set(own.map(joined)),
            weak: new Set(namesIn(weak).map(joined)),
            rivals: new Set([...near].map(joined)),
            besides: new Set([...fillers(), ...namesIn(besides).flatMap(wordsOf)]),
            others: new Set(namesIn(others).flatMap(wordsOf)),
            never: new Set(namesIn(never).flatMap(wordsOf)),
            persons: role === 'name',
            phrases: own.map(wordsOf).sort((left, right) => right.length - left.length),
          },
        ] as const;
      }),
    ),
);

function joinedNames(role: Role): Set<string> {
  return new Set(namesIn(namesOf[role]?.names ?? []).map(joined));
}

/** Headers that certainly hold something else, whatever their values look like. */
const others = once(() => new Set([...joinedNames('other'), ...joinedNames('variant')]));
const maxHeaderLength = 200;

/** What joins the names of a header of two rows. */
const groupMark = ' / ';

/** The roles that a header may name, each with its score. */
export function rolesOfHeader(header: string): ReadonlyMap<Role, HeaderMatch> {
  const found = new Map<Role, HeaderMatch>();
  if (header.length > maxHeaderLength) return found;
  const own = rolesInGroup(header);
  if (own !== undefined) return own;
  const parts = partsOf(header);
  for (const [role, names] of namesByRole()) {
    if (isNever(parts, names)) continue;
    const matches = parts.flatMap((words) => matchOf(words, names) ?? []);
    const best = matches.toSorted((left, right) => right.score - left.score)[0];
    if (best !== undefined) found.set(role, best);
  }
  addByWholeName(found, header, parts);
  const isOther = isOtherName(parts);
  const best = Math.max(0, ...[...found.values()].map(({ score }) => score));
  for (const [role, { score }] of found) {
    // A header that clearly names one thing does not name what it barely fits.
    if ((isOther && score < 0.9) || score < best - 0.3) found.delete(role);
  }
  return found;
}

/** Those of `Address` in `Customer / Address`; undefined when it says too little, as `Name` in `Product / Name`. */
function rolesInGroup(header: string): ReadonlyMap<Role, HeaderMatch> | undefined {
  const start = header.lastIndexOf(groupMark);
  if (start < 0) return undefined;
  const own = rolesOfHeader(header.slice(start + groupMark.length));
  return [...own].some(([role, { kind }]) => kind === 'name' && role !== 'name') ? own : undefined;
}

/** Whether a header clearly names another role, or none. */
export function isOtherThan(role: Role, header: string): boolean {
  if (header.length > maxHeaderLength) return true;
  const parts = partsOf(header);
  const names = namesByRole().get(role);
  return isOtherName(parts) || (names !== undefined && isNever(parts, names));
}

function isOtherName(parts: readonly (readonly string[])[]): boolean {
  return parts.some((words) => others().has(joined(words.join(' '))));
}

/** Of amounts beside a total. */
const amountRoles = ['discount', 'tax', 'delivery', 'goods'] as const;
const amountNames = once(() =>
  amountRoles.map((role) => ({ role, known: namesIn(namesOf[role]?.names ?? []).map(wordsOf) })),
);

/** A total, or an amount beside it; `other`: its numbers are no amounts. Undefined for one to pay or paid, and for a header that says nothing. */
export function amountRoleOf(header: string): (typeof amountRoles)[number] | 'total' | 'other' | undefined {
  if (header.length > maxHeaderLength) return undefined;
  const known = roleOfHeader(header);
  if (known === 'shipping_method') return 'delivery';
  if (known !== undefined) return undefined;
  const parts = partsOf(header);
  const names = namesByRole().get('total');
  const besides = new Set([...(names?.besides ?? []), ...listed('amountWords')]);
  const isDeduction = parts.some((words) => words.some((word) => deductions().has(word)));
  for (const { role, known } of amountNames()) {
    // `Price after deposit` is no price.
    const mayBePart = role !== 'goods' && !isDeduction;
    const isKind = (words: readonly string[]) => {
      const own = words.filter((word) => !besides.has(word)).join('');
      return known.some(
        (name) => [words.join(''), own].includes(name.join('')) || (mayBePart && contains(words, name)),
      );
    };
    if (parts.some(isKind)) return role;
  }
  if (names !== undefined && isNever(parts, names)) return 'other';
  const found = rolesOfHeader(header);
  const isNamed = (role: Role) => found.get(role)?.kind === 'name';
  if (isNamed('total')) return 'total';
  return allRoles.some((role) => roles[role].isNumbered && isNamed(role)) ? 'other' : undefined;
}

const unitPrices = once(() => new Set(listed('unitPrices').map(joined)));

/** `Price`, `Үнэ`: perhaps of one piece. */
export function isPriceHeader(header: string): boolean {
  if (header.length > maxHeaderLength) return false;
  return partsOf(header).some((words) =>
    unitPrices().has(joined(words.filter((word) => !fillers().includes(word)).join(' '))),
  );
}

const ranks = once(() => joinedNames('rank'));

/** `№`, `Row no`: the numbers below it count something else than pieces. */
export function isRankHeader(header: string): boolean {
  const words = normaliseWords(header);
  return words === '' || ranks().has(joined(words));
}

const endedReasons: ReadonlySet<string> = new Set(['cancelled', 'refunded', 'returned', 'voided']);

/** `QuantityCancelled`, `Буцаасан тоо`: pieces that are no longer wanted. Without a word for pieces it may be a tick. */
export function countsEndedPieces(header: string, hasCounts = true): boolean {
  if (header.length > maxHeaderLength) return false;
  const words = wordsOf(normaliseName(header)).filter((word) => !/^\d+$/.test(word));
  const rest = words.filter((word) => !endedReasons.has(verdict('state', word)));
  if (rest.length === words.length) return false;
  const { whole, besides } = namesByRole().get('quantity') ?? { whole: new Set(), besides: new Set() };
  const isQuantity = rest.some((word) => whole.has(word) || units().has(word));
  const isBeside = (word: string) => besides.has(word) || whole.has(word) || units().has(word);
  return (isQuantity || hasCounts) && rest.every(isBeside);
}

/** `Total after discount` is a total. */
const deductions = once(() => new Set(listed('deductions')));

function isNever([words = []]: readonly (readonly string[])[], { never }: Names): boolean {
  if (words.some((word) => deductions().has(word))) return false;
  // These scripts put no spaces between words.
  const isWithin = (name: string) => /^\p{Lo}{2,}$/u.test(name) && words.some((word) => word.includes(name));
  return words.some((word) => never.has(word)) || [...never].some(isWithin);
}

const givenNames = once(() => new Set(listed('givenNames').map(joined)));
const familyNames = once(() => new Set(listed('familyNames').map(joined)));

/** `Delivery address` → `address`: a name without whose it is. */
export function nameWithoutPerson(role: Role, header: string): string {
  const words = wordsOf(normaliseWords(header));
  const besides = namesByRole().get(role)?.besides;
  return words.filter((word) => /\d/.test(word) || !besides?.has(word)).join(' ');
}

export function areNameParts(one: string, other: string): boolean {
  const [left, right] = [one, other].map((header) => {
    const words = wordsOf(normaliseWords(header));
    const own = words.filter((word) => !namesByRole().get('phone')?.besides.has(word));
    return joined((own.length === 0 ? words : own).join(' '));
  });
  const is = (first = '', last = '') => givenNames().has(first) && familyNames().has(last);
  return is(left, right) || is(right, left);
}

/** Headers in parentheses and beside units, and of parts of an address. */
function addByWholeName(
  found: Map<Role, HeaderMatch>,
  header: string,
  parts: readonly (readonly string[])[],
): void {
  const known = roleOfHeader(header);
  const isSearched = known !== undefined && roles[known].fits !== undefined;
  const role = known === 'address' ? addressRole(header) : isSearched ? known : partOfAddress(parts);
  if (role === undefined) {
    const isAddress = parts.some((words) => isMisspeltOf(addressNames(), words.join('')));
    if (isAddress && found.size === 0) found.set(addressRole(header), { kind: 'near', score: 0.7 });
    return;
  }
  const names = namesByRole().get(role);
  if (names !== undefined && isNever(parts, names)) return;
  const isBeside = parts.some((words) => words.some((word) => names?.others.has(word)));
  const before = found.get(role);
  if (before?.kind === 'beside' || before?.kind === 'weak' || (before?.score ?? 0) >= 0.9) return;
  found.set(role, isBeside ? { kind: 'beside', score: 0.5 } : { kind: 'name', score: 0.95 });
}

const addressNames = once(() => joinedNames('address'));

/** `shipping_person_street`, `localidad_destino`: the name of a part of an address, with whose it is. */
function partOfAddress(parts: readonly (readonly string[])[]): Role | undefined {
  const besides = namesByRole().get('street')?.besides;
  for (const words of parts) {
    const own = words.filter((word) => !besides?.has(word));
    if (own.length < words.length && own.length > 0 && addressNames().has(own.join(''))) {
      return addressRole(own.join(' '));
    }
  }
  return undefined;
}

/** The whole header, and its parts when it is written in two languages. */
function partsOf(header: string): string[][] {
  const texts = [header, ...header.split(/[/|\\;\n]|\s[-–—]\s/)];
  const outside = header.split(/[([{]/, 1)[0] ?? '';
  if (outside.trim() !== '' && outside !== header && isUnit(header.slice(outside.length)))
    texts.push(outside);
  const seen = new Set<string>();
  return texts.flatMap((text) => {
    const words = normaliseName(text);
    if (words === '' || seen.has(words)) return [];
    seen.add(words);
    return [words.split(' ')];
  });
}

/** What stands in parentheses behind the name of a field. */
const asides = once(() => new Set(listed('asides')));

function isUnit(text: string): boolean {
  const words = normaliseWords(text);
  return words === '' || units().has(words) || asides().has(words.split(' ', 1)[0] ?? '');
}

function matchOf(words: readonly string[], names: Names): HeaderMatch | undefined {
  const whole = words.join('');
  if (names.rivals.has(whole)) return { kind: 'beside', score: 0.5 };
  if (names.whole.has(whole)) return { kind: 'name', score: 1 };
  const left = words.filter((word) => !names.besides.has(word));
  if (left.length > 0 && left.length < words.length) {
    const rest = left.join('');
    if (names.rivals.has(rest)) return { kind: 'beside', score: 0.5 };
    if (names.whole.has(rest)) return { kind: 'name', score: 0.95 };
    if (names.persons && names.weak.has(rest)) return { kind: 'name', score: 0.9 };
  }
  if (names.weak.has(whole)) return { kind: 'weak', score: 0.6 };
  const phrase = names.phrases.find((candidate) => contains(words, candidate));
  if (phrase !== undefined) {
    const rest = words.filter((word) => !phrase.includes(word) && !names.besides.has(word));
    if (rest.length === 0) return { kind: 'name', score: 0.9 };
    return { kind: 'beside', score: rest.some((word) => names.others.has(word)) ? 0.5 : 0.3 };
  }
  return isMisspeltOf(names.whole, whole) ? { kind: 'near', score: 0.7 } : undefined;
}

function contains(words: readonly string[], phrase: readonly string[]): boolean {
  const [first = ''] = phrase;
  // A short word, such as "no" or "item", says too little inside another name.
  return (phrase.length > 1 || first.length >= 4) && holds(words, phrase);
}

function holds(words: readonly string[], phrase: readonly string[]): boolean {
  return words.some((_, start) => phrase.every((word, offset) => words[start + offset] === word));
}

const minTypoLength = 6;

/** In a shorter one, another letter makes another word. */
function isMisspeltName(name: string, known: string): boolean {
  return Math.min(name.length, known.length) >= minTypoLength && isMisspelt(name, known);
}

function isMisspeltOf(names: ReadonlySet<string>, name: string): boolean {
  for (const known of names) if (isMisspeltName(name, known)) return true;
  return false;
}

function wordsOf(name: string): string[] {
  return name.split(' ');
}

function joined(name: string): string {
  return name.replaceAll(' ', '');
}

const parts = once(() =>
  allRoles.flatMap((role) =>
    namesIn(namesOf[role]?.parts ?? []).map((name) => ({ role, words: wordsOf(name) })),
  ),
);

/** The part of an address that a header names; the street when it names none. */
export function addressRole(header: string): Role {
  const words = wordsOf(normaliseName(header));
  return parts().find((part) => holds(words, part.words))?.role ?? 'street';
}

const recipients = once(() => listed('recipients').map(wordsOf));

export function namesRecipient(header: string): boolean {
  const words = wordsOf(normaliseName(header));
  return recipients().some((name) => holds(words, name));
}
