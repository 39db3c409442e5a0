import { formatFieldPath } from '../../orders/field-path.ts';
import { type Column, fills } from '../mapping/column.ts';
import type { ColumnProfile } from '../mapping/guess/column-profile.ts';
import type { ColumnGuess } from '../mapping/guess/guesses.ts';
import type { Meaning } from '../mapping/meanings.ts';
import type { CollectionWay, FieldProposal, GivenMapping, Proposal, ValueProposal } from './proposal.ts';
import { isPaymentMeaning } from './propose-values.ts';

/** A column such as `COD` may hold amounts. */
export function areAmounts({ shares, values = [] }: ColumnProfile): boolean {
  return shares.money >= 0.95 && values.some(({ text }) => /[2-9]\d|\d{3}/.test(text));
}

export function unreadAmounts(
  { mapped }: GivenMapping,
  profiles: readonly ColumnProfile[],
  values: readonly ValueProposal[],
): number[] {
  const isRule = (index: number) => values.some(({ column }) => column.index === index);
  return mapped.unread.flatMap(({ index, meaning }) => {
    const profile = profiles[index];
    const mayBeDue = meaning === 'amount_due' || meaning === 'payment_method';
    return mayBeDue && profile !== undefined && areAmounts(profile) && !isRule(index) ? [index] : [];
  });
}

export function amountsOf(fields: readonly FieldProposal[], due: readonly ColumnGuess[]): ColumnGuess[] {
  const guessesOf = (name: string) => fields.find(({ field }) => field === name)?.guesses ?? [];
  const all = [...guessesOf('collectionAmount'), ...due, ...guessesOf('total')];
  return all.filter(({ index }, place) => all.findIndex((other) => other.index === index) === place);
}

/** Whether a column says itself what is collected, and not what the order costs. */
export function isDue({ fields }: Pick<Proposal, 'fields'>, { index }: ColumnGuess): boolean {
  const total = fields.find(({ field }) => field === 'total');
  return total === undefined || total.guesses.every((guess) => guess.index !== index);
}

/** `mode` is a column whose values are collection modes. */
export function collectionWays(
  known: GivenMapping,
  mode: ColumnGuess | undefined,
  values: readonly ValueProposal[],
  amounts: readonly ColumnGuess[],
): CollectionWay[] {
  const { mapped } = known;
  const paths = [...mapped.columns.map(({ path }) => formatFieldPath(path)), ...constantPaths(known)];
  const isOpen = mapped.unread.some(({ meaning }) => isPaymentMeaning(meaning) || meaning === 'amount_due');
  const isSettled = paths.includes('collectionMode') || mapped.rules.payment !== undefined;
  if (isSettled && !isOpen) return [{ kind: 'settled' }];
  const ways: CollectionWay[] = [];
  if (mode !== undefined) {
    ways.push({ kind: 'mode', column: { ...mode, reasons: ['its values are NONE and COLLECT'] } });
  }
  const payments = values.filter(({ values: all }) =>
    all.some(({ guess }) => guess === 'collect' || guess === 'prepaid'),
  );
  const columns = values.filter((value) => isPaymentMeaning(value.meaning) || payments.includes(value));
  if (columns.length > 0) ways.push({ kind: 'values', columns: columns.map(({ column }) => column.name) });
  const dues = amounts.filter((amount) => isDueIn(amount, mapped.unread, paths, mapped.columns));
  ways.push(...dues.map((column) => ({ kind: 'amount' as const, column })));
  const [amount] = amounts;
  if (amount !== undefined && dues.length === 0) ways.push({ kind: 'collect_all', amount });
  ways.push({ kind: 'prepaid' });
  if (amounts.length === 0 && mode === undefined && columns.length === 0) ways.push({ kind: 'collect_all' });
  return ways;
}

function isDueIn(
  { index }: ColumnGuess,
  unread: GivenMapping['mapped']['unread'],
  paths: readonly string[],
  columns: readonly Column[],
): boolean {
  const isMapped = columns.some((column) => column.index === index && fills('collectionAmount')(column));
  const meanings: readonly Meaning[] = ['amount_due', 'payment_method'];
  return (
    (isMapped && paths.includes('collectionAmount')) ||
    unread.some((column) => column.index === index && meanings.includes(column.meaning))
  );
}

export function isModeColumn(profile: ColumnProfile | undefined): boolean {
  const values = profile?.values ?? [];
  return values.length > 0 && values.every(({ text }) => /^(?:none|collect)$/i.test(text));
}

export function constantPaths({ constants = [] }: GivenMapping): string[] {
  return constants.map(({ path }) => formatFieldPath(path));
}
