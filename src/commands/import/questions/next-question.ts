import type {
  CollectionWay,
  FieldProposal,
  LinesChoice,
  Proposal,
  ProposedValue,
  ValueProposal,
} from '../../../import/mapping/draft/proposal.ts';
import type { ShownColumn } from '../../../import/mapping/guess/guesses.ts';
import { isPaymentOnly } from '../../../import/mapping/meanings.ts';
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

/** `id` is the question of a step. */
export type Question = { id: string } & (
  | { kind: 'field'; field: FieldProposal }
  | { kind: 'amount'; guesses: readonly ShownColumn[] }
  | { kind: 'any_column'; label: string }
  | { kind: 'collection'; ways: readonly CollectionWay[]; values: readonly ValueProposal[] }
  /** What was answered, or else guessed, is certain in it. */
  | { kind: 'values'; column: ValueProposal }
  | { kind: 'value'; header: string; value: ProposedValue; saysWhoPays: 'alone' | 'beside' | 'no' }
  | { kind: 'unpaid' }
  | { kind: 'decimal'; amount: string }
  | { kind: 'lines'; choices: readonly LinesChoice[] }
  | { kind: 'unread'; columns: readonly ShownColumn[] }
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
  const isUnnamed = known.way.kind === 'collect_all' && known.way.column === undefined;
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
  return settled.length === 0 && (isNeeded || guesses.some(({ header }) => only?.has(header) ?? true));
}

/** When something else decides who pays, the values of payment columns are not asked about. */
function valuesInForce({ values }: Proposal, way: CollectionWay): readonly ValueProposal[] {
  return values.filter(
    ({ header, meaning }) =>
      way.kind === 'settled' ||
      !isPaymentOnly(meaning) ||
      (way.kind === 'values' && way.columns.includes(header)),
  );
}

/** Who pays is asked value by value. Of other columns: the values without a guess, then the guesses at once. */
function openValues(columns: readonly ValueProposal[], known: Answered): Question | undefined {
  for (const column of columns) {
    const { index, header, meaning, values } = column;
    const isReopened = known.reopened.has(`values:${header}`);
    const decided = known.values.get(header);
    const open = values.filter(({ text, isCertain }) => !decided?.has(text) && (isReopened || !isCertain));
    const paysBy = isPayment(column, known.way);
    const isOneByOne = paysBy || known.oneByOne.has(header);
    const value = isOneByOne ? open[0] : open.find(({ decision }) => decision === undefined);
    if (value !== undefined) {
      const isAlone = columns.length === 1 && meaning !== 'state_or_payment';
      const saysWhoPays = !paysBy ? 'no' : isAlone ? 'alone' : 'beside';
      return { id: `value:${index}:${value.text}`, kind: 'value', header, value, saysWhoPays };
    }
    if (open.length === 0) continue;
    const shown = values.map((each) => {
      const decision = decided?.get(each.text);
      return { ...each, ...(decision === undefined ? {} : { decision }), isCertain: true };
    });
    return { id: `values:${header}`, kind: 'values', column: { ...column, values: shown } };
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
  return best === undefined ? !hasColumn('total') : best.header !== columnOf(proposal, 'total', known);
}

/** Columns that were in question and that a person decided not to send. */
export function columnsLeftOut(topic: Topic, steps: readonly Step[]): string[] {
  const known = readSteps(topic, steps);
  const isDecided = topic.only !== undefined && known.hasSeenUnread;
  return isDecided ? columnsNotSent(topic, known).map(({ header }) => header) : [];
}

/** Those that mean nothing, and those that were not chosen. */
function columnsNotSent({ proposal, only }: Topic, known: Answered): ShownColumn[] {
  const { fields, amounts, unread } = proposal;
  const { amount, lines, way } = known;
  const chosen = new Set([
    ...fields.map(({ field }) => columnOf(proposal, field, known)),
    ...fields.flatMap(({ settled }) => settled.slice(1).map(({ header }) => header)),
    amount,
    ...(typeof lines === 'object' ? [lines.name] : []),
    ...(way !== undefined && 'column' in way ? [way.column?.header] : []),
  ]);
  const rivals = [...fields.flatMap(({ guesses }) => guesses), ...amounts];
  const byName = new Map([...unread, ...rivals].map((column) => [column.header, column]));
  return [...byName.values()]
    .filter(({ header }) => !chosen.has(header) && (only?.has(header) ?? true))
    .toSorted((left, right) => left.index - right.index);
}

function changeTargets({ proposal, asksUnpaid, ambiguousAmount }: Topic, known: Answered): ChangeTarget[] {
  const { way = { kind: 'settled' } } = known;
  const fields = proposal.fields.map(({ field, label }) => ({
    id: `field:${field}`,
    label,
    now: columnOf(proposal, field, known) ?? '',
  }));
  const values = valuesInForce(proposal, way).map(({ header }) => ({
    id: `values:${header}`,
    label: `the values of ${header}`,
    now: '',
  }));
  const amount = known.amount ?? proposal.amounts[0]?.header ?? '';
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
