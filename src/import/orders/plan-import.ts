import { hash } from 'node:crypto';
import { type Text, t } from '../../advice/advice.ts';
import { CliError } from '../../errors.ts';
import { formatCount } from '../../orders/decimal.ts';
import { hasMembers } from '../../orders/json.ts';
import type { findIssues } from '../../orders/order-schemas.ts';
import { createFieldWatch, fieldsUnder, type UnnamedField } from '../../orders/unnamed-fields.ts';
import type { Shard } from '../choices.ts';
import { noOrders } from '../file-texts.ts';
import type { Bound } from '../mapping/bind.ts';
import { isSpelledOut } from '../mapping/column.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { createNonOrderRows, type NonOrderRows } from '../mapping/non-order-rows.ts';
import { mapTable, type Shop } from '../mapping/shops/presets.ts';
import {
  createProblemLog,
  type FoldedProblem,
  type Problem,
  type ProblemLog,
  type WarningCount,
} from '../problem.ts';
import type { Row, Table } from '../read/read-table.ts';
import { fitsHeader } from '../read/table.ts';
import { createChecks } from './checks.ts';
import type { ColumnFormats, Reformatted } from './column-formats.ts';
import { minCompared } from './control-sums.ts';
import { createShippingMethods } from './delivery-problems.ts';
import { type Joiner, readOrders } from './group/group-rows.ts';
import { createCustomerReader, createRepeatedIds, joinNothing } from './group/repeated-ids.ts';
import { createSeenValues } from './new-values.ts';
import {
  type AcrossOrders,
  createPlanStore,
  createTotals,
  type FileCounts,
  isSendable,
  type PlannedOrder,
  type PlanOptions,
  type PlanStore,
  type SeenValues,
  type Totals,
} from './plan.ts';
import { createOrderPlanner } from './plan-order.ts';
import { createIgnoredColumns, ignoredSentences } from './unread-columns.ts';

export interface Plan extends FoundInRows {
  table: Table;
  mapping: Mapping;
  shop?: Shop;
  /** The file or its header has an error, so that no order may be sent. */
  isBroken: boolean;
  /** Problems of the file and its header, then those of the orders. */
  problems: FoldedProblem[];
  warnings: WarningCount[];
  keepsOrders: boolean;
  /** Those of this shard, in file order, also what is left out, invalid or not selected. Needs `keepsOrders`. */
  orders(): Iterable<PlannedOrder>;
  /** Frees the disk space of its orders, for a plan that another replaces. */
  removeOrders(): void;
}

interface FoundInRows {
  totals: Totals;
  /** Orders by their shipping method, where it is not known as a delivery. */
  shippingMethods: Readonly<Record<string, number>>;
  counts: FileCounts;
  /** For each column whose cells are sent in another format: the first of them and their number. */
  reformatted: Reformatted[];
  /** Fields that the interface does not name, with values that are no default, at paths that this run does not spell out. */
  assumedFields: UnnamedField[];
  nonOrderRows: NonOrderRows;
  /** What follows from ignoring columns. */
  ignored: Text[];
  /** The columns that `--ignore-rest` covered. */
  ignoredRest: string[];
  seen: SeenValues;
  /** The order IDs are 1, 2, 3 and so on, perhaps behind a prefix. */
  idsCount: boolean;
  /** An order of the file of `--template` that would be sent. */
  example?: PlannedOrder | undefined;
}

interface MappedTable {
  table: Table;
  mapped: Bound;
  shop?: Shop;
}

/** Errors: those of reading, `file_not_writable`, AbortError. */
export async function planImport(table: Table, options: PlanOptions): Promise<Plan> {
  const file: MappedTable = { table, ...mapTable(table.header, options) };
  const { problems, missing } = file.mapped;
  const isAsked = options.stopsAtQuestion && missing.length > 0;
  if (problems.length === 0 && !isAsked) return planRows(file, options, missing);
  // What else is missing may follow from another problem, such as a misspelt header.
  const isOnlyMissing = problems.every(({ code }) => code === 'column_missing');
  return planBrokenHeader(file, options, [...problems, ...(isOnlyMissing ? missing : [])]);
}

/** Reads the file again when only the whole of it has shown what its rows mean. */
async function planRows(file: MappedTable, options: PlanOptions, missing: Problem[]): Promise<Plan> {
  const { mapped, ...source } = file;
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
  const customerOf = createCustomerReader([...mapped.columns, ...mapped.addresses.flat()]);
  const createJoiner = () => (repeated.isEmpty ? joinNothing : repeated.createJoiner(customerOf));
  let store: PlanStore | undefined;
  const read = (joiner: Joiner, shown: Pick<PlanOptions, 'lessIsError' | 'across'> = {}) => {
    store?.remove();
    store = keepsOrders ? createPlanStore(openSpill()) : undefined;
    return planOrders(file, { ...options, ...shown }, missing, joiner, store?.add);
  };
  let found = await read(findRepeated);
  if (!repeated.isEmpty && !found.isStopped) found = await read(createJoiner());
  const lessIsError = isLineMissing(found.inRows.counts);
  const { across } = found;
  if ((lessIsError || across !== undefined) && !found.isStopped)
    found = await read(createJoiner(), { lessIsError, across });
  repeated.remove();
  const { log, inRows } = found;
  const { withFlag } = found.formats;
  const problems = log.folded().map((folded) => ({ ...folded, first: withFlag(folded.first) }));
  return {
    ...source,
    ...inRows,
    mapping: mapped,
    problems,
    warnings: log.warnings(),
    isBroken:
      found.isStopped || problems.some(({ first }) => first.about !== 'order' && first.severity === 'error'),
    keepsOrders,
    removeOrders: () => store?.remove(),
    orders: function* () {
      if (store === undefined) throw new Error('The orders of this plan were not kept.');
      for (const planned of store.orders()) yield { ...planned, problems: planned.problems.map(withFlag) };
    },
  };
}

function isLineMissing({ sums: { agrees, differs, less } }: FileCounts): boolean {
  return less > 0 && agrees + differs + less >= minCompared;
}

async function planBrokenHeader(
  file: MappedTable,
  options: PlanOptions,
  headerProblems: Problem[],
): Promise<Plan> {
  const { table } = file;
  const withoutRows: Table = { ...table, batches: async function* () {} };
  const plan = await planRows({ ...file, table: withoutRows }, { ...options, keepsOrders: false }, []);
  const log = createProblemLog();
  log.add(headerProblems);
  const [problems, warnings] = [log.folded(), log.warnings()];
  return { ...plan, table, isBroken: true, problems, warnings, orders: () => [] };
}

const exampleId = /^EXAMPLE-\d$/;
/** At most as many orders are planned of one file. */
const maxOrders = 5_000_000;

/** Passes the orders of this shard to `keep`, in file order. Errors: those of reading and of `keep`, AbortError. */
async function planOrders(
  { table, mapped }: MappedTable,
  options: PlanOptions,
  missing: readonly Problem[],
  joiner: Joiner,
  keep?: (planned: PlannedOrder) => void,
): Promise<{
  inRows: FoundInRows;
  log: ProblemLog;
  formats: ColumnFormats;
  /** What single orders are refused for, which needs another reading. */
  across: AcrossOrders | undefined;
  /** Not all rows were read. */
  isStopped: boolean;
}> {
  const { header } = table;
  const log = createProblemLog();
  const totals = createTotals();
  const checks = createChecks(header, mapped, options, totals.value);
  const seen = createSeenValues(mapped);
  const ignored = createIgnoredColumns(mapped);
  const shipping = createShippingMethods(mapped);
  const watch = createFieldWatch(assumedFields(mapped, options), options.fieldPaths);
  const facts = [totals, seen, ignored, shipping, watch];
  const nonOrderRows = createNonOrderRows();
  const counts: FileCounts = {
    orders: 0,
    selected: 0,
    invalid: 0,
    leftOut: {},
    paidOnDelivery: 0,
    sums: { agrees: 0, differs: 0, less: 0 },
    rows: 0,
    skippedRows: 0,
    lastRow: header.row,
  };
  let example: PlannedOrder | undefined;
  let keptRows = 0;
  const plan = createOrderPlanner(mapped, options, missing);
  /** Loaded for the first order that is not ordinary, since zod is slow to load. */
  let find: typeof findIssues | undefined;
  const { rows: isChosen, limit = Number.POSITIVE_INFINITY, shard } = options;
  const onRow = (row: Row) => {
    counts.rows += 1;
    counts.lastRow = row.row;
  };
  const watchRows = { onRow, onNonOrder: nonOrderRows.add };
  const isStopped = () => options.stopsAtQuestion === true && checks.undecided.isFound();
  for await (const orders of readOrders(table, mapped, options, joiner, watchRows)) {
    if (isStopped()) break;
    for (const order of orders) {
      counts.orders += 1;
      if (counts.orders > maxOrders) throw tooManyOrders();
      keptRows += order.rows.length;
      const isOfShard = shard === undefined || isInShard(order.externalOrderId, shard);
      const isSelected =
        isOfShard &&
        counts.selected < limit &&
        (isChosen === undefined || order.rows.some(({ row }) => isChosen(row)));
      const isPlanned = isSelected || (keep !== undefined && isOfShard);
      let planned = isPlanned ? plan(order, isSelected, find) : undefined;
      if (isPlanned && planned === undefined) {
        find = (await import('../../orders/order-schemas.ts')).findIssues;
        planned = plan(order, isSelected, find);
      }
      if (planned !== undefined) keep?.(planned);
      const leftOut = isSelected ? planned?.leftOut : undefined;
      const use = !isSelected ? 'not_selected' : leftOut === undefined ? 'sent' : 'left_out';
      const fitting = order.rows.every(fitsHeader) ? order.rows : order.rows.filter(fitsHeader);
      for (const check of checks.ofRows) check(order, fitting, use);
      if (leftOut !== undefined) counts.leftOut[leftOut] = (counts.leftOut[leftOut] ?? 0) + 1;
      if (planned === undefined || use !== 'sent') continue;
      counts.selected += 1;
      const isReadable = fitting === order.rows && hasMembers(planned.order);
      if (isReadable) for (const check of checks.ofOrders) check(planned);
      if (planned.sum !== undefined) counts.sums[planned.sum] += 1;
      log.add(planned.problems);
      if (!isSendable(planned)) {
        counts.invalid += 1;
        continue;
      }
      if (planned.isPaidOnDelivery) counts.paidOnDelivery += 1;
      for (const { add } of facts) add(planned);
      if (exampleId.test(planned.externalOrderId)) example ??= planned;
    }
  }
  counts.skippedRows = counts.rows - keptRows - nonOrderRows.value().count;
  const isWhole = !isStopped();
  if (isWhole) log.add(counts.orders === 0 ? [noOrders] : missing);
  log.add(checks.problems(isWhole));
  const inRows: FoundInRows = {
    totals: totals.value(),
    shippingMethods: shipping.value(),
    counts,
    reformatted: checks.formats.reformatted(),
    assumedFields: watch.found(),
    nonOrderRows: nonOrderRows.value(),
    ignored: ignoredSentences(ignored.sentences(), checks.ofIgnored),
    ignoredRest: checks.undecided.ignored(),
    seen: seen.value(),
    idsCount: checks.idsCount(),
    example,
  };
  return { inRows, log, formats: checks.formats, across: checks.across(), isStopped: !isWhole };
}

function assumedFields(
  { columns, lines, addresses }: Mapping,
  { map, set = [] }: Pick<PlanOptions, 'map' | 'set'>,
): UnnamedField[] {
  const all = [...columns, ...(lines?.columns ?? []), ...addresses.flat()];
  const spelledOut = [...all.filter(isSpelledOut), ...set];
  const known = new Set(spelledOut.flatMap(({ path }) => fieldsUnder(path)));
  const others = [...all.filter((column) => !isSpelledOut(column)), ...(map?.constants ?? [])];
  const assumed = others.flatMap(({ path }) => fieldsUnder(path)).filter((field) => !known.has(field));
  return [...new Set(assumed)];
}

function tooManyOrders(): CliError {
  const sentence = t`The file has more than ${formatCount(maxOrders)} orders. Nothing was sent.`;
  const hint = t`Divide it into several files, and import them one after the other.`;
  return new CliError('file_invalid', sentence, { hint });
}

/**
 * It depends on the ID alone, so that several machines divide a file the same way: the shard number is the SHA-256 of
 * the ID, read big-endian, modulo the count, plus 1.
 */
export function isInShard(externalOrderId: string, { number, count }: Shard): boolean {
  return BigInt(`0x${hash('sha256', externalOrderId)}`) % BigInt(count) === BigInt(number - 1);
}
