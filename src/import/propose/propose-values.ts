import { foldCell } from '../mapping/conditions.ts';
import { type ColumnProfile, type CountedValue, isDateLike } from '../mapping/guess/column-profile.ts';
import type { ColumnGuess } from '../mapping/guess/guesses.ts';
import type { Meaning } from '../mapping/meanings.ts';
import { type Decision, decisionOf, verdict } from '../words/verdict.ts';
import type { ProposedValue, ValueProposal } from './proposal.ts';

type ValueGuess = Pick<ProposedValue, 'guess' | 'isDecided'>;

export interface ValueContext {
  /** Whether another column, which is also asked, says who pays. */
  hasOtherPayment: boolean;
  /** Whether an earlier column has the method of every order, so that this one rarely matters. */
  isLater?: boolean;
  decided?: ReadonlyMap<string, Decision>;
}

/** More values are too many to go through. */
const maxListed = 20;

const open: ValueGuess = { isDecided: false };
const certain = (guess: Decision): ValueGuess => ({ guess, isDecided: true });

export function proposeValues(
  column: ColumnGuess,
  meaning: Meaning,
  profile: ColumnProfile,
  context: ValueContext,
): ValueProposal {
  const isPayment = isPaymentMeaning(meaning);
  const guessOf = (text: string): ValueGuess => {
    const decided = context.decided?.get(foldCell(text)) ?? context.decided?.get('*');
    if (decided !== undefined) return certain(decided);
    const guess = guessFor(text, column.name, meaning, context);
    // Beside values that the user listed, a new one is for the user to decide as well.
    if (context.decided !== undefined) return { ...guess, isDecided: false };
    const isSilent = context.isLater && !guess.isDecided && guess.guess !== 'leave_out';
    return isSilent ? certain('deliver') : guess;
  };
  const all = mergeEqual(profile.values ?? []);
  const dates = all.filter(({ text }) => isDateLike(text));
  const texts = all.filter(({ text }) => !isDateLike(text));
  const known = texts.map((value) => ({ ...value, ...guessOf(value.text) }));
  const isList = profile.values !== undefined && known.length <= maxListed;
  const values: ProposedValue[] = isList
    ? known
    : known.filter(({ isDecided }) => isDecided).slice(0, maxListed);
  const rest = profile.filled - countOf(values);
  if (rest > 0)
    values.push({ text: '*', count: rest, ...guessOfOthers(column.name, meaning, profile, dates) });
  if (isPayment && profile.blankOrders > 0) {
    const decided = context.decided?.get('');
    const blank = context.hasOtherPayment ? certain('deliver') : open;
    values.push({
      text: '',
      count: profile.blankOrders,
      ...(decided === undefined ? blank : certain(decided)),
    });
  }
  return { column, meaning, values };
}

/** Values that differ in case alone are one, as a mapping file reads them. */
function mergeEqual(values: readonly CountedValue[]): CountedValue[] {
  const merged = new Map<string, CountedValue>();
  for (const value of values) {
    const known = merged.get(foldCell(value.text));
    merged.set(foldCell(value.text), {
      text: known?.text ?? value.text,
      count: (known?.count ?? 0) + value.count,
    });
  }
  return [...merged.values()];
}

function countOf(values: readonly CountedValue[]): number {
  return values.reduce((sum, { count }) => sum + count, 0);
}

export function isPaymentMeaning(meaning: Meaning): boolean {
  return isPaymentOnly(meaning) || meaning === 'state_or_payment';
}

/** A column that also has states is asked about whatever says who pays. */
export function isPaymentOnly(meaning: Meaning): boolean {
  return meaning === 'payment_status' || meaning === 'payment_method';
}

function guessOfOthers(
  header: string,
  meaning: Meaning,
  { filled, shares, samples }: ColumnProfile,
  dates: readonly CountedValue[],
): ValueGuess {
  const areDates = countOf(dates) === filled || shares.date >= 0.9;
  const date = samples.find(isDateLike);
  if (areDates && date !== undefined) return guessFor(date, header, meaning, { hasOtherPayment: false });
  return meaning === 'shipping_method' ? certain('deliver') : open;
}

function guessFor(
  text: string,
  header: string,
  meaning: Meaning,
  { hasOtherPayment }: ValueContext,
): ValueGuess {
  const { decision, isCertain } = decisionOf(verdict(meaning, text, header), meaning, hasOtherPayment);
  return decision === undefined ? open : { guess: decision, isDecided: isCertain };
}
