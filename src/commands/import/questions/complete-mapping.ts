import type { Context } from '../../../context.ts';
import type { GivenMapping, Proposal, WrittenMapping } from '../../../import/mapping/draft/proposal.ts';
import { openField } from '../../../import/mapping/draft/propose-fields.ts';
import { analyseTable } from '../../../import/mapping/draft/propose-mapping.ts';
import { writeMapping } from '../../../import/mapping/draft/write-mapping.ts';
import type { ShownColumn } from '../../../import/mapping/guess/guesses.ts';
import { createHeader, nameOf } from '../../../import/mapping/header.ts';
import type { MappingFile } from '../../../import/mapping/language.ts';
import { parseMappingFile } from '../../../import/mapping/mapping-file.ts';
import type { PlanOptions } from '../../../import/orders/plan.ts';
import { type Plan, planImport } from '../../../import/orders/plan-import.ts';
import { isAmbiguousAmount, type Problem } from '../../../import/problem.ts';
import type { Table } from '../../../import/read/read-table.ts';
import { withRead } from '../../../import/read/settings.ts';
import type { JsonObject } from '../../../orders/json.ts';
import type { Order } from '../../../orders/order.ts';
import { defaultPlaces, type FieldPlaces, unnamedFields } from '../../../orders/unnamed-fields.ts';
import { formatOrder } from '../../../output/order-view.ts';
import { wrapText } from '../../../output/wrapped-text.ts';
import type { Prompts } from '../../../system/prompts/prompts.ts';
import { headerCodes, unreadCodes } from '../draft.ts';
import { answers, isGivenUp, type Step, type Topic, toMappingAnswers } from './answered.ts';
import { keepMapping, keepUnfinished } from './keep-mapping.ts';
import { columnsLeftOut, nextQuestion } from './next-question.ts';
import { settledText, textOf } from './question-text.ts';

export interface MappingJob {
  file: string;
  table: Table;
  options: PlanOptions;
  /** A mapping was given or remembered: only what it leaves open is asked. */
  isMapped: boolean;
  optionsWith(map?: MappingFile): PlanOptions;
  /** Error: `file_changed`. */
  checkUnchanged(): Promise<void>;
}

interface Round {
  topic: Topic;
  known: GivenMapping;
  steps: Step[];
}

/** Answers may raise new questions: what some values mean only shows once the orders can be read. */
const maxRounds = 4;

/**
 * At a terminal, asks what the columns hold until the file can be imported, and keeps the answers. Returns the new
 * plan, or the given one when nothing is asked. Errors: those of reading, `file_changed`, PromptLeft.
 */
export async function completeMapping(context: Context, job: MappingJob, plan: Plan): Promise<Plan> {
  const { prompts, settings, system } = context;
  const isFutile = job.table.header.below?.length === 0 || (plan.shop?.isRecognised && settings.yes);
  if (prompts === undefined || isFutile || !isAskable(plan)) return plan;
  const screen: Screen = { prompts, columns: columnsOf(job.table), width: system.terminal.width };
  const completed = await askRounds(context, job, screen, plan);
  if (completed.plan !== plan) plan.removeOrders();
  await job.checkUnchanged();
  if (completed.unfinished !== undefined) await keepUnfinished(context, job.file, completed.unfinished);
  if (completed.mapping === undefined) return completed.plan;
  const kept = { file: job.file, header: job.table.header, mapping: completed.mapping };
  await keepMapping(context, { ...kept, seen: completed.plan.seen });
  return completed.plan;
}

interface CompletedMapping {
  plan: Plan;
  /** Undefined when the answers are not enough. */
  mapping?: JsonObject;
  /** What was answered when it is not enough. */
  unfinished?: WrittenMapping;
}

async function askRounds(
  { interruption, print }: Context,
  { table, options, isMapped, optionsWith }: MappingJob,
  screen: Screen,
  given: Plan,
): Promise<CompletedMapping> {
  const { width } = screen;
  const isPartial = isMapped || given.shop !== undefined;
  const rounds: Round[] = [];
  let map = options.map;
  let plan = given;
  let mapping: JsonObject | undefined;
  const begin = async () => {
    const { stopping } = interruption;
    const analysed = await analyseTable(table, { ...options, map, stopping, problems: plan.problems });
    const { known } = analysed;
    const asksUnpaid = options.unpaid === undefined && hasError(plan, ({ code }) => code === 'payment_open');
    const isFirst = !isPartial && rounds.length === 0;
    const declined = new Set(rounds.flatMap((round) => declinedIn(round)));
    const only = columnsInQuestion(plan, analysed.proposal);
    const proposal = withUnreadFields(analysed.proposal, plan, declined);
    const ambiguous = plan.problems.find(({ first }) => isAmbiguousAmount(first))?.first.value;
    const topic: Topic = {
      proposal,
      asksUnpaid,
      declined,
      ...(isFirst ? {} : { only }),
      ...(ambiguous === undefined ? {} : { ambiguousAmount: ambiguous }),
    };
    const settled = isFirst ? settledText(proposal, width) : undefined;
    if (settled !== undefined) print.note(`${settled}\n`);
    rounds.push({ topic, known, steps: [] });
  };
  await begin();
  for (;;) {
    const round = rounds.at(-1) as Round;
    const { topic, known } = round;
    const canGoBack = rounds.length > 1;
    const steps = await askAll(topic, round.steps, screen, { canGoBack });
    if (steps === undefined) {
      rounds.pop();
      rounds.at(-1)?.steps.pop();
      continue;
    }
    round.steps = steps;
    const written = withRead(writeMapping(topic.proposal, toMappingAnswers(topic, steps), known), table);
    const leftOut = columnsLeftOut(topic, steps);
    if (leftOut.length > 0) {
      const { ignore } = written.mapping;
      written.mapping.ignore = [...(Array.isArray(ignore) ? ignore : []), ...leftOut];
    }
    const isOfUse = rounds.some((each) => each.steps.some(({ answer }) => answer !== answers.none));
    const unfinished = isOfUse ? { unfinished: written } : {};
    if (isGivenUp(steps) || written.questions > 0) return { plan: given, ...unfinished };
    const isNew = JSON.stringify(written.mapping) !== JSON.stringify(mapping);
    mapping = written.mapping;
    map = parseMappingFile(JSON.stringify(mapping), 'the mapping');
    const answered = optionsWith(map);
    // The user may still give up, and then the given plan holds.
    if (plan !== given || plan.isBroken) plan.removeOrders();
    plan = await planImport(table, answered);
    if (isAskable(plan) && isNew && rounds.length < maxRounds) {
      await begin();
      continue;
    }
    if (isPartial && steps.length === 0 && rounds.length === 1) return { plan: given };
    if (plan.isBroken) return { plan, ...unfinished };
    if (isPartial) break;
    const orders = plan.totals.firstOrders;
    if (orders.length === 0) break;
    print.note(
      `\nThe first orders as they will be sent:\n\n${formatOrders(orders, answered.places, width)}\n${formatPlaces(answered.places, width)}`,
    );
    const answer = await askAboutOrders(screen, { canGoBack: canGoBack || steps.length > 0 });
    if (answer === 'right') break;
    if (answer === 'change') round.steps.push({ question: 'orders', answer: answers.change });
    else if (round.steps.pop() === undefined) {
      rounds.pop();
      rounds.at(-1)?.steps.pop();
    }
  }
  return { plan, mapping };
}

function declinedIn({ topic, steps }: Round): string[] {
  const { columns } = toMappingAnswers(topic, steps);
  return [...columns].flatMap(([field, name]) => (name === undefined ? [field] : []));
}

interface Screen {
  prompts: Prompts;
  columns: readonly ShownColumn[];
  width: number;
}

const back = { value: 'back', name: '← back' };

/** Returns all steps with the given ones; undefined when the user goes back beyond the first. Error: PromptLeft. */
async function askAll(
  topic: Topic,
  given: readonly Step[],
  { prompts, columns, width }: Screen,
  { canGoBack }: { canGoBack: boolean },
): Promise<Step[] | undefined> {
  const steps = [...given];
  for (;;) {
    const question = nextQuestion(topic, steps);
    if (question === undefined) return steps;
    const { message, choices, preset } = textOf(question, columns, width);
    const all = steps.length > 0 || canGoBack ? [...choices, back] : choices;
    const answer = await prompts.choose(message, all, preset);
    if (answer !== back.value) steps.push({ question: question.id, answer });
    else if (steps.pop() === undefined) return undefined;
  }
}

async function askAboutOrders(
  { prompts }: Screen,
  { canGoBack }: { canGoBack: boolean },
): Promise<'right' | 'change' | 'back'> {
  return prompts.choose('Are these orders right?', [
    { value: answers.right, name: 'yes' },
    { value: answers.change, name: 'change an answer' },
    ...(canGoBack ? [{ value: 'back' as const, name: back.name }] : []),
  ]);
}

function columnsOf({ header: row }: Table): ShownColumn[] {
  const header = createHeader(row);
  return header.cells.flatMap((cell, index) => {
    if (cell === '') return [];
    const texts = (row.below ?? []).map(({ cells }) => cells[index] ?? '').filter((text) => text !== '');
    return [{ index, header: nameOf(header, index), samples: [...new Set(texts)].slice(0, 3) }];
  });
}

const labelWidth = 'deliver on'.length + 3;

/** Where this profile sends the fields that the service does not name. */
function formatPlaces(places: FieldPlaces, width: number): string {
  const moved = unnamedFields.filter((field) => places[field] !== defaultPlaces[field]);
  const texts = moved.map((field) => `${field} → ${places[field]}`);
  return texts.length === 0
    ? ''
    : `\n${wrapText(`Places of this profile: ${texts.join(', ')}.`, width - 1).join('\n')}\n`;
}

function formatOrders(orders: readonly Order[], places: FieldPlaces, width: number): string {
  const maxLength = Math.max(20, width - labelWidth);
  return orders.map((order) => formatOrder(order, 'import', { places, maxLength })).join('\n\n');
}

const anyCodes: ReadonlySet<string> = new Set([
  ...unreadCodes,
  'column_undecided',
  'payment_unknown',
  'payment_open',
  'state_unknown',
  'value_unknown',
]);

/** The columns with problems that answers can solve. */
function columnsInQuestion({ problems }: Plan, { fields, unread }: Proposal): ReadonlySet<string> {
  const headers = new Set(
    problems.flatMap(({ first: { code, header } }) => (anyCodes.has(code) ? header : [])),
  );
  const columns = [...fields.flatMap(({ guesses }) => guesses), ...unread];
  return new Set(
    columns.map(({ header }) => header).filter((name) => headers.has(name.replace(/#\d{1,3}$/, ''))),
  );
}

const fieldsByCode: Partial<Record<string, string>> = {
  quantity_unread: 'items[].quantity:number',
  address_unread: 'deliveryAddress.street',
  date_unread: 'requestedDeliveryDate',
};

/** Adds the fields that only problems of orders show: unread columns, and lines without a SKU. */
function withUnreadFields(proposal: Proposal, { problems }: Plan, declined: ReadonlySet<string>): Proposal {
  const lacks = (wanted: string) => proposal.fields.every(({ field }) => field !== wanted);
  const unread = problems.flatMap(({ first: { code, header: name } }) => {
    const field = fieldsByCode[code];
    const guesses = proposal.unread.filter(({ header }) => header === name);
    return field === undefined || guesses.length === 0 || !lacks(field) ? [] : [openField(field, guesses)];
  });
  const byField = new Map(unread.map((field) => [field.field, field]));
  const needsName = declined.has('items[].sku') && lacks('items[].name');
  const taken = new Set(unread.flatMap(({ guesses }) => guesses));
  return {
    ...proposal,
    fields: [...proposal.fields, ...byField.values(), ...(needsName ? [openField('items[].name')] : [])],
    unread: proposal.unread.filter((column) => !taken.has(column)),
  };
}

function isAskable(plan: Plan): boolean {
  return hasError(
    plan,
    (problem) =>
      anyCodes.has(problem.code) ||
      isAmbiguousAmount(problem) ||
      (headerCodes.includes(problem.code) && problem.about !== 'order') ||
      (['decimal_invalid', 'date_invalid'].includes(problem.code) && problem.cures?.length === 1),
  );
}

function hasError({ problems }: Plan, isMeant: (problem: Problem) => boolean): boolean {
  return problems.some(({ first }) => first.severity === 'error' && isMeant(first));
}
