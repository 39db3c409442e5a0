import type { Text } from '../../advice/advice.ts';
import {
  amountKindOf,
  countsEndedPieces,
  fieldsOfHeader,
  type GuessedField,
  guessedFields,
  type HeaderMatch,
  isOtherThan,
  isRankHeader,
  nameWithoutPerson,
} from '../columns/guess-by-header.ts';
import { type Header, type NamedColumn, nameOf } from '../columns/header.ts';
import { decisiveMeanings, meaningOfHeader } from '../columns/meanings.ts';
import type { ColumnProfile } from '../columns/profile.ts';
import { fitOf, minFit, reasonsOf, speaksForItself } from '../columns/reading.ts';
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
  field: GuessedField;
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

/** A wrong guess would send an order twice, to another customer, or for another amount. */
const strictFields: readonly GuessedField[] = [
  'externalOrderId',
  'customer.phone',
  'customer.externalCustomerId',
  'items[].sku',
  'items[].quantity:number',
  'total',
  'collectionAmount',
  'requestedDeliveryDate',
];

const minRivalScore = 0.3;
const minSettledScore = 0.9;
const minSettledFit = 0.85;
/** How far the best of several columns for a name or an address must be ahead. */
const minLead = 0.15;

interface ScoredGuess extends ColumnGuess {
  field: GuessedField;
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
  const bestFields = bestFieldsOf(candidates);
  const found = guessedFields.flatMap((field): FieldGuesses[] => {
    const all = candidates.filter((candidate) => candidate.field === field).toSorted(compare);
    const own = all.filter(({ index }) => bestFields.get(index)?.field === field);
    const [best] = own;
    if (best === undefined) return [];
    const isEnded = ({ index, header: name }: ScoredGuess) =>
      countsEndedPieces(name) && profiles[index]?.atMost.includes(best.index) === true;
    const isOnlyEnded = field === quantity && own.every(({ header: name }) => countsEndedPieces(name));
    if (isOnlyEnded) return [];
    const ended = field === quantity ? own.filter((guess) => guess !== best && isEnded(guess)) : [];
    // Two such columns may count the same pieces.
    const minus = ended.length === 1 ? ended : [];
    const rivals = all.filter((guess) => !minus.includes(guess));
    const guesses = own.filter((guess) => !minus.includes(guess));
    const parts = partsOf(field, guesses);
    const areRivals = nameOneThing(field, parts);
    return [
      {
        field,
        guesses,
        isSettled: !areRivals && isWithoutRival(best, rivals, guesses),
        ...(areRivals ? { areRivals } : parts.length > 1 ? { parts } : {}),
        ...(minus.length > 0 ? { minus } : {}),
      },
    ];
  });
  const others = lastIds(header, profiles, own, bestFields);
  const isId = ({ field }: FieldGuesses) => field === 'externalOrderId';
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
  const skus = candidates.filter(({ field }) => field === 'items[].sku');
  const hasBetter = skus.some(
    (one) => one.headerScore >= minSettledScore || (one.headerScore > 0 && !isOfOrder(one)),
  );
  if (!hasBetter) return [...candidates];
  return candidates.filter((one) => !(one.field === 'items[].sku' && one.isWeak && isOfOrder(one)));
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
    const phones = found.find(({ field }) => field === 'customer.phone')?.guesses ?? [];
    return phones.length > 1 && phones.some(({ index }) => index === column.index);
  });
}

/** Columns of cancelled or returned pieces, which say nothing about the state of an order. */
export function endedPieces(
  header: Header,
  profiles: readonly ColumnProfile[],
  indexes: readonly number[],
): ColumnGuess[] {
  const found = guessColumns(header, profiles, indexes).find(({ field }) => field === quantity);
  const { guesses = [], minus = [] } = found ?? {};
  return [...minus, ...guesses.filter(({ header: name }) => countsEndedPieces(name))];
}

const quantity: GuessedField = 'items[].quantity:number';

/** Headers that name parts of one address; a column that only looks like one is a rival. */
function partsOf(field: GuessedField, guesses: readonly ScoredGuess[]): ScoredGuess[] {
  if (!field.startsWith('deliveryAddress.') || field === 'deliveryAddress.note') return [];
  const named = guesses.filter(({ headerScore }) => headerScore >= minSettledScore);
  return named.toSorted((left, right) => left.index - right.index);
}

function nameOneThing(field: GuessedField, parts: readonly ColumnGuess[]): boolean {
  const names = parts.map(({ header }) => nameWithoutPerson(field, header));
  return names.some((name, place) => !/\d/.test(name) && names.indexOf(name) !== place);
}

/** Fields that only the values suggest are needed only where no header names them. */
function withoutNeedless(candidates: readonly ScoredGuess[]): ScoredGuess[] {
  const isNamed = (field: GuessedField, min: number) =>
    candidates.some((other) => other.field === field && other.headerScore >= min);
  return candidates.filter(({ field, headerScore }) => {
    if (headerScore > 0 || field === 'customer.phone' || field === 'externalOrderId') return true;
    if (field === 'items[].name' && isNamed('items[].sku', minSettledScore)) return false;
    return !isNamed(field, minSettledScore);
  });
}

/** Without a better column: one whose values do not repeat, such as row numbers. */
function lastIds(
  header: Header,
  profiles: readonly ColumnProfile[],
  indexes: readonly number[],
  bestFields: ReadonlyMap<number, ScoredGuess>,
): FieldGuesses[] {
  const guesses = indexes.flatMap((index): ColumnGuess[] => {
    const profile = profiles[index];
    const title = header.cells[index] ?? '';
    if (profile === undefined || title === '' || title.startsWith('_') || bestFields.has(index)) return [];
    if (profile.filled === 0 || profile.shares.id < minFit || profile.uniqueShare < 0.98) return [];
    const { shares } = profile;
    if (shares.certain_phone >= minFit || shares.date > 0 || shares.address >= 0.5) return [];
    if (profile.different < 2 || isOtherThan('externalOrderId', title) || isForRule(title)) return [];
    const reasons = reasonsOf('externalOrderId', profile, undefined);
    return [{ index, header: nameOf(header, index), samples: profile.samples, score: 0.1, reasons }];
  });
  return guesses.length === 0 ? [] : [{ field: 'externalOrderId', guesses, isSettled: false }];
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

/** Each column for one field: a header such as "Code" goes where no better column is. */
function bestFieldsOf(candidates: readonly ScoredGuess[]): Map<number, ScoredGuess> {
  const rank = ({ field, index, score, headerScore }: ScoredGuess) => {
    const hasBetter = candidates.some(
      (other) => other.field === field && other.index !== index && other.headerScore >= minSettledScore,
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

const recipient =
  /recipient|receiver|consignee|shipping|delivery|destinatario|env[ií]o|entrega|empf[äa]nger|liefer|livraison|destinataire|получател|доставк|хүлээн ?авагч|хүргэлт|al[ıi]c[ıi]|teslimat|odbiorc|алушы|נמען/i;

/** Best first; of two equal ones, the recipient's. */
function compare(left: ScoredGuess, right: ScoredGuess): number {
  const isNear = Math.abs(left.score - right.score) <= 0.05;
  const byPerson = Number(recipient.test(right.header)) - Number(recipient.test(left.header));
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
  if (best.field === 'customer.phone') return others.length === 0;
  return strictFields.includes(best.field)
    ? others.every((other) => other.headerScore < minRivalScore || (other.isWeak && !own.includes(other)))
    : others.every(({ score }) => score <= best.score - minLead);
}

/** A column that a rule reads never fills a field, but for the amount to collect and the delivery date. */
function isForRule(title: string): boolean {
  const meaning = meaningOfHeader(title);
  return (
    meaning !== undefined && decisiveMeanings.includes(meaning) && !['amount_due', 'date'].includes(meaning)
  );
}

const personFields: readonly GuessedField[] = [
  'externalOrderId',
  'customer.phone',
  'customer.externalCustomerId',
  'customer.name',
];

/** Other cells may be blank, which is 0. */
const minEndedCounts = 0.95;
const endedMatches: ReadonlyMap<GuessedField, HeaderMatch> = new Map([
  ['items[].quantity:number', { kind: 'beside', score: 0.5 }],
]);

function candidatesOf(header: Header, index: number, profile: ColumnProfile | undefined): ScoredGuess[] {
  const title = header.cells[index] ?? '';
  if (profile === undefined || profile.filled === 0 || title === '' || title.startsWith('_')) return [];
  const isEnded = countsEndedPieces(title, profile.largest > 1) && profile.shares.count >= minEndedCounts;
  const matches = isEnded ? endedMatches : fieldsOfHeader(title);
  const isRead = !isEnded && isForRule(title);
  const namesAmount = !['none', undefined].includes(amountKindOf(title));
  const base = { index, header: nameOf(header, index), samples: profile.samples };
  const fits = (field: GuessedField) => fitOf(field, profile, matches.get(field)) >= minFit;
  const isFitting = [...matches.keys()].some(fits);
  const isNamed = isFitting || [...matches].some(([field, { kind }]) => kind === 'name' && field !== 'total');
  const mayBeQuantity = !isFitting && !isRankHeader(title);
  // `Номер клиента` may be a phone or a number of the customer.
  const mayBePhone = [...matches.keys()].every((field) => personFields.includes(field) && !fits(field));
  return guessedFields.flatMap((field) => {
    const match = matches.get(field);
    const isOpen = field === 'customer.phone' ? mayBePhone : field === quantity ? mayBeQuantity : !isNamed;
    if (match === undefined && !isOpen) return [];
    if (match === undefined && isOtherThan(field, title)) return [];
    if (field === 'externalOrderId' && namesAmount) return [];
    if (isRead && match?.kind !== 'name') return [];
    const fit = fitOf(field, profile, match);
    if (fit < minFit) return [];
    const headerScore = match?.score ?? 0;
    if (match === undefined && !speaksForItself(field, profile)) return [];
    // Names of products repeat; those of people hardly do.
    const lack = field === 'items[].name' && headerScore === 0 ? 0.1 * profile.uniqueShare : 0;
    const score = Math.round((0.65 * headerScore + 0.35 * fit - lack) * 100) / 100;
    const isWeak = match?.kind === 'weak';
    return [{ ...base, field, headerScore, fit, isWeak, score, reasons: reasonsOf(field, profile, match) }];
  });
}
