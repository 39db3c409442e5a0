import { foldCell } from '../mapping/conditions.ts';
import { type ColumnProfile, type CountedValue, isDateLike } from '../mapping/guess/column-profile.ts';
import type { ColumnGuess } from '../mapping/guess/guesses.ts';
import type { Decision } from '../mapping/language.ts';
import type { Meaning } from '../mapping/meanings.ts';
import {
  isLeftOut,
  isNo,
  isNoState,
  isPickup,
  isYes,
  methodOf,
  orderStateOf,
  paymentStateOf,
} from '../words/verdict.ts';
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
const likely = (guess: Decision): ValueGuess => ({ guess, isDecided: false });

export function proposeValues(
  column: ColumnGuess,
  meanings: readonly Meaning[],
  profile: ColumnProfile,
  context: ValueContext,
): ValueProposal {
  const isPayment = meanings.some((meaning) => isPaymentMeaning(meaning));
  const guessOf = (text: string): ValueGuess => {
    const decided = context.decided?.get(foldCell(text)) ?? context.decided?.get('*');
    if (decided !== undefined) return certain(decided);
    const guess = guessFor(text, column.name, meanings, context);
    // Beside values that the user listed, a new one is for the user to decide as well.
    if (context.decided !== undefined) return { ...guess, isDecided: false };
    return context.isLater && !guess.isDecided ? certain('deliver') : guess;
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
    values.push({ text: '*', count: rest, ...guessOfOthers(column.name, meanings, profile, dates) });
  if (isPayment && profile.blankOrders > 0) {
    const decided = context.decided?.get('');
    const blank = context.hasOtherPayment ? certain('deliver') : open;
    values.push({
      text: '',
      count: profile.blankOrders,
      ...(decided === undefined ? blank : certain(decided)),
    });
  }
  return { column, meaning: meanings[0] ?? 'state', values };
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
  return meaning === 'payment_status' || meaning === 'payment_method';
}

function guessOfOthers(
  header: string,
  meanings: readonly Meaning[],
  { filled, shares }: ColumnProfile,
  dates: readonly CountedValue[],
): ValueGuess {
  const areDates = countOf(dates) === filled || shares.date >= 0.9;
  if (areDates && meanings.includes('payment_status')) return certain('prepaid');
  if (areDates && meanings.includes('state'))
    return isLeftOut(stateNamed(header)) ? certain('leave_out') : likely('leave_out');
  if (meanings.includes('shipping_method')) return certain('deliver');
  return open;
}

function guessFor(
  text: string,
  header: string,
  meanings: readonly Meaning[],
  { hasOtherPayment }: ValueContext,
): ValueGuess {
  if (meanings.includes('shipping_method'))
    return certain(isPickup(text) || isYesTo(header, text) ? 'leave_out' : 'deliver');
  const ofState = meanings.includes('state') ? guessOfState(text, header) : open;
  if (!meanings.some(isPaymentMeaning)) return ofState;
  // Shops write "paid" and "not paid" among the states of an order.
  if (ofState.guess === 'leave_out') return ofState;
  const ofPayment = guessOfPayment(text, header, meanings, hasOtherPayment);
  return ofPayment.guess === undefined && ofState.guess !== undefined ? ofState : ofPayment;
}

function isYesTo(header: string, text: string): boolean {
  return isYes(text) && isPickup(header);
}

function guessOfState(text: string, header: string): ValueGuess {
  const state = orderStateOf(text);
  if (state === 'to_deliver' || isNoState(text)) return certain('deliver');
  if (isLeftOut(state)) return certain('leave_out');
  if (isYes(text)) return isLeftOut(stateNamed(header)) ? certain('leave_out') : likely('leave_out');
  return /^\d/.test(text) ? likely('leave_out') : open;
}

/** `Cancelled at`, `Хүргэсэн эсэх`: the state that a header names. */
function stateNamed(header: string): ReturnType<typeof orderStateOf> {
  const words = header.replace(/[_\s]+/g, ' ').trim();
  return orderStateOf(words.replace(/^date /i, '').replace(/ (?:at|on|date|эсэх)$/i, ''));
}

function guessOfPayment(
  text: string,
  header: string,
  meanings: readonly Meaning[],
  hasOtherPayment: boolean,
): ValueGuess {
  const isAnswer = isYes(text) || isNo(text);
  if (isAnswer && methodOf(header) === 'on_delivery') return certain(isYes(text) ? 'collect' : 'prepaid');
  if (methodOf(text) === 'on_delivery') return certain('collect');
  const isStatus = meanings.includes('payment_status');
  const state = isAnswer && !isStatus ? 'unknown' : paymentStateOf(text);
  if (state === 'paid') return certain('prepaid');
  if (state === 'open') return hasOtherPayment && isStatus ? certain('deliver') : likely('collect');
  if (state === 'partly_paid') return open;
  const method = methodOf(text);
  if (method === 'cash') return likely('collect');
  return method === 'other' && !hasOtherPayment ? likely('prepaid') : open;
}
