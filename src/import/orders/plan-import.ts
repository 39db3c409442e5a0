import { hashOrder } from '../../ledger/order-log.ts';
import { loadChecks } from '../../orders/check-order.ts';
import { textField } from '../../orders/order.ts';
import type { Spill } from '../../system/temporary-file.ts';
import type { LeftOutReason, PlanFlags, PresetName } from '../choices.ts';
import type { MappingFile } from '../mapping/language.ts';
import { type MappedHeader, type MappingOptions, mapHeader } from '../mapping/map-header.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { presets, recogniseShop, withExplanation } from '../mapping/shops/presets.ts';
import { createProblemLog, type FoldedProblem, type Problem, type WarningCount } from '../problem.ts';
import type { HeaderRow, Table } from '../read/read-table.ts';
import { type ColumnFacts, suggestFlag } from './cells/column-facts.ts';
import {
  checkOrders,
  codesOf,
  createSelector,
  type FileCheck,
  type FileCounts,
  isInShard,
  type MappedTable,
} from './check-orders.ts';
import { minCompared } from './control-sums.ts';
import { hashAlike } from './ids-alike.ts';
import { createOrderPlanner, isSendable, type PlannedOrder, type PlanOptions } from './plan-order.ts';
import { readOrders } from './read-orders.ts';
import { createScatteredOrders, type Joiner, joinNothing, type RowGroup } from './scattered-orders.ts';

/** The mapping file fills in what the flags leave open. */
export function withMapping<Flags extends PlanFlags>(flags: Flags, map: MappingFile | undefined) {
  return {
    ...flags,
    map,
    unpaid: flags.unpaid ?? map?.unpaid,
    decimal: flags.decimal ?? map?.decimal,
    dateOrder: flags.dateOrder ?? map?.date_order,
    constants: [...(map?.constants ?? []), ...(flags.set ?? [])],
  };
}

export interface ReadOrder {
  planned: PlannedOrder;
  isSelected: boolean;
}

/** What is kept of an order that may be sent, or that is left out. */
export interface OrderDigest {
  externalOrderId: string;
  row: number;
  bodyHash: string;
  /** What the courier collects, as a decimal string. */
  collect?: string;
  leftOut?: LeftOutReason;
}

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
  /** In file order, of the selected orders without errors. Errors: those of `orders`. */
  digests(): Iterable<OrderDigest[]> | AsyncIterable<OrderDigest[]>;
  /** Reads the orders again in file order, without those of other shards. Errors: `file_changed`, AbortError. */
  orders(stopping?: AbortSignal): AsyncIterable<Iterable<ReadOrder>>;
}

/**
 * One pass when the rows of each order are together and no two IDs look alike, else two. Errors: those of reading,
 * AbortError, `file_changed`.
 */
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

async function planMapped(read: MappedTable, options: PlanOptions): Promise<Plan> {
  const { table, mapping } = read;
  const { openSpill, keepsDigests = true } = options;
  let orderOptions = options;
  let kept: { digests?: ReturnType<typeof createDigests> } = {};
  const check = (joiner: Joiner) => {
    kept = keepsDigests ? { digests: createDigests(openSpill) } : {};
    return checkOrders(read, orderOptions, joiner, (planned) => kept.digests?.add(planned));
  };
  const scattered = createScatteredOrders(openSpill, hashAlike, table.expectedRows);
  // When two orders may be one, or have similar IDs, this pass stops: its result cannot be used.
  const addOnly = (group: RowGroup) => {
    scattered.add(group);
    return scattered.isEmpty ? group : undefined;
  };
  let { log, ...checked } = await check({ ...joinNothing, join: addOnly });
  const createJoiner = scattered.isEmpty ? () => joinNothing : scattered.createJoiner;
  if (!scattered.isEmpty) ({ log, ...checked } = await check(createJoiner()));
  if (checked.laterMeanings.length > 0) {
    const unread = [...mapping.unread, ...checked.laterMeanings];
    return planMapped({ ...read, mapping: { ...mapping, unread } }, options);
  }
  if (isLineMissing(checked.counts)) {
    // Whether it is an error is only known at the end of the file, so the orders are checked again.
    orderOptions = { ...options, lessIsError: true };
    ({ log, ...checked } = await check(createJoiner()));
  }
  const suggest = (problem: Problem) => suggestFlag(problem, checked.facts);
  const problems = log.folded().map((folded) => ({ ...folded, first: suggest(folded.first) }));
  const { digests } = kept;
  const orders = (stopping = options.stopping) =>
    readAgain(read, { ...orderOptions, stopping }, createJoiner(), checked.facts);
  return {
    ...checked,
    table,
    mapping,
    problems,
    errors: log.errors().map(suggest),
    warnings: log.warnings(),
    isBroken: problems.some(({ first }) => first.about !== 'order' && first.severity === 'error'),
    digests: () => digests?.all() ?? digestsOf(orders()),
    orders,
  };
}

function isLineMissing({ sums: { agrees, differs, less } }: FileCounts): boolean {
  return less > 0 && agrees + differs + less >= minCompared;
}

/** The shop of the export, and whether the header alone shows it. */
export interface Shop {
  name: PresetName;
  title: string;
  isRecognised: boolean;
}

/** A recognised export is not read by the usual field names, which would find only a part of it. */
export function mapTable(
  header: HeaderRow,
  { preset: name, ...options }: MappingOptions & Pick<PlanFlags, 'preset'>,
): { shop?: Shop; mapped: MappedHeader } {
  const { map, mapColumn = [] } = options;
  if (name === 'none') return { mapped: mapHeader(header, options) };
  if (name !== undefined) {
    const preset = presets[name];
    const mapped = mapHeader(header, options, { preset, usesAliases: false });
    return {
      shop: { name, title: preset.title, isRecognised: false },
      mapped: withExplanation(preset, mapped),
    };
  }
  const recognised = map === undefined || !mapsOrderId(map) ? recogniseShop(header) : undefined;
  if (recognised === undefined) return { mapped: mapHeader(header, options) };
  if (mapColumn.length > 0) {
    const explicit = mapHeader(header, options, { usesAliases: false });
    if (explicit.problems.length + explicit.missing.length === 0) return { mapped: explicit };
  }
  const { preset, ...shop } = recognised;
  const mapped = mapHeader(header, options, { preset, usesAliases: false });
  return {
    shop: { ...shop, isRecognised: true },
    mapped: withExplanation(preset, mapped),
  };
}

/** A mapping file without the order ID only adds to the preset of the shop. */
function mapsOrderId({ columns, group_by: groupBy }: NonNullable<PlanOptions['map']>): boolean {
  return (
    groupBy !== undefined || Object.keys(columns).some((path) => path.toLowerCase() === 'externalorderid')
  );
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
    () => undefined,
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
    digests: () => [],
    orders: async function* () {},
  };
}

/** The text of a batch is read from the temporary file at once. */
const digestsInBatch = 200;

function createDigests(openSpill: () => Spill) {
  const positions: number[] = [];
  let spill: Spill | undefined;
  let batch: OrderDigest[] = [];
  return {
    add: (planned: PlannedOrder): void => {
      if (batch.push(digestOf(planned)) < digestsInBatch) return;
      spill ??= openSpill();
      positions.push(spill.write(JSON.stringify(batch)));
      batch = [];
    },
    all: function* (): Generator<OrderDigest[]> {
      for (const position of positions) yield JSON.parse((spill as Spill).read(position)) as OrderDigest[];
      yield batch;
    },
  };
}

function digestOf({ externalOrderId, order, leftOut, rows: [first] }: PlannedOrder): OrderDigest {
  const collect =
    textField(order, 'collectionMode') === 'COLLECT' ? textField(order, 'collectionAmount') : undefined;
  return {
    externalOrderId,
    row: first?.row ?? 0,
    bodyHash: hashOrder(order),
    ...(collect === undefined ? {} : { collect }),
    ...(leftOut === undefined ? {} : { leftOut }),
  };
}

async function* digestsOf(orders: ReturnType<Plan['orders']>): AsyncGenerator<OrderDigest[]> {
  for await (const batch of orders) {
    yield Array.from(batch).flatMap(({ planned, isSelected }) =>
      isSelected && (planned.leftOut !== undefined || isSendable(planned)) ? [digestOf(planned)] : [],
    );
  }
}

async function* readAgain(
  { table, mapping, missing }: MappedTable,
  options: PlanOptions,
  joiner: Joiner,
  facts: ColumnFacts,
): AsyncGenerator<Iterable<ReadOrder>> {
  const plan = createOrderPlanner(mapping, options, table.header.cells, codesOf(missing));
  const selector = createSelector(options);
  await loadChecks();
  const { shard } = options;
  const read = (order: RowGroup): ReadOrder => {
    const planned = plan(order) as PlannedOrder;
    const problems = planned.problems.map((problem) => suggestFlag(problem, facts));
    const mayTake = selector.mayTake(order);
    if (mayTake && planned.leftOut === undefined) selector.take();
    return { planned: { ...planned, problems }, isSelected: mayTake };
  };
  for await (const orders of readOrders(table, mapping, options, joiner)) {
    const own =
      shard === undefined ? orders : orders.filter((order) => isInShard(order.externalOrderId, shard));
    yield mapLazily(own, read);
  }
}

/** Lazy, so that only one planned order is in memory. */
function* mapLazily<Item, Result>(items: Iterable<Item>, make: (item: Item) => Result): Generator<Result> {
  for (const item of items) yield make(item);
}
