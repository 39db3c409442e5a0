import type {
  CollectionWay,
  ColumnGuess,
  FieldProposal,
  LinesChoice,
  Proposal,
  ProposedValue,
  ValueProposal,
} from '../../../import/propose/proposal.ts';
import { isPaymentOnly } from '../../../import/propose/propose-values.ts';
import type { Decision } from '../../../import/words/verdict.ts';
import {
  type Answered,
  collectsSome,
  columnOf,
  isGivenUp,
  isPayment,
  readSteps,
  type Step,
  type Topic,
} from './answered.ts';

export interface DecidedValue extends ProposedValue {
  decision: Decision | undefined;
}

export interface ValueQuestion {
  kind: 'value';
  column: string;
  isPayment: boolean;
  /** No other column says who pays. */
  isOnlyPayment: boolean;
  value: ProposedValue;
}

/** `id` is the question of a step. */
export type Question = { id: string } & (
  | { kind: 'field'; field: FieldProposal }
  | { kind: 'amount'; guesses: readonly ColumnGuess[] }
  | { kind: 'any_column'; label: string }
  | { kind: 'collection'; ways: readonly CollectionWay[]; values: readonly ValueProposal[] }
  | { kind: 'values'; column: string; values: readonly DecidedValue[] }
  | ValueQuestion
  | { kind: 'unpaid' }
  | { kind: 'decimal'; amount: string }
  | { kind: 'lines'; choices: readonly LinesChoice[] }
  | { kind: 'unread'; columns: readonly ColumnGuess[] }
  | { kind: 'change'; targets: readonly ChangeTarget[] }
);

interface ChangeTarget {
  id: string;
  label: string;
  now: string;
}

/** Pure. Undefined when nothing is open. */
export function nextQuestion(topic: Topic, steps: readonly Step[]): Question | undefined {
  const { proposal } = topic;
  const known = readSteps(topic, steps);
  if (known.picksFrom !== undefined) {
    const field = proposal.fields.find(({ field: name }) => `field:${name}` === known.picksFrom);
    return { id: known.picksFrom, kind: 'any_column', label: field?.label ?? 'the amount to collect' };
  }
  if (known.isChanging) return { id: 'change', kind: 'change', targets: changeTargets(topic, known) };
  if (known.lines === undefined && (areLinesOpen(topic) || known.reopened.has('lines'))) {
    return { id: 'lines', kind: 'lines', choices: proposal.lines?.choices ?? [] };
  }
  const field = proposal.fields.find((candidate) => isFieldOpen(candidate, known, topic));
  if (field !== undefined) return { id: `field:${field.field}`, kind: 'field', field };
  if (isGivenUp(steps)) return undefined;
  if (known.way === undefined) {
    return { id: 'collection', kind: 'collection', ways: proposal.collection, values: proposal.values };
  }
  const payments = valuesInForce(proposal, known.way).filter((column) => isPayment(column, known.way));
  const payment = openValues(payments, known);
  if (payment !== undefined) return payment;
  const isUnnamed = known.way.kind === 'collect_all' && known.way.amount === undefined;
  if (isUnnamed && known.amount === undefined && !known.lacksAmount) {
    return { id: 'amount', kind: 'any_column', label: 'the amount to collect' };
  }
  if (isAmountOpen(proposal, known)) return { id: 'amount', kind: 'amount', guesses: proposal.amounts };
  const others = valuesInForce(proposal, known.way).filter((column) => !isPayment(column, known.way));
  const other = openValues(others, known);
  if (other !== undefined) return other;
  if (topic.asksUnpaid && known.unpaid === undefined) return { id: 'unpaid', kind: 'unpaid' };
  const { ambiguousAmount: ambiguous } = topic;
  if (ambiguous !== undefined && known.decimal === undefined) {
    return { id: 'decimal', kind: 'decimal', amount: ambiguous };
  }
  const unread = known.hasSeenUnread ? [] : columnsNotSent(topic, known);
  return unread.length === 0 ? undefined : { id: 'unread', kind: 'unread', columns: unread };
}

function areLinesOpen({ proposal: { lines } }: Topic): boolean {
  return lines !== undefined && !lines.isSettled;
}

function isFieldOpen(
  { field, isNeeded, settled, guesses }: FieldProposal,
  known: Answered,
  { only, declined }: Topic,
): boolean {
  if (known.columns.has(field)) return false;
  if (field.startsWith('items[') && typeof known.lines === 'object') return false;
  if (known.reopened.has(`field:${field}`)) return true;
  if (declined?.has(field)) return false;
  return settled === undefined && (isNeeded || guesses.some(({ name }) => only?.has(name) ?? true));
}

/** When something else decides who pays, the values of payment columns are not asked about. */
function valuesInForce({ values }: Proposal, way: CollectionWay): readonly ValueProposal[] {
  return values.filter(
    ({ column, meaning }) =>
      way.kind === 'settled' ||
      !isPaymentOnly(meaning) ||
      (way.kind === 'values' && way.columns.includes(column.name)),
  );
}

/** Who pays is asked value by value. Of other columns: the values without a guess, then the guesses at once. */
function openValues(columns: readonly ValueProposal[], known: Answered): Question | undefined {
  for (const { column, values, meaning } of columns) {
    const { name } = column;
    const isReopened = known.reopened.has(`values:${name}`);
    const decided = known.values.get(name);
    const open = values.filter(({ text, isDecided }) => !decided?.has(text) && (isReopened || !isDecided));
    const paysBy = isPayment({ column, values, meaning }, known.way);
    const isOneByOne = paysBy || known.oneByOne.has(name);
    const asked = isOneByOne ? open[0] : open.find(({ guess }) => guess === undefined);
    if (asked !== undefined) {
      const id = `value:${column.index}:${asked.text}`;
      const isOnlyPayment = paysBy && columns.length === 1 && meaning !== 'state_or_payment';
      return { id, kind: 'value', column: name, isPayment: paysBy, isOnlyPayment, value: asked };
    }
    if (open.length === 0) continue;
    const shown = values.map((value) => ({ ...value, decision: decided?.get(value.text) ?? value.guess }));
    return { id: `values:${name}`, kind: 'values', column: name, values: shown };
  }
  return undefined;
}

/** The total is collected without a question when it seems the best. */
function isAmountOpen(proposal: Proposal, known: Answered): boolean {
  if (known.amount !== undefined || known.lacksAmount || known.way === undefined) return false;
  if (known.reopened.has('amount')) return true;
  const hasColumn = (field: string) => columnOf(proposal, field, known) !== undefined;
  if (!collectsSome(proposal, known.way, known.values) || hasColumn('collectionAmount')) return false;
  const [best] = proposal.amounts;
  return best === undefined ? !hasColumn('total') : best.name !== columnOf(proposal, 'total', known);
}

/** Columns that were in question and that a person decided not to send. */
export function columnsLeftOut(topic: Topic, steps: readonly Step[]): string[] {
  const known = readSteps(topic, steps);
  const isDecided = topic.only !== undefined && known.hasSeenUnread;
  return isDecided ? columnsNotSent(topic, known).map(({ name }) => name) : [];
}

/** Those that mean nothing, and those that were not chosen. */
function columnsNotSent({ proposal, only }: Topic, known: Answered): ColumnGuess[] {
  const { fields, amounts, unread } = proposal;
  const joined = fields.flatMap((field) => (field.joined ?? []).map(({ name }) => name));
  const chosen = new Set([
    ...fields.map(({ field }) => columnOf(proposal, field, known)),
    known.amount,
    ...linesColumns(known.lines),
    ...joined,
    ...wayColumns(known.way),
  ]);
  const rivals = [...fields.flatMap(({ guesses }) => guesses), ...amounts];
  const byName = new Map([...unread, ...rivals].map((column) => [column.name, column]));
  return [...byName.values()]
    .filter(({ name }) => !chosen.has(name) && (only?.has(name) ?? true))
    .toSorted((left, right) => left.index - right.index);
}

function linesColumns(lines: Answered['lines']): string[] {
  return typeof lines === 'object' ? [lines.name] : [];
}

function wayColumns(way: CollectionWay | undefined): string[] {
  if (way?.kind === 'amount' || way?.kind === 'mode') return [way.column.name];
  return way?.kind === 'collect_all' && way.amount !== undefined ? [way.amount.name] : [];
}

function changeTargets({ proposal, asksUnpaid, ambiguousAmount }: Topic, known: Answered): ChangeTarget[] {
  const { way = { kind: 'settled' } } = known;
  const fields = proposal.fields.map(({ field, label }) => ({
    id: `field:${field}`,
    label,
    now: columnOf(proposal, field, known) ?? '',
  }));
  const values = valuesInForce(proposal, way).map(({ column }) => ({
    id: `values:${column.name}`,
    label: `the values of ${column.name}`,
    now: '',
  }));
  const amount = known.amount ?? proposal.amounts[0]?.name ?? '';
  return [
    ...fields,
    ...(way.kind === 'settled' ? [] : [{ id: 'collection', label: 'how it is known who pays', now: '' }]),
    ...(collectsSome(proposal, way, known.values)
      ? [{ id: 'amount', label: 'the amount to collect', now: amount }]
      : []),
    ...values,
    ...(ambiguousAmount === undefined
      ? []
      : [{ id: 'decimal', label: `how ${ambiguousAmount} is read`, now: '' }]),
    ...(proposal.lines === undefined
      ? []
      : [{ id: 'lines', label: 'the lines of an order', now: proposal.lines.choices[0]?.name ?? '' }]),
    ...(asksUnpaid ? [{ id: 'unpaid', label: 'orders that are not paid', now: '' }] : []),
  ];
}
