import { formatFieldPath } from '../../../orders/field-path.ts';
import type { ColumnProfile } from '../guess/column-profile.ts';
import type { ShownColumn } from '../guess/guesses.ts';
import type { Meaning } from '../meanings.ts';
import type { FieldProposal, GivenMapping, Proposal } from './proposal.ts';

/** A column such as `COD` may hold amounts. */
export function areAmounts({ shares, values = [] }: ColumnProfile): boolean {
  return shares.money >= 0.95 && values.some(({ text }) => /[2-9]\d|\d{3}/.test(text));
}

const dueMeanings: readonly Meaning[] = ['amount_due', 'payment_method'];

/** Columns of amounts that may be those to collect. */
export function unreadAmounts(
  { mapped }: GivenMapping,
  profiles: readonly ColumnProfile[],
  ofRules: ReadonlySet<number>,
): number[] {
  return mapped.unread.flatMap(({ index, meaning }) => {
    const profile = profiles[index];
    const mayBeDue = dueMeanings.includes(meaning) && profile !== undefined && areAmounts(profile);
    return mayBeDue && !ofRules.has(index) ? [index] : [];
  });
}

export function amountsOf(fields: readonly FieldProposal[], due: readonly ShownColumn[]): ShownColumn[] {
  const find = (name: string) => fields.find(({ field }) => field === name);
  const columnsOf = (name: string) => [...(find(name)?.settled ?? []), ...(find(name)?.guesses ?? [])];
  const all = [...columnsOf('collectionAmount'), ...due, ...columnsOf('total')];
  return all.filter(({ index }, place) => all.findIndex((other) => other.index === index) === place);
}

/** Whether a column says itself what is collected, and not what the order costs. */
export function isDue({ fields }: Pick<Proposal, 'fields'>, { index }: ShownColumn): boolean {
  const total = fields.find(({ field }) => field === 'total');
  return [...(total?.settled ?? []), ...(total?.guesses ?? [])].every((guess) => guess.index !== index);
}

export function isModeColumn(profile: ColumnProfile | undefined): boolean {
  const values = profile?.values ?? [];
  return values.length > 0 && values.every(({ text }) => /^(?:none|collect)$/i.test(text));
}

export function constantPaths({ constants = [] }: GivenMapping): string[] {
  return constants.map(({ path }) => formatFieldPath(path));
}
