import { formatFieldPath } from '../../../orders/field-path.ts';
import type { ColumnProfile } from '../guess/column-profile.ts';
import type { ShownColumn } from '../guess/guesses.ts';
import type { Meaning } from '../meanings.ts';
import type { AmountProposal, FieldProposal, GivenMapping } from './proposal.ts';

/** A column such as `COD` may hold amounts. */
export function areAmounts({ shares, examples }: ColumnProfile): boolean {
  return shares.money >= 0.95 && examples.some((text) => /[2-9]\d|\d{3}/.test(text));
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

/** `due`: columns that say what is left to pay. Then the totals, and other columns of amounts. */
export function amountsOf(
  fields: readonly FieldProposal[],
  due: readonly ShownColumn[],
  others: readonly ShownColumn[],
  profiles: readonly ColumnProfile[],
  problems: GivenMapping['problems'] = [],
): AmountProposal[] {
  const columnsOf = (name: string) => {
    const found = fields.find(({ field }) => field === name);
    return [...(found?.settled ?? []), ...(found?.guesses ?? [])];
  };
  const totals = columnsOf('total');
  const all = [...columnsOf('collectionAmount'), ...due, ...totals, ...others];
  const saysOfLine = ({ header }: ShownColumn) =>
    problems.some(({ first }) => first.code === 'total_is_of_line' && first.header === header);
  const isPrice = ({ index }: ShownColumn) => profiles.some(({ productOf }) => productOf?.[1] === index);
  const isTotal = ({ index }: ShownColumn) => totals.some((total) => total.index === index);
  return all
    .filter(({ index }, place) => all.findIndex((other) => other.index === index) === place)
    .toSorted((left, right) => Number(isPrice(left)) - Number(isPrice(right)))
    .map((column): AmountProposal => {
      const profile = profiles[column.index];
      const sumsRows = isOfLine(profile) || saysOfLine(column);
      return {
        ...column,
        isDue: !isTotal(column) && !others.includes(column),
        isOfEvery: isOfEvery(profile),
        isOfLine: sumsRows,
        inAll: profile?.sums[sumsRows ? 'rows' : 'orders'] ?? 0,
      };
    });
}

function isOfEvery(profile: ColumnProfile | undefined): boolean {
  const { blankOrders = 0, examples = [] } = profile ?? {};
  return blankOrders === 0 && examples.every((text) => /[1-9]/.test(text));
}

function isOfLine(profile: ColumnProfile | undefined): boolean {
  return profile?.isProduct === true && profile.filled > profile.orders;
}

/** Amounts in ₮ have at least three digits. */
export function holdsAmounts({ shares, examples }: ColumnProfile): boolean {
  return shares.money >= 0.95 && shares.certain_phone === 0 && examples.some((text) => /\d{3}/.test(text));
}

export function isModeColumn(profile: ColumnProfile | undefined): boolean {
  const values = profile?.values ?? [];
  return values.length > 0 && values.every(({ text }) => /^(?:none|collect)$/i.test(text));
}

export function constantPaths({ constants = [] }: GivenMapping): string[] {
  return constants.map(({ path }) => formatFieldPath(path));
}
