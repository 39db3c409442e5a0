import type { Mapping } from '../mapping/mapping.ts';
import { mapTable, type Shop } from '../mapping/shops/presets.ts';
import { createProblemLog, type FoldedProblem, type Problem, type WarningCount } from '../problem.ts';
import type { Table } from '../read/read-table.ts';
import { suggestFlag } from './cells/column-facts.ts';
import { checkOrders, type FileCheck, type FileCounts, type MappedTable } from './check-orders.ts';
import { minCompared } from './control-sums.ts';
import type { Joiner } from './group/group-rows.ts';
import { createCustomerReader } from './group/ids-alike.ts';
import { createRepeatedIds, joinNothing } from './group/repeated-ids.ts';
import type { PlanOptions } from './plan-order.ts';
import { createPlanStore, type PlannedOrder, type PlanStore } from './planned-order.ts';

export interface Plan extends Omit<FileCheck, 'log' | 'laterMeanings'> {
  table: Table;
  mapping: Mapping;
  shop?: Shop;
  /** The file or its header has an error, so that no order may be sent. */
  isBroken: boolean;
  /** Problems of the file and its header, then those of the orders. */
  problems: FoldedProblem[];
  errors: Problem[];
  warnings: WarningCount[];
  keepsOrders: boolean;
  /** Those of this shard, in file order, also what is left out, invalid or not selected. Needs `keepsOrders`. */
  orders(): Iterable<PlannedOrder>;
}

/** Errors: those of reading, `file_not_writable`, AbortError. */
export async function planImport(table: Table, given: PlanOptions): Promise<Plan> {
  const { headerProblems: earlier = [] } = given;
  const { shop, mapped } = mapTable(table.header, given);
  const ofShop = shop === undefined ? {} : { shop };
  const { problems: headerProblems, missing: needs, free, ...mapping } = mapped;
  const options: PlanOptions = { ...given, hasNumberCells: table.hasNumberCells };
  const missing = [...needs, ...earlier];
  const read: MappedTable = { table, mapping, missing, free };
  if (headerProblems.length > 0) {
    // What else is missing may follow from another problem, such as a misspelt header.
    const all = headerProblems.every(({ code }) => code === 'column_missing')
      ? [...headerProblems, ...missing]
      : [...headerProblems, ...earlier];
    return { ...(await planBrokenHeader(read, options, all)), ...ofShop };
  }
  return { ...(await planMapped(read, options)), ...ofShop };
}

/** Reads the file again when only the whole of it has shown what its rows mean. */
async function planMapped(read: MappedTable, options: PlanOptions): Promise<Plan> {
  const { table, mapping } = read;
  const { openSpill, keepsOrders = true } = options;
  const repeated = createRepeatedIds(openSpill);
  // When two groups may be of one order, or have similar IDs, this reading cannot be used.
  const findRepeated: Joiner = {
    ...joinNothing,
    join: (group) => {
      repeated.add(group);
      return repeated.isEmpty ? group : undefined;
    },
  };
  const customerOf = createCustomerReader([...mapping.columns, ...mapping.addresses.flat()]);
  const createJoiner = () => (repeated.isEmpty ? joinNothing : repeated.createJoiner(customerOf));
  let store: PlanStore | undefined;
  const check = (joiner: Joiner, lessIsError = false) => {
    store?.remove();
    store = keepsOrders ? createPlanStore(openSpill()) : undefined;
    return checkOrders(read, { ...options, lessIsError }, joiner, store?.add);
  };
  let checked = await check(findRepeated);
  if (!repeated.isEmpty) checked = await check(createJoiner());
  if (checked.laterMeanings.length > 0) {
    store?.remove();
    const unread = [...mapping.unread, ...checked.laterMeanings];
    return planMapped({ ...read, mapping: { ...mapping, unread } }, options);
  }
  if (isLineMissing(checked.counts)) checked = await check(createJoiner(), true);
  const { log, laterMeanings: _, ...found } = checked;
  const suggest = (problem: Problem) => suggestFlag(problem, found.facts);
  const problems = log.folded().map((folded) => ({ ...folded, first: suggest(folded.first) }));
  return {
    ...found,
    table,
    mapping,
    problems,
    errors: log.errors().map(suggest),
    warnings: log.warnings(),
    isBroken: problems.some(({ first }) => first.about !== 'order' && first.severity === 'error'),
    keepsOrders,
    orders: function* () {
      if (store === undefined) throw new Error('The orders of this plan were not kept.');
      for (const planned of store.orders()) yield { ...planned, problems: planned.problems.map(suggest) };
    },
  };
}

function isLineMissing({ sums: { agrees, differs, less } }: FileCounts): boolean {
  return less > 0 && agrees + differs + less >= minCompared;
}

async function planBrokenHeader(
  read: MappedTable,
  options: PlanOptions,
  headerProblems: Problem[],
): Promise<Plan> {
  const { table, mapping } = read;
  const withoutRows: Table = { ...table, batches: async function* () {} };
  const { log: _, ...checked } = await checkOrders(
    { ...read, table: withoutRows, missing: [] },
    options,
    joinNothing,
  );
  const log = createProblemLog();
  log.add(headerProblems);
  return {
    ...checked,
    table,
    mapping,
    isBroken: true,
    problems: log.folded(),
    errors: headerProblems,
    warnings: log.warnings(),
    keepsOrders: false,
    orders: () => [],
  };
}
