import { advice, type Text } from '../../advice/advice.ts';
import { formatFieldPath } from '../../orders/field-path.ts';
import { columnAt, columnsNamed, mappingProblem, type NamedColumn, nameOf } from '../columns/header.ts';
import { isStateOfShipping, type UnreadColumn } from '../columns/header-roles.ts';
import { isBlank } from '../columns/reading.ts';
import { changeBy, isShipping, roles, verdictIn } from '../columns/roles.ts';
import { columnsUndecided } from '../file-texts.ts';
import { type Column, fills, isPathAssumed, kindOfCells } from '../mapping/column.ts';
import { indexesOfUse, type Mapping, unreadColumns } from '../mapping/mapping.ts';
import { paymentColumns } from '../mapping/missing-fields.ts';
import { clip, createCounts, ownCopy, type Problem, type ValueCounts } from '../problem.ts';
import type { HeaderRow, Row } from '../read/read-table.ts';
import { namesOtherCurrency } from '../words/money.ts';
import { findCounts } from '../words/quantity.ts';
import { isLeftOut, verdict } from '../words/verdict.ts';
import { firstTexts } from './group/group-rows.ts';
import { constantMode } from './payment.ts';
import type { Check, PlannedOrder, PlanOptions } from './plan.ts';
import { hasQuantityIn } from './unread/rest-values.ts';
import { describeIgnored, otherCurrency, paymentUnread, unreadProblem } from './unread/unread-problems.ts';

type PaymentKind = 'paid' | 'on_delivery' | 'other' | 'nothing';

/** A status or an amount due decides before a method. */
function paymentIn(payments: readonly UnreadColumn[], cells: readonly string[]): PaymentKind {
  const said = payments.map((column) => ({
    role: column.role,
    found: verdictIn(column, cells[column.index] ?? ''),
  }));
  for (const kind of ['paid', 'on_delivery'] as const)
    if (said.some(({ found }) => found === kind)) return kind;
  const isSilent = said.every(({ role, found }) => role === 'amount_paid' && found === 'nothing');
  return isSilent ? 'nothing' : 'other';
}

/** Columns that no field and no rule reads, although their cells may change orders. */
export function createUnreadColumns(
  mapping: Mapping,
  { constants }: Pick<PlanOptions, 'constants'>,
): Check | undefined {
  const { header, columns, filled } = mapping;
  const unread = unreadColumns(mapping, ['open', 'values', 'payment', 'ignored']);
  const hasQuantity = hasQuantityIn(filled);
  const hasDate = filled.has('requestedDeliveryDate');
  const collectionMode = constantMode(constants);
  const isModeMapped = columns.some(fills('collectionMode'));
  const payments = isModeMapped ? [] : paymentColumns(unread);
  const paymentIndexes = new Set(payments.map(({ index }) => index));
  const watched = unread.filter(({ role }) => {
    const { unread: reason } = roles[role];
    if (reason === 'quantity') return !hasQuantity;
    if (reason === 'date') return !hasDate;
    return reason !== 'payment' && reason !== null && !isShipping(role);
  });
  const counts = new Map(watched.map((column) => [column, createCounts()]));
  const shipping = unread
    .filter(({ role }) => isShipping(role))
    .map((column) => ({ column, ...createShippingStates(column) }));
  if (watched.length === 0 && shipping.length === 0 && payments.length === 0) return undefined;
  const payment = { paid: createCounts(), on_delivery: createCounts(), other: createCounts() };
  /** What agrees with the payment that is the same for all orders. */
  const agreeing = collectionMode === 'COLLECT' ? 'on_delivery' : 'paid';

  return {
    order: ({ rows }) => {
      for (const [column, found] of counts) {
        for (const { cells } of rows) {
          const text = cells[column.index] ?? '';
          const role = column.use === 'payment' ? 'state_or_payment' : column.role;
          if (changeBy({ ...column, role }, text) !== undefined) found.add(text);
        }
      }
      for (const { column, add } of shipping) for (const { cells } of rows) add(cells[column.index] ?? '');
      if (payments.length === 0) return;
      const cells = firstTexts(rows, paymentIndexes);
      const kind = paymentIn(payments, cells);
      const texts = payments.map(({ index }) => cells[index] ?? '').filter((text) => text !== '');
      if (kind !== 'nothing') payment[kind].add(texts.join(' / ') || '(blank)');
      // A refund often stands in a later row of an order whose first row is paid.
      if (kind === 'paid' || kind === 'nothing')
        for (const ended of laterEnds(rows, payments)) payment.other.add(ended);
    },
    end: (said) => {
      const states = shipping.map(({ column, values }) => [column, values()] as const);
      const found = [...counts, ...states].filter(([, values]) => !values.isEmpty);
      const problems = found.map(([column, values]) =>
        unreadProblem(header, { ...column, by: 'header', values }),
      );
      const { [agreeing]: _, ...others } = payment;
      const values = Object.values(others)
        .filter(({ isEmpty }) => !isEmpty)
        .map((counts) => counts.format());
      if (values.length === 0) return problems;
      for (const index of paymentIndexes) said.add(index);
      return [...problems, paymentUnread(header, payments, values, collectionMode)];
    },
  };
}

function laterEnds(rows: readonly Row[], payments: readonly UnreadColumn[]): string[] {
  const texts = rows
    .slice(1)
    .flatMap(({ cells }) => payments.map((column) => ({ column, text: cells[column.index] ?? '' })));
  const ended = texts.filter(({ column, text }) => isLeftOut(verdictIn(column, text)));
  return ended.map(({ text }) => text);
}

/**
 * A column named for delivery may hold states: then those that leave an order out, and what is neither state nor
 * method, has to be decided. So has pickup, and a tick, which may say that an order was delivered or that it will be.
 */
function createShippingStates({ header }: UnreadColumn) {
  const values = createCounts();
  const pickups = createCounts();
  let holdsStates = false;
  return {
    add: (text: string): void => {
      if (text === '') return;
      const found = verdict('shipping_or_state', text, header);
      if (found === 'pickup') {
        values.add(text);
        pickups.add(text);
        return;
      }
      const isTick = found === 'yes' || found === 'no';
      holdsStates ||= isTick || found === 'unclear' || isStateOfShipping(text, header);
      if (isLeftOut(found) || isTick || found === 'unclear' || found === 'unknown') values.add(text);
    },
    values: (): ValueCounts => (holdsStates ? values : pickups),
  };
}

/** What ignoring a column changes: `Status: 12 cancelled orders will be created`. */
export function createIgnoredColumns({ rest }: Pick<Mapping, 'rest'>) {
  const columns = rest
    .filter(({ use }) => use === 'ignored_anyway')
    .map((column) => ({ column, values: new Map<string, number>() }));
  return {
    add: ({ rows }: Pick<PlannedOrder, 'rows'>): void => {
      for (const { column, values } of columns) {
        const texts = rows.map(({ cells }) => cells[column.index] ?? '').filter((text) => !isBlank(text));
        // One value of each order, but the quantity of each line.
        for (const text of column.role === 'quantity' ? texts : texts.slice(0, 1)) {
          const change = changeBy(column, text);
          if (change !== undefined) values.set(change, (values.get(change) ?? 0) + 1);
        }
      }
    },
    /** By column. */
    sentences: (): Map<number, Text> =>
      new Map(
        columns
          .filter(({ values }) => values.size > 0)
          .map(({ column, values }) => [
            column.index,
            advice`${clip(column.header)}: ${describeIgnored(column.role, values)}`,
          ]),
      ),
  };
}

/**
 * Columns that mean more than is sent: counts in a text, amounts in another currency. `undecided`: columns that nothing
 * reads, and that no person has said not to read.
 */
export function createMisreadColumns(mapping: Mapping, undecided: readonly number[]): Check | undefined {
  const { header, columns, lines, rules } = mapping;
  const isItem = ({ path }: Column) => /^items\[\d*\]\.(?:sku|name)$/.test(formatFieldPath(path));
  const isSent = (column: Column) =>
    column.type === 'text' && column.rule === undefined && (isItem(column) || column.isExtra);
  const counted =
    lines !== undefined || hasQuantityIn(mapping.filled)
      ? []
      : [
          ...columns
            .filter(isSent)
            .map((column) => createCountedColumn(column, isItem(column) ? column : undefined)),
          ...undecided.map((index) => createCountedColumn(columnAt(header, index), undefined)),
        ];
  const amounts = [
    ...columns.filter((column) => kindOfCells(column) === 'money' && !isPathAssumed(column)),
    ...(rules.payment?.due ?? []),
  ].filter(({ header: name }) => namesOtherCurrency(name, 'header'));
  if (counted.length === 0 && amounts.length === 0) return undefined;
  return {
    order: ({ rows }) => {
      for (const { cells } of rows) for (const column of counted) column.add(cells[column.index] ?? '');
    },
    end: () => [
      ...counted.flatMap(({ problem }) => problem(header) ?? []),
      ...amounts.map(({ index }) => otherCurrency(header, index)),
    ],
  };
}

const maxTextLength = 4096;
/** In fewer of the rows, a column that is not sent says it of something else. */
const minCountedShare = 0.2;

/** A column whose texts may say how many pieces are meant. `field`: what it is sent as. */
function createCountedColumn({ index, header: name }: NamedColumn, field: Column | undefined) {
  const counts = createCounts();
  const different = new Set<string>();
  let rows = 0;
  let found = 0;
  let hasTimes = false;
  let isLost = false;
  const path = field === undefined ? undefined : formatFieldPath(field.path);
  return {
    index,
    add: (text: string): void => {
      rows += 1;
      if (!/\d/.test(text) || !/\p{L}/u.test(text)) return;
      const all = findCounts(text.slice(0, maxTextLength));
      const own = field === undefined ? all.filter(({ kind }) => kind !== 'parentheses') : all;
      if (own.length === 0) return;
      found += 1;
      counts.add(text);
      if (different.size < 2) different.add(text);
      for (const count of own) {
        hasTimes ||= count.kind === 'times';
        isLost ||= count.count > 1 || own.length > 1;
      }
    },
    problem: (row: HeaderRow): Problem | undefined => {
      const isMost = found * 2 >= rows;
      const areSeveral = different.size > 1 && (field !== undefined || found >= rows * minCountedShare);
      const isSaid = areSeveral || isMost || (hasTimes && field !== undefined);
      if (!isLost || !isSaid) return undefined;
      return unreadProblem(row, { index, header: name, by: 'values', values: counts, reason: 'lines', path });
    },
  };
}

/** By column: amounts say more than a count of orders, and a count more than a list of values. */
export function ignoredSentences(
  byHeader: ReadonlyMap<number, Text>,
  byValues: Iterable<readonly [number, Problem]>,
): Text[] {
  const sentences = new Map(byHeader);
  for (const [index, { header = '', reason, ifIgnored }] of byValues) {
    if (ifIgnored !== undefined && (reason === 'amount' || !sentences.has(index)))
      sentences.set(index, advice`${clip(header)}: ${ifIgnored}`);
  }
  return [...sentences.values()];
}

const maxSampleLength = 40;

interface UndecidedColumns extends Check {
  indexes: readonly number[];
  /** Whether a column has a value, and is not said to be left unread. */
  isFound(): boolean;
  /** In the end, the columns that `--ignore-rest` covers. */
  ignored(): string[];
}

/** Columns with values about which neither a field nor a rule nor a person has decided. */
export function createUndecidedColumns(
  mapping: Mapping,
  { ignoreRest, remembered }: Pick<PlanOptions, 'remembered' | 'ignoreRest'>,
): UndecidedColumns {
  const { header } = mapping;
  const isNew = (index: number) =>
    remembered === undefined ||
    remembered.newColumns.some((name) => columnsNamed(header, name).includes(index));
  const undecided = indexesOfUse(mapping, 'open').filter(isNew);
  const samples = new Map<number, string>();
  let empty = [...undecided];
  let left: number[] = [];
  return {
    indexes: undecided,
    isFound: () => !ignoreRest && samples.size > 0,
    ignored: () => (ignoreRest ? left.map((index) => nameOf(header, index)) : []),
    rows: (_, rows) => {
      if (empty.length === 0) return;
      for (const { cells } of rows) {
        for (const index of empty) {
          const text = cells[index] ?? '';
          if (text !== '') samples.set(index, ownCopy(text.slice(0, maxSampleLength + 1)));
        }
        if (empty.some((index) => samples.has(index))) empty = empty.filter((index) => !samples.has(index));
      }
    },
    end: (said) => {
      left = undecided.filter((index) => samples.has(index) && !said.has(index));
      if (ignoreRest || left.length === 0) return [];
      const shown = left.map((index) => `${clip(nameOf(header, index))} (${clip(samples.get(index) ?? '')})`);
      return [mappingProblem(columnsUndecided(shown))];
    },
  };
}
