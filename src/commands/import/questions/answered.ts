import type { DecimalMark, UnpaidChoice } from '../../../import/choices.ts';
import type {
  CollectionWay,
  LinesChoice,
  MappingAnswers,
  Proposal,
  ValueProposal,
} from '../../../import/mapping/draft/proposal.ts';
import { isPaymentOnly } from '../../../import/mapping/meanings.ts';
import type { Choice, Decision } from '../../../import/words/verdict.ts';

/** What the questions are about. They follow from it and from the answers so far. */
export interface Topic {
  proposal: Proposal;
  /** Some orders are neither paid nor paid on delivery. */
  asksUnpaid: boolean;
  /** An amount whose dot or comma may separate thousands or decimals. */
  ambiguousAmount?: string;
  /** The columns with something new; a person or a preset has decided the others. Undefined: nothing was decided. */
  only?: ReadonlySet<string>;
  /** Fields that an earlier answer said no column holds. */
  declined?: ReadonlySet<string>;
}

/** An answer is one of the values below, a decision, or `column:NAME`, `way:0`, `field:NAME`. */
export interface Step {
  question: string;
  answer: string;
}

export const answers = {
  none: 'none',
  otherColumn: 'other column',
  right: 'right',
  oneByOne: 'one by one',
  change: 'change',
} as const;

export function toMappingAnswers(topic: Topic, steps: readonly Step[]): MappingAnswers {
  const known = readSteps(topic, steps);
  const { columns, way, amount, values, unpaid, lines } = known;
  const { dateOrder, amounts } = topic.proposal;
  const collects = way !== undefined && way.kind !== 'settled' && collectsSome(topic.proposal, way, values);
  const declined = [...(topic.declined ?? [])].map((field) => [field, undefined] as const);
  const isOther = amount !== undefined && amounts.every(({ header }) => header !== amount);
  return {
    columns: new Map([...declined, ...columns, ...(isOther ? [['total', amount] as const] : [])]),
    collection: way,
    amount: amount ?? (collects ? amounts[0]?.header : undefined),
    values,
    decimal: known.decimal ?? topic.proposal.decimal,
    dateOrder,
    unpaid,
    lines,
  };
}

type Decisions = Map<string, Map<string, Decision>>;

export interface Answered {
  columns: Map<string, string | undefined>;
  way?: CollectionWay | undefined;
  amount?: string | undefined;
  lacksAmount: boolean;
  values: Decisions;
  /** Columns whose values are asked about one by one. */
  oneByOne: Set<string>;
  unpaid?: UnpaidChoice | undefined;
  decimal?: DecimalMark | undefined;
  lines?: LinesChoice | 'none' | undefined;
  hasSeenUnread: boolean;
  isChanging: boolean;
  /** The question for which any column may be chosen. */
  picksFrom?: string | undefined;
  /** Settled questions that are asked again. */
  reopened: Set<string>;
}

export function readSteps(topic: Topic, steps: readonly Step[]): Answered {
  const { proposal } = topic;
  const known: Answered = {
    columns: new Map(),
    way: proposal.collection.find(({ kind }) => kind === 'settled'),
    lacksAmount: false,
    values: new Map(),
    oneByOne: new Set(),
    hasSeenUnread: false,
    isChanging: false,
    reopened: new Set(),
  };
  for (const { question, answer } of steps) {
    const [kind = '', name = ''] = splitAtColon(question);
    known.picksFrom = answer === answers.otherColumn ? question : undefined;
    known.isChanging = answer === answers.change;
    if (known.picksFrom !== undefined || known.isChanging) continue;
    const column = answer.startsWith('column:') ? answer.slice('column:'.length) : undefined;
    if (kind === 'field') known.columns.set(name, column);
    else if (kind === 'amount') {
      known.amount = column;
      known.lacksAmount = column === undefined;
    } else if (kind === 'collection') known.way = itemAt(proposal.collection, 'way:', answer);
    else if (kind === 'values') readValues(proposal, name, answer, known);
    else if (kind === 'value') {
      const [index = '', text = ''] = splitAtColon(name);
      decide(known.values, nameAt(proposal, Number(index)), text, answer as Decision);
    } else if (kind === 'unpaid') known.unpaid = answer as UnpaidChoice;
    else if (kind === 'decimal') known.decimal = answer as DecimalMark;
    else if (kind === 'lines')
      known.lines = itemAt(proposal.lines?.choices ?? [], 'lines:', answer) ?? 'none';
    else if (kind === 'unread') known.hasSeenUnread = true;
    else if (kind === 'change') reopen(proposal, answer, known);
  }
  return known;
}

/** The item that an answer such as `way:0` refers to; undefined for other answers. */
function itemAt<Item>(items: readonly Item[], prefix: string, answer: string): Item | undefined {
  return answer.startsWith(prefix) ? items[Number(answer.slice(prefix.length))] : undefined;
}

function readValues(proposal: Proposal, name: string, answer: string, known: Answered): void {
  if (answer === answers.oneByOne) known.oneByOne.add(name);
  if (answer !== answers.right) return;
  const found = proposal.values.find(({ header }) => header === name);
  for (const { text, decision } of found?.values ?? []) {
    const isOpen = !known.values.get(name)?.has(text);
    if (decision !== undefined && isOpen) decide(known.values, name, text, decision);
  }
}

function decide(decisions: Decisions, column: string, text: string, decision: Decision): void {
  decisions.set(column, (decisions.get(column) ?? new Map()).set(text, decision));
}

function reopen(proposal: Proposal, target: string, known: Answered): void {
  known.reopened.add(target);
  const [kind = '', name = ''] = splitAtColon(target);
  if (kind === 'field') known.columns.delete(name);
  if (kind === 'amount' || kind === 'collection') {
    known.amount = undefined;
    known.lacksAmount = false;
  }
  if (kind === 'unpaid') known.unpaid = undefined;
  if (kind === 'decimal') known.decimal = undefined;
  if (kind === 'lines') known.lines = undefined;
  if (kind === 'values') {
    known.values.delete(name);
    known.oneByOne.add(name);
  }
  if (kind !== 'collection') return;
  for (const column of proposal.values) {
    if (!isPayment(column, known.way)) continue;
    known.values.delete(column.header);
    known.oneByOne.delete(column.header);
  }
  known.way = undefined;
}

export function isPayment({ header, meaning }: ValueProposal, way: CollectionWay | undefined): boolean {
  return way?.kind === 'values' ? way.columns.includes(header) : isPaymentOnly(meaning);
}

export function collectsSome(proposal: Proposal, way: CollectionWay, values: Decisions): boolean {
  if (way.kind !== 'values') return way.kind === 'mode';
  return proposal.values.some(
    ({ header, values: all }) =>
      way.columns.includes(header) &&
      all.some((value) => (values.get(header)?.get(value.text) ?? certainDecision(value)) === 'collect'),
  );
}

export function certainDecision({ decision, isCertain }: Choice): Decision | undefined {
  return isCertain ? decision : undefined;
}

export function columnOf(proposal: Proposal, field: string, known: Answered): string | undefined {
  if (known.columns.has(field)) return known.columns.get(field);
  return proposal.fields.find((candidate) => candidate.field === field)?.settled[0]?.header;
}

function splitAtColon(text: string): [string, string] {
  const colon = text.indexOf(':');
  return colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
}

function nameAt({ values }: Proposal, index: number): string {
  return values.find((column) => column.index === index)?.header ?? '';
}

/** Whether the answer was that nothing says what the courier collects, so that more questions do not help. */
export function isGivenUp(steps: readonly Step[]): boolean {
  const last = steps.at(-1);
  return last?.question === 'collection' && last.answer === answers.none;
}
