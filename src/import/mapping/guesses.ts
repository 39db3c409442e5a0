import { type Text, t } from '../../advice/advice.ts';
import { type Header, type NamedColumn, nameOf } from '../columns/header.ts';
import {
  amountRoleOf,
  countsEndedPieces,
  type HeaderMatch,
  isOtherThan,
  isRankHeader,
  namesRecipient,
  nameWithoutPerson,
  roleOfHeader,
  rolesOfHeader,
  searchedRoles,
} from '../columns/header-roles.ts';
import type { ColumnProfile } from '../columns/profile.ts';
import { minFit } from '../columns/reading.ts';
import { fitOf, isDecisive, type MatchKind, type Role, roles } from '../columns/roles.ts';
import { type Column, fills } from './column.ts';

/** A column as it is shown to a person. */
export interface ShownColumn extends NamedColumn {
  /** Up to three different texts. */
  samples: readonly string[];
  /** `48 of 50 values look like phones` */
  reasons?: readonly Text[];
}

export interface ColumnGuess extends ShownColumn {
  /** 0 to 1 */
  score: number;
}

export interface FieldGuesses {
  role: Role;
  /** What the role fills. */
  field: string;
  /** Best first. No other field has the same column. */
  guesses: readonly ColumnGuess[];
  /** The first is certainly right: its header and values agree, and it has no rival. */
  isSettled: boolean;
  /** Parts of one text, in the order of the file: a street and its house number. */
  parts?: readonly ColumnGuess[];
  /** Several are named as the whole of it: `Address` and `Delivery address`. */
  areRivals?: boolean;
  /** Pieces of the first that are no longer wanted: `QuantityCancelled` beside `QuantityOrdered`. */
  minus?: readonly ColumnGuess[];
}

const minRivalScore = 0.3;
const minSettledScore = 0.9;
const minSettledFit = 0.85;
/** How far the best of several columns for a name or an address must be ahead. */
const minLead = 0.15;

interface ScoredGuess extends ColumnGuess {
  role: Role;
  /** 0 when only the values speak for it. */
  headerScore: number;
  fit: number;
  /** Its header may be the name of other fields as well. */
  isWeak: boolean;
}

/** From headers and values together. `indexes` are the columns that nothing reads yet. */
export function guessColumns(
  header: Header,
  profiles: readonly ColumnProfile[],
  indexes: readonly number[],
): FieldGuesses[] {
  // The same column again is no rival.
  const isCopy = (index: number) => {
    const first = profiles[index]?.equalTo;
    return first !== undefined && indexes.includes(first);
  };
  const own = indexes.filter((index) => !isCopy(index));
  const candidates = withoutNeedless(
    withoutOrderCodes(
      own.flatMap((index) => candidatesOf(header, index, profiles[index])),
      profiles,
    ),
  );
  const best = bestRolesOf(candidates);
  const found = searchedRoles.flatMap((role): FieldGuesses[] => {
    const all = candidates.filter((candidate) => candidate.role === role).toSorted(compare);
    const own = all.filter(({ index }) => best.get(index)?.role === role);
    const [first] = own;
    if (first === undefined) return [];
    const isEnded = ({ index, header: name }: ScoredGuess) =>
      countsEndedPieces(name) && profiles[index]?.atMost.includes(first.index) === true;
    const isOnlyEnded = role === 'quantity' && own.every(({ header: name }) => countsEndedPieces(name));
    if (isOnlyEnded) return [];
    const ended = role === 'quantity' ? own.filter((guess) => guess !== first && isEnded(guess)) : [];
    // Two such columns may count the same pieces.
    const minus = ended.length === 1 ? ended : [];
    const rivals = all.filter((guess) => !minus.includes(guess));
    const guesses = own.filter((guess) => !minus.includes(guess));
    const parts = partsOf(role, guesses);
    const areRivals = nameOneThing(role, parts);
    return [
      {
        role,
        field: roles[role].field ?? '',
        guesses,
        isSettled: !areRivals && isWithoutRival(first, rivals, guesses),
        ...(areRivals ? { areRivals } : parts.length > 1 ? { parts } : {}),
        ...(minus.length > 0 ? { minus } : {}),
      },
    ];
  });
  const others = lastIds(header, profiles, own, best);
  const isId = ({ role }: FieldGuesses) => role === 'order_id';
  return found.some(isId)
    ? found.map((guessed) => (isId(guessed) ? withOrderNumbers(guessed, others, profiles) : guessed))
    : [...others, ...found];
}

/** A code that each order has once is the order's, where another column has the codes of products. */
function withoutOrderCodes(
  candidates: readonly ScoredGuess[],
  profiles: readonly ColumnProfile[],
): ScoredGuess[] {
  const isOfOrder = ({ index }: ScoredGuess) => (profiles[index]?.uniqueShare ?? 0) >= 0.98;
  const skus = candidates.filter(({ role }) => role === 'sku');
  const hasBetter = skus.some(
    (one) => one.headerScore >= minSettledScore || (one.headerScore > 0 && !isOfOrder(one)),
  );
  if (!hasBetter) return [...candidates];
  return candidates.filter((one) => !(one.role === 'sku' && one.isWeak && isOfOrder(one)));
}

/** Columns mapped by their usual name although another column may be meant: `Phone` beside `Delivery Phone`. */
export function contestedColumns(
  header: Header,
  profiles: readonly ColumnProfile[],
  columns: readonly Column[],
  free: readonly number[],
): Column[] {
  const isPhone = fills('customer.phone');
  return columns.filter((column) => {
    if (column.source !== 'alias' || !isPhone(column)) return false;
    const found = guessColumns(header, profiles, [column.index, ...free]);
    const phones = found.find(({ role }) => role === 'phone')?.guesses ?? [];
    return phones.length > 1 && phones.some(({ index }) => index === column.index);
  });
}

/** Columns of cancelled or returned pieces, which say nothing about the state of an order. */
export function endedPieces(
  header: Header,
  profiles: readonly ColumnProfile[],
  indexes: readonly number[],
): ColumnGuess[] {
  const found = guessColumns(header, profiles, indexes).find(({ role }) => role === 'quantity');
  const { guesses = [], minus = [] } = found ?? {};
  return [...minus, ...guesses.filter(({ header: name }) => countsEndedPieces(name))];
}

/** Headers that name parts of one address; a column that only looks like one is a rival. */
function partsOf(role: Role, guesses: readonly ScoredGuess[]): ScoredGuess[] {
  if (!isAddress(role)) return [];
  const named = guesses.filter(({ headerScore }) => headerScore >= minSettledScore);
  return named.toSorted((left, right) => left.index - right.index);
}

/** Of the address, and not the note beside it. */
export function isAddress(role: Role): boolean {
  return role !== 'note' && roles[role].field?.startsWith('deliveryAddress.') === true;
}

function nameOneThing(role: Role, parts: readonly ColumnGuess[]): boolean {
  const names = parts.map(({ header }) => nameWithoutPerson(role, header));
  return names.some((name, place) => !/\d/.test(name) && names.indexOf(name) !== place);
}

/** Fields that only the values suggest are needed only where no header names them. */
function withoutNeedless(candidates: readonly ScoredGuess[]): ScoredGuess[] {
  const isNamed = (role: Role) =>
    candidates.some((other) => other.role === role && other.headerScore >= minSettledScore);
  return candidates.filter(({ role, headerScore }) => {
    if (headerScore > 0 || role === 'phone' || role === 'order_id') return true;
    return !(role === 'product' && isNamed('sku')) && !isNamed(role);
  });
}

/** Without a better column: one whose values do not repeat, such as row numbers. */
function lastIds(
  header: Header,
  profiles: readonly ColumnProfile[],
  indexes: readonly number[],
  best: ReadonlyMap<number, ScoredGuess>,
): FieldGuesses[] {
  const guesses = indexes.flatMap((index): ColumnGuess[] => {
    const profile = profiles[index];
    const title = header.cells[index] ?? '';
    if (profile === undefined || title === '' || title.startsWith('_') || best.has(index)) return [];
    if (profile.filled === 0 || profile.shares.id < minFit || profile.uniqueShare < 0.98) return [];
    const { shares } = profile;
    if (shares.certain_phone >= minFit || shares.date > 0 || shares.address >= 0.5) return [];
    if (profile.different < 2 || isOtherThan('order_id', title) || isForRule(title)) return [];
    const reasons = reasonsOf('order_id', profile, undefined);
    return [{ index, header: nameOf(header, index), samples: profile.samples, score: 0.1, reasons }];
  });
  return guesses.length === 0
    ? []
    : [{ role: 'order_id', field: 'externalOrderId', guesses, isSettled: false }];
}

const orderNumber = /^[^\s\d]{0,6}\d[\p{L}\d/_.-]+$/u;

/** Beside a column that may hold the IDs, such as `Id`, one under another header whose values look like them. */
function withOrderNumbers(
  guessed: FieldGuesses,
  others: readonly FieldGuesses[],
  profiles: readonly ColumnProfile[],
): FieldGuesses {
  if (guessed.isSettled) return guessed;
  const areNumbers = ({ index }: ColumnGuess) =>
    profiles[index]?.shares.round !== 1 && profiles[index]?.examples.every((text) => orderNumber.test(text));
  return {
    ...guessed,
    guesses: [...guessed.guesses, ...others.flatMap(({ guesses }) => guesses).filter(areNumbers)],
  };
}

/** Each column for one role: a header such as "Code" goes where no better column is. */
function bestRolesOf(candidates: readonly ScoredGuess[]): Map<number, ScoredGuess> {
  const rank = ({ role, index, score, headerScore }: ScoredGuess) => {
    const hasBetter = candidates.some(
      (other) => other.role === role && other.index !== index && other.headerScore >= minSettledScore,
    );
    return headerScore < minSettledScore && hasBetter ? score - 0.5 : score;
  };
  const best = new Map<number, ScoredGuess>();
  for (const candidate of candidates) {
    const known = best.get(candidate.index);
    if (known === undefined || rank(candidate) > rank(known)) best.set(candidate.index, candidate);
  }
  return best;
}

/** Best first; of two equal ones, the recipient's. */
function compare(left: ScoredGuess, right: ScoredGuess): number {
  const isNear = Math.abs(left.score - right.score) <= 0.05;
  const byPerson = Number(namesRecipient(right.header)) - Number(namesRecipient(left.header));
  return isNear && byPerson !== 0 ? byPerson : right.score - left.score;
}

function isWithoutRival(
  best: ScoredGuess,
  all: readonly ScoredGuess[],
  own: readonly ScoredGuess[],
): boolean {
  if (best.headerScore < minSettledScore || best.fit < minSettledFit) return false;
  const others = all.filter((other) => other.index !== best.index);
  // A column of phones is somebody's phone, whatever its header says.
  if (best.role === 'phone') return others.length === 0;
  return roles[best.role].isStrict
    ? others.every((other) => other.headerScore < minRivalScore || (other.isWeak && !own.includes(other)))
    : others.every(({ score }) => score <= best.score - minLead);
}

/** A column that a rule reads never fills a field, but for the amount to collect and the delivery date. */
function isForRule(title: string): boolean {
  const role = roleOfHeader(title);
  return role !== undefined && isDecisive(role) && roles[role].field === undefined;
}

/** Other cells may be blank, which is 0. */
const minEndedCounts = 0.95;
const endedMatches: ReadonlyMap<Role, HeaderMatch> = new Map([['quantity', { kind: 'beside', score: 0.5 }]]);

function candidatesOf(header: Header, index: number, profile: ColumnProfile | undefined): ScoredGuess[] {
  const title = header.cells[index] ?? '';
  if (profile === undefined || profile.filled === 0 || title === '' || title.startsWith('_')) return [];
  const isEnded = countsEndedPieces(title, profile.largest > 1) && profile.shares.count >= minEndedCounts;
  const matches = isEnded ? endedMatches : rolesOfHeader(title);
  const isRead = !isEnded && isForRule(title);
  const namesAmount = !['other', undefined].includes(amountRoleOf(title));
  const base = { index, header: nameOf(header, index), samples: profile.samples };
  const fitTo = (role: Role) => fitOf(role, profile, matches.get(role)?.kind);
  const isFitting = [...matches.keys()].some((role) => fitTo(role) >= minFit);
  const isNamed = isFitting || [...matches].some(([role, { kind }]) => kind === 'name' && role !== 'total');
  const mayBeQuantity = !isFitting && !isRankHeader(title);
  // `Номер клиента` may be a phone or a number of the customer.
  const mayBePhone = !isFitting && [...matches.keys()].every((role) => roles[role].mayBePhone);
  return searchedRoles.flatMap((role) => {
    const match = matches.get(role);
    const isOpen = role === 'phone' ? mayBePhone : role === 'quantity' ? mayBeQuantity : !isNamed;
    const isMeant = match !== undefined || (isOpen && !isOtherThan(role, title));
    if (!isMeant || (role === 'order_id' && namesAmount) || (isRead && match?.kind !== 'name')) return [];
    const fit = fitTo(role);
    if (fit < minFit || (match === undefined && !roles[role].speaks?.(profile))) return [];
    const headerScore = match?.score ?? 0;
    // Names of products repeat; those of people hardly do.
    const lack = role === 'product' && headerScore === 0 ? 0.1 * profile.uniqueShare : 0;
    const score = Math.round((0.65 * headerScore + 0.35 * fit - lack) * 100) / 100;
    const isWeak = match?.kind === 'weak';
    return [{ ...base, role, headerScore, fit, isWeak, score, reasons: reasonsOf(role, profile, match) }];
  });
}

function reasonsOf(
  role: Role,
  { shares, filled, uniqueShare }: ColumnProfile,
  match: HeaderMatch | undefined,
): Text[] {
  const reasons: Text[] = [];
  if (match !== undefined) reasons.push(headerReasons[match.kind]);
  const [kind, words = ''] = roles[role].looks ?? [];
  if (kind !== undefined)
    reasons.push(t`${Math.round(shares[kind] * filled)} of ${filled} values look like ${words}`);
  if (role === 'order_id' && uniqueShare === 1) reasons.push(t`no two orders have the same value`);
  return reasons;
}

const headerReasons: Record<MatchKind, Text> = {
  name: t`its header is a name of the field`,
  weak: t`its header may be a name of the field`,
  beside: t`its header is close to a name of the field`,
  near: t`its header is a name of the field, misspelt`,
};
