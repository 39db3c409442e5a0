import { fieldNames, type GuessedField } from './field-names.ts';
import type { Header } from './header.ts';
import { fieldsOfHeader, type HeaderMatch } from './header-match.ts';
import type { Meaning } from './meaning-names.ts';
import { meaningOfHeader } from './meanings.ts';
import { type ColumnProfile, maxClassified } from './profile.ts';
import type { TextKind } from './text-kinds.ts';

/** A column that may hold a field or mean something, as a person is shown it. */
export interface ColumnGuess {
  index: number;
  /** As a mapping names it: `City#2`. */
  name: string;
  /** Up to three different texts. */
  samples: readonly string[];
  /** 0 to 1 */
  score: number;
  /** `48 of 50 values look like phones` */
  reasons: readonly string[];
}

/** The columns that may hold a field. */
export interface FieldGuesses {
  field: GuessedField;
  /** Best first; a column stands in the guesses of one field only. */
  guesses: readonly ColumnGuess[];
  /** Whether the first is right without a doubt: its header and its values say so, and it has no rival. */
  isSettled: boolean;
}

export const guessedFields = Object.keys(fieldNames) as GuessedField[];

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

const minFit = 0.8;
const minRivalScore = 0.3;
const minSettledScore = 0.9;
/** How far the best of several columns for a name or an address must be ahead. */
const minLead = 0.15;

interface Candidate extends ColumnGuess {
  field: GuessedField;
  /** 0 when only the values speak for it. */
  headerScore: number;
}

/** The guesses for each field from headers and values together. `indexes` are the columns that nothing reads yet. */
export function guessColumns(
  header: Header,
  profiles: readonly ColumnProfile[],
  indexes: readonly number[],
): FieldGuesses[] {
  const candidates = indexes.flatMap((index) => candidatesOf(header, index, profiles[index]));
  const bestFields = new Map<number, Candidate>();
  for (const candidate of candidates) {
    const known = bestFields.get(candidate.index);
    if (known === undefined || candidate.score > known.score) bestFields.set(candidate.index, candidate);
  }
  return guessedFields.flatMap((field) => {
    const all = candidates
      .filter((candidate) => candidate.field === field)
      .toSorted((left, right) => right.score - left.score);
    const own = all.filter(({ index }) => bestFields.get(index)?.field === field);
    const [best] = own;
    if (best === undefined) return [];
    const guesses = own.map(({ index, name, samples, score, reasons }) => ({
      index,
      name,
      samples,
      score,
      reasons,
    }));
    return [{ field, guesses, isSettled: isWithoutRival(best, all) }];
  });
}

function isWithoutRival(best: Candidate, all: readonly Candidate[]): boolean {
  if (best.headerScore < minSettledScore) return false;
  const others = all.filter((other) => other.index !== best.index);
  // A column of phones is somebody's phone, whatever its header says.
  if (best.field === 'customer.phone') return others.length === 0;
  return strictFields.includes(best.field)
    ? others.every(({ headerScore }) => headerScore < minRivalScore)
    : others.every(({ score }) => score <= best.score - minLead);
}

/** Columns that are read by a rule, and never fill a field. */
const ruleMeanings: readonly (Meaning | undefined)[] = [
  'payment_method',
  'payment_status',
  'amount_paid',
  'currency',
  'state',
  'shipping_method',
];

function candidatesOf(header: Header, index: number, profile: ColumnProfile | undefined): Candidate[] {
  const title = header.cells[index] ?? '';
  if (profile === undefined || profile.filled === 0 || title === '' || title.startsWith('_')) return [];
  const matches = fieldsOfHeader(title);
  const isForRule = ruleMeanings.includes(meaningOfHeader(title));
  const base = { index, name: nameOf(header, index), samples: profile.samples };
  return guessedFields.flatMap((field) => {
    const match = matches.get(field);
    if (match === undefined && matches.size > 0) return [];
    if (isForRule && match?.kind !== 'name') return [];
    const fit = fitOf(field, profile, match);
    if (fit < minFit) return [];
    const headerScore = match?.score ?? 0;
    if (match === undefined && !speaksForItself(field, profile)) return [];
    const score = Math.round((0.65 * headerScore + 0.35 * fit) * 100) / 100;
    return [{ ...base, field, headerScore, score, reasons: reasonsOf(field, profile, match) }];
  });
}

/** `City#2` when the name stands more than once in the header. */
export function nameOf(header: Header, index: number): string {
  const name = header.cells[index] ?? '';
  const all = header.occurrencesOf(name);
  return all.length > 1 ? `${name}#${all.indexOf(index) + 1}` : name;
}

/** Whether the values alone make a column worth showing. */
function speaksForItself(
  field: GuessedField,
  { shares, uniqueShare, different, filled }: ColumnProfile,
): boolean {
  if (field === 'customer.phone') return shares.certain_phone >= minFit;
  if (field !== 'externalOrderId') return false;
  const isOther = shares.phone >= 0.5 || shares.money - shares.count >= 1;
  return !isOther && filled > 2 && different > 2 && uniqueShare >= 0.98;
}

/** How well the values are those of a field, from 0 to 1. */
function fitOf(field: GuessedField, profile: ColumnProfile, match: HeaderMatch | undefined): number {
  const { shares, uniqueShare, isRowNumber, filled, different } = profile;
  switch (field) {
    case 'externalOrderId': {
      // The numbers of the rows are order IDs only where the header says so.
      if (isRowNumber && match?.kind !== 'name') return 0;
      const isOther = shares.certain_phone >= minFit && match?.kind !== 'name';
      return isOther || uniqueShare < 0.9 || (filled > 2 && different === 1) ? 0 : shares.id;
    }
    case 'customer.phone':
      return shares.phone;
    case 'customer.externalCustomerId':
      return shares.certain_phone >= minFit ? 0 : shares.id;
    case 'items[].sku':
      return isRowNumber || shares.email > 0.2 || shares.certain_phone >= minFit ? 0 : shares.sku;
    case 'items[].name':
      return shares.words;
    case 'items[].quantity:number':
      return shares.count;
    case 'total':
    case 'collectionAmount':
      return shares.certain_phone >= minFit ? 0 : shares.money;
    case 'requestedDeliveryDate':
      return shares.date;
    case 'customer.name':
      return shares.email > 0.2 || shares.id > 0.5 ? 0 : shares.words;
    case 'deliveryAddress.postalCode':
      return 1 - shares.email;
    default:
      return shares.words;
  }
}

const kindOfField: Partial<Record<GuessedField, [TextKind, string]>> = {
  externalOrderId: ['id', 'IDs'],
  'customer.phone': ['phone', 'phones'],
  'customer.externalCustomerId': ['id', 'IDs'],
  'items[].sku': ['sku', 'SKUs'],
  'items[].quantity:number': ['count', 'quantities'],
  total: ['money', 'amounts'],
  collectionAmount: ['money', 'amounts'],
  requestedDeliveryDate: ['date', 'dates'],
};

function reasonsOf(
  field: GuessedField,
  { shares, filled, uniqueShare }: ColumnProfile,
  match: HeaderMatch | undefined,
): string[] {
  const reasons: string[] = [];
  if (match !== undefined) reasons.push(headerReasons[match.kind]);
  const [kind, words] = kindOfField[field] ?? [];
  if (kind !== undefined) {
    const all = Math.min(filled, maxClassified);
    reasons.push(`${Math.round(shares[kind] * all)} of ${all} values look like ${words}`);
  }
  if (field === 'externalOrderId' && uniqueShare === 1)
    reasons.push('no value comes again for another order');
  return reasons;
}

const headerReasons: Record<HeaderMatch['kind'], string> = {
  name: 'its header is a name of the field',
  weak: 'its header may be a name of the field',
  beside: 'its header is near a name of the field',
  near: 'its header is a name of the field, misspelt',
};
