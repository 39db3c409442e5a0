import { advice, type Text, t } from '../../advice/advice.ts';
import { formatFieldPath } from '../../orders/field-path.ts';
import { type Column, fills, isPathAssumed, kindOfCells } from '../mapping/column.ts';
import {
  columnAt,
  columnsNamed,
  createHeader,
  type Header,
  mappingProblem,
  type NamedColumn,
  nameOf,
} from '../mapping/header.ts';
import type { MappedHeader } from '../mapping/map-header.ts';
import type { Mapping } from '../mapping/mapping.ts';
import {
  clip,
  createCounts,
  findMeanings,
  isStateOfShipping,
  type Meaning,
  ownCopy,
  type UnreadColumn,
  type ValueCounts,
} from '../mapping/meanings.ts';
import { paymentColumns } from '../mapping/missing-fields.ts';
import type { Problem } from '../problem.ts';
import type { HeaderRow, Row } from '../read/read-table.ts';
import { namesOtherCurrency } from '../words/money.ts';
import { type FoundCount, findCounts, isNotOne } from '../words/quantity.ts';
import { isLeftOut, isPaymentVerdict, verdict } from '../words/verdict.ts';
import { firstTexts } from './group/group-rows.ts';
import { constantMode } from './payment.ts';
import type { PlannedOrder, PlanOptions } from './plan.ts';
import { createDecisiveValues, createRestChecks, type RestOptions } from './unread/rest-values.ts';
import {
  describeIgnored,
  isShipping,
  otherCurrency,
  paymentUnread,
  unreadProblem,
} from './unread/unread-problems.ts';

type PaymentKind = 'paid' | 'on_delivery' | 'other' | 'nothing';

/** A status or an amount due decides before a method. */
function paymentIn(payments: readonly UnreadColumn[], cells: readonly string[]): PaymentKind {
  const said = payments.map(({ meaning, index, header }) => ({
    meaning,
    found: verdict(meaning, cells[index] ?? '', header),
  }));
  for (const kind of ['paid', 'on_delivery'] as const)
    if (said.some(({ found }) => found === kind)) return kind;
  const isSilent = said.every(({ meaning, found }) => meaning === 'amount_paid' && found === 'nothing');
  return isSilent ? 'nothing' : 'other';
}

function isQuantityPath(path: string): boolean {
  return /^items\[\d*\]\.quantity$/.test(path);
}

/** Columns that no field and no rule reads, although their cells may change orders. */
export function createUnreadColumns(
  { unread, columns, lines, addresses, rules }: Mapping,
  { constants }: Pick<PlanOptions, 'constants'>,
) {
  const filled = [...columns, ...(lines?.columns ?? []), ...addresses.flat(), ...constants].map(({ path }) =>
    formatFieldPath(path),
  );
  const hasQuantity = filled.some(isQuantityPath);
  const hasDate = filled.includes('requestedDeliveryDate');
  const collectionMode = constantMode(constants);
  const isModeMapped = columns.some(fills('collectionMode'));
  const payments = isModeMapped ? [] : paymentColumns(unread);
  const paymentIndexes = new Set(payments.map(({ index }) => index));
  const watched = unread.filter(({ meaning }) => {
    if (meaning === 'quantity') return !hasQuantity;
    return meaning === 'date' ? !hasDate : watchedMeanings.includes(meaning);
  });
  const readAsPaid = new Set(rules.payment?.states.map(({ index }) => index));
  const counts = new Map(watched.map((column) => [column, createCounts()]));
  const shipping = unread
    .filter(({ meaning }) => isShipping(meaning))
    .map((column) => ({ column, ...createShippingStates(column) }));
  const said = { paid: createCounts(), on_delivery: createCounts(), other: createCounts() };
  /** What agrees with the payment that is the same for all orders. */
  const agreeing = collectionMode === 'COLLECT' ? 'on_delivery' : 'paid';

  return {
    add: ({ rows }: Pick<PlannedOrder, 'rows'>): void => {
      for (const [column, found] of counts) {
        for (const { cells } of rows) {
          const text = cells[column.index] ?? '';
          const isPaid = column.meaning === 'state' && readAsPaid.has(column.index);
          const read = isPaid ? { ...column, meaning: 'state_or_payment' as const } : column;
          if (text !== '' && isOpen(read, text)) found.add(text);
        }
      }
      for (const { column, add } of shipping) for (const { cells } of rows) add(cells[column.index] ?? '');
      if (payments.length === 0) return;
      const cells = firstTexts(rows, paymentIndexes);
      const kind = paymentIn(payments, cells);
      const texts = payments.map(({ index }) => cells[index] ?? '').filter((text) => text !== '');
      if (kind !== 'nothing') said[kind].add(texts.join(' / ') || '(blank)');
      // A refund often stands in a later row of an order whose first row is paid.
      if (kind === 'paid' || kind === 'nothing')
        for (const ended of laterEnds(rows, payments)) said.other.add(ended);
    },
    /** The problems, and all columns that they are about. */
    value: (header: HeaderRow): { problems: Problem[]; columns: ReadonlySet<number> } => {
      const states = shipping.map(({ column, values }) => [column, values()] as const);
      const found = [...counts, ...states].filter(([, values]) => !values.isEmpty);
      const problems = found.map(([column, values]) =>
        unreadProblem(header, { ...column, by: 'header', values }),
      );
      const columns = new Set(found.map(([{ index }]) => index));
      const { [agreeing]: _, ...others } = said;
      const values = Object.values(others)
        .filter(({ isEmpty }) => !isEmpty)
        .map((counts) => counts.format());
      if (values.length === 0) return { problems, columns };
      const hasRules = rules.payment !== undefined;
      const ofPayment = paymentUnread(header, payments, values, collectionMode, hasRules);
      return { problems: [...problems, ofPayment], columns: new Set([...columns, ...paymentIndexes]) };
    },
  };
}

function laterEnds(rows: readonly Row[], payments: readonly UnreadColumn[]): string[] {
  const texts = rows
    .slice(1)
    .flatMap(({ cells }) => payments.map((column) => ({ column, text: cells[column.index] ?? '' })));
  const ended = texts.filter(({ column: { meaning, header }, text }) =>
    isLeftOut(verdict(meaning, text, header)),
  );
  return ended.map(({ text }) => text);
}

const watchedMeanings: readonly Meaning[] = ['state', 'state_or_payment', 'currency', 'address', 'line'];

function isOpen({ meaning, header }: UnreadColumn, text: string): boolean {
  if (meaning === 'quantity') return isNotOne(text);
  const found = verdict(meaning, text, header);
  if (meaning !== 'state' && meaning !== 'state_or_payment') return found !== 'nothing' && found !== 'mnt';
  return !['deliver', 'no', 'nothing'].includes(found) && !isPaymentVerdict(found);
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

/** Without those that a preset does not read. */
export function ignoredIndexes(
  header: Header,
  { ignored }: Pick<Mapping, 'ignored'>,
  { ignoreColumn = [], map }: Pick<PlanOptions, 'ignoreColumn' | 'map'>,
): number[] {
  const isIgnored = new Set(ignored.map(({ index }) => index));
  const named = [...ignoreColumn, ...(map?.ignore ?? [])].flatMap((name) => columnsNamed(header, name));
  return named.filter((index) => isIgnored.has(index));
}

/** What ignoring a column changes: `Status: 12 cancelled orders will be created`. */
export function createIgnoredColumns(
  row: HeaderRow,
  mapping: Pick<Mapping, 'ignored'>,
  options: Pick<PlanOptions, 'ignoreColumn' | 'map'>,
) {
  const header = createHeader(row);
  const indexes = new Set(ignoredIndexes(header, mapping, options));
  const meant = new Map(findMeanings(header, [...indexes]).map((column) => [column.index, column]));
  const columns = [...indexes].map((index) => {
    const column: IgnoredColumn = meant.get(index) ?? columnAt(header, index);
    return { column, values: new Map<string, number>() };
  });
  return {
    add: ({ rows }: Pick<PlannedOrder, 'rows'>): void => {
      for (const { column, values } of columns) {
        for (const value of valuesIn(rows, column)) {
          const kind = kindOf(column, value);
          if (kind !== undefined) values.set(kind, (values.get(kind) ?? 0) + 1);
        }
      }
    },
    sentences: (): Text[] =>
      columns
        .filter(({ values }) => values.size > 0)
        .map(
          ({ column, values }) => advice`${clip(column.header)}: ${describeIgnored(column.meaning, values)}`,
        ),
  };
}

/** `meaning`: undefined when the header says nothing, but a value may. */
type IgnoredColumn = NamedColumn & { meaning?: Meaning };

/** One value of each order, but the quantity of each line. */
function valuesIn(rows: readonly Row[], { index, meaning }: IgnoredColumn): string[] {
  const texts = rows
    .map(({ cells }) => cells[index] ?? '')
    .filter((text) => verdict('tick', text) !== 'nothing');
  return meaning === 'quantity' ? texts : texts.slice(0, 1);
}

const maxCurrencyLength = 12;

/** What a value would have changed. */
function kindOf({ meaning, header }: IgnoredColumn, text: string): string | undefined {
  const found = verdict(meaning ?? 'any', text, header);
  switch (meaning) {
    case undefined:
      return isLeftOut(found) ? found : undefined;
    case 'currency':
      return found === 'mnt' ? undefined : text.slice(0, maxCurrencyLength);
    case 'state':
    case 'state_or_payment':
    case 'shipping_or_state':
      if (isLeftOut(found)) return found;
      return found === 'deliver' || isPaymentVerdict(found) ? undefined : 'marked';
    case 'payment_method':
      return found === 'on_delivery' ? 'on delivery' : undefined;
    case 'payment_status':
      return found === 'paid' ? undefined : 'open';
    case 'amount_due':
    case 'amount_paid':
      return found === 'paid' || found === 'nothing' ? undefined : 'open';
    case 'shipping_method':
      return isLeftOut(found) ? 'pickup' : undefined;
    case 'quantity':
      return isNotOne(text) ? 'several' : undefined;
    case 'address':
    case 'date':
      return 'given';
    default:
      return undefined;
  }
}

/**
 * Columns that mean more than is sent: counts in a text, amounts in another currency. `undecided`: columns that nothing
 * reads, and that no person has said not to read.
 */
export function createMisreadColumns(
  row: HeaderRow,
  { columns, lines, rules }: Pick<Mapping, 'columns' | 'lines' | 'rules'>,
  undecided: readonly number[],
  { constants }: Pick<PlanOptions, 'constants'>,
) {
  const isItem = ({ path }: Column) => /^items\[\d*\]\.(?:sku|name)$/.test(formatFieldPath(path));
  const isSent = (column: Column) =>
    column.type === 'text' && column.rule === undefined && (isItem(column) || column.isExtra);
  const hasQuantity = [...columns, ...constants].some(({ path }) => isQuantityPath(formatFieldPath(path)));
  const header = createHeader(row);
  const counted =
    hasQuantity || lines !== undefined
      ? []
      : [
          ...columns
            .filter(isSent)
            .map((column) => createCountedColumn(column, isItem(column) ? column : undefined)),
          ...undecided.map((index) => createCountedColumn(columnAt(header, index), undefined)),
        ];
  const goods = columns.filter(isItem).map(({ path }) => formatFieldPath(path));
  const amounts = [
    ...columns.filter((column) => kindOfCells(column) === 'money' && !isPathAssumed(column)),
    ...(rules.payment?.due ?? []),
  ];
  return {
    add: ({ rows }: Pick<PlannedOrder, 'rows'>): void => {
      for (const { cells } of rows) for (const column of counted) column.add(cells[column.index] ?? '');
    },
    problems: (): Problem[] => [
      ...counted.flatMap((column) => column.problem(row, goods) ?? []),
      ...amounts
        .filter(({ header: name }) => namesOtherCurrency(name, 'header'))
        .map(({ index }) => otherCurrency(row, index)),
    ],
  };
}

const maxTextLength = 4096;
const maxForms = 8;
/** In fewer of the rows, a column that is not sent says it of something else. */
const minCountedShare = 0.2;

/** A column whose texts may say how many pieces are meant. `field`: what it is sent as. */
function createCountedColumn({ index, header: name }: NamedColumn, field: Column | undefined) {
  const counts = createCounts();
  const different = new Set<string>();
  const forms = new Set<string>();
  const marks = new Set<string>();
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
        if (forms.size < maxForms) forms.add(formOf(count));
      }
      const mark = own.length > 1 ? betweenLines.find((each) => text.includes(each)) : undefined;
      if (mark !== undefined) marks.add(mark);
    },
    problem: (row: HeaderRow, goods: readonly string[]): Problem | undefined => {
      const isMost = found * 2 >= rows;
      const areSeveral = different.size > 1 && (field !== undefined || found >= rows * minCountedShare);
      const isSaid = areSeveral || isMost || (hasTimes && field !== undefined);
      if (!isLost || !isSaid) return undefined;
      const target = path ?? (goods.length === 0 ? 'items[].name' : '*');
      const written = [...forms].map((form) => form.replace('%', `{${target}}`));
      const [between] = marks;
      const lines = {
        from: name,
        ...(between === undefined ? {} : { between }),
        form: written.length === 1 ? written[0] : written,
      };
      return unreadProblem(row, {
        index,
        header: name,
        by: 'values',
        values: counts,
        reason: 'lines',
        lines,
        path,
      });
    },
  };
}

const betweenLines = [';', '；', ',', '，', '、', '+'] as const;

/** `% x {items[].quantity:number}`: `%` stands for the goods. */
function formOf({ place, sign, kind }: FoundCount): string {
  const quantity = '{items[].quantity:number}';
  const isTimes = kind === 'times';
  if (sign.startsWith('('))
    return `% (${isTimes ? `${sign.slice(1)}${quantity}` : `${quantity}${sign.slice(1)}`})`;
  const between = isTimes ? ` ${sign} ` : sign;
  if (place === 'after') return isTimes ? `%${between}${quantity}` : `% ${quantity}${between}`;
  return isTimes ? `${quantity}${between}%` : `${quantity}${between} %`;
}

const maxSampleLength = 40;

/** Columns with values about which neither a field nor a rule nor a person has decided. */
export function createUndecidedColumns(
  row: HeaderRow,
  mapped: MappedHeader,
  options: Pick<PlanOptions, 'ignoreRest' | 'remembered'> & RestOptions,
) {
  const { ignoreRest, remembered } = options;
  const header = createHeader(row);
  const isNew = (index: number) =>
    remembered === undefined ||
    remembered.newColumns.some((name) => columnsNamed(header, name).includes(index));
  const undecided = mapped.undecided.filter(isNew);
  const samples = new Map<number, string>();
  let empty = [...undecided];
  const rest = ignoreRest ? createRestChecks(row, mapped, undecided, options) : undefined;
  const partlyRead = createDecisiveValues(row, mapped.partlyRead);
  return {
    indexes: undecided,
    addRow: (cells: readonly string[]): void => {
      rest?.addRow(cells);
      for (const index of empty) {
        const text = cells[index] ?? '';
        if (text !== '') samples.set(index, ownCopy(text.slice(0, maxSampleLength + 1)));
      }
      if (empty.some((index) => samples.has(index))) empty = empty.filter((index) => !samples.has(index));
    },
    /** An order that is to be sent. */
    add: (planned: PlannedOrder): void => {
      for (const { cells } of planned.rows) partlyRead.addRow(cells);
      rest?.add(planned);
    },
    isFound: (): boolean => !ignoreRest && samples.size > 0,
    /** `unread`: those with a problem of their own, which says more. `--ignore-rest` covers the others. */
    value: (unread: ReadonlySet<number>): { problems: Problem[]; ignoredRest: string[] } => {
      const left = undecided.filter((index) => samples.has(index) && !unread.has(index));
      const ofValues = mapped.partlyRead
        .filter((index) => !unread.has(index))
        .flatMap((index) => partlyRead.problem(index) ?? []);
      if (rest !== undefined) {
        const ignoredRest = left.map((index) => nameOf(header, index));
        return { problems: [...ofValues, ...rest.problems(left)], ignoredRest };
      }
      const shown = left.map((index) => `${clip(nameOf(header, index))} (${clip(samples.get(index) ?? '')})`);
      const ofRest = shown.length === 0 ? [] : [columnsUndecided(shown)];
      return { problems: [...ofValues, ...ofRest], ignoredRest: [] };
    },
  };
}

const maxShown = 12;

function columnsUndecided(shown: readonly string[]): Problem {
  const count = shown.length;
  const named = shown.slice(0, maxShown).join(', ');
  const cures = [['--ignore-rest']];
  if (count === 1) {
    return mappingProblem({
      code: 'columns_undecided',
      problem: t`nothing says what this column holds: ${named}`,
      fix: t`if it does not matter, add --ignore-rest; otherwise name the field of a column with --map-column 'Header=path', or describe it in a mapping file (--map)`,
      cures,
    });
  }
  return mappingProblem({
    code: 'columns_undecided',
    problem:
      count > maxShown
        ? t`nothing says what these ${count} columns hold: ${named} and ${count - maxShown} more`
        : t`nothing says what these ${count} columns hold: ${named}`,
    fix: t`if they do not matter, add --ignore-rest; otherwise name the field of a column with --map-column 'Header=path', or describe it in a mapping file (--map)`,
    cures,
  });
}
