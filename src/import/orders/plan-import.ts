import type { Spill } from '../../system/spill.ts';
import { adviseProblem } from '../cells/column-facts.ts';
import type { Mapping } from '../map/column.ts';
import { type MappingFlags, mapHeader } from '../map/map-header.ts';
import { createProblemLog, type FoldedProblem, type Problem } from '../problem.ts';
import type { Table } from '../table/table.ts';
import { createOrderPlanner, type PlannedOrder } from './plan-order.ts';
import type { Run } from './row-runs.ts';
import { createScatteredOrders, type ScatteredOrders } from './scattered-orders.ts';
import { createSelector, isInShard } from './select-orders.ts';
import { type Survey, type SurveyOptions, surveyTable } from './survey.ts';
import { gatherScattered, walkOrders } from './walk-orders.ts';

export interface PlanOptions extends SurveyOptions, MappingFlags {
  /** Where rows are put aside of orders whose rows lie in several places; whoever opens it removes it. */
  openSpill(): Spill;
}

/** An order of the file, and whether it is one of those that are meant. */
export interface ReadOrder {
  planned: PlannedOrder;
  isSelected: boolean;
}

/** A file that was read to its end and checked whole; nothing of it was sent. */
export interface Plan {
  table: Table;
  mapping: Mapping;
  /** Problems of the file and its header; with one of them no order is sent. Then those of the orders. */
  isBroken: boolean;
  problems: FoldedProblem[];
  /** The first errors, one by one. */
  errors: Problem[];
  survey: Omit<Survey, 'log' | 'ids'>;
  /**
   * Reads the orders again, from the first row to the last, without those of other shards; `stopping` when it is to
   * end before. Errors: `file_changed`, AbortError.
   */
  orders(stopping?: AbortSignal): AsyncIterable<Iterable<ReadOrder>>;
}

/** Reads, maps, groups and checks a whole table. Errors: those of reading, AbortError, `file_changed`. */
export async function planImport(table: Table, options: PlanOptions): Promise<Plan> {
  const { problems: wrong, ...mapping } = mapHeader(table.header, options);
  const nothing: Table = { ...table, batches: async function* () {} };
  if (wrong.length > 0) {
    const survey = await surveyTable(nothing, mapping, options, undefined);
    const log = createProblemLog();
    log.add(wrong);
    const problems = log.folded();
    return { table, mapping, isBroken: true, problems, errors: wrong, survey, orders: async function* () {} };
  }
  let survey = await surveyTable(table, mapping, options, undefined);
  const repeated = survey.ids.repeated();
  let scattered: ScatteredOrders | undefined;
  if (repeated.length > 0) {
    scattered = createScatteredOrders(repeated, options.openSpill());
    await gatherScattered(table, { ...options, mapping }, scattered);
    survey = await surveyTable(table, mapping, options, scattered);
  }
  // What was needed to find repeated ids is as large as all of them, and not needed any more.
  const { log, ids: _, ...kept } = survey;
  const { facts } = kept;
  const advise = (problem: Problem) => adviseProblem(problem, facts);
  const problems = log.folded().map((folded) => ({ ...folded, first: advise(folded.first) }));
  return {
    ...{ table, mapping, problems, errors: log.errors().map(advise), survey: kept },
    isBroken: problems.some(({ first }) => first.about !== 'order'),
    orders: (stopping = options.stopping) =>
      readAgain(table, mapping, { ...options, stopping }, scattered, kept),
  };
}

async function* readAgain(
  table: Table,
  mapping: Mapping,
  options: SurveyOptions,
  scattered: ScatteredOrders | undefined,
  { facts }: Pick<Survey, 'facts'>,
): AsyncGenerator<Iterable<ReadOrder>> {
  const plan = createOrderPlanner(mapping, options);
  const isSelected = createSelector(options.selection);
  const { shard } = options.selection;
  const read = (run: Run): ReadOrder => {
    const planned = plan(run);
    const problems = planned.problems.map((problem) => adviseProblem(problem, facts));
    return { planned: { ...planned, problems }, isSelected: isSelected(run) };
  };
  for await (const runs of walkOrders(table, { ...options, mapping }, scattered)) {
    const own = shard === undefined ? runs : runs.filter((run) => isInShard(run.externalOrderId, shard));
    yield each(own, read);
  }
}

/** One after the other, so that no more than one needs memory at a time. */
function* each<Item, Result>(items: Iterable<Item>, make: (item: Item) => Result): Generator<Result> {
  for (const item of items) yield make(item);
}
