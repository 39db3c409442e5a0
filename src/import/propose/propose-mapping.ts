import { formatFieldPath } from '../../orders/field-path.ts';
import type { DateOrder, DecimalMark } from '../choices.ts';
import { type Column, fills } from '../mapping/column.ts';
import { foldCell } from '../mapping/conditions.ts';
import { type ColumnProfile, createTableProfile, profileRows } from '../mapping/guess/column-profile.ts';
import { type ColumnGuess, type FieldGuesses, guessColumns } from '../mapping/guess/guesses.ts';
import { createHeader, type Header, nameOf } from '../mapping/header.ts';
import { type Meaning, meaningWithValues } from '../mapping/meanings.ts';
import { createNonOrderFinder, isTotal } from '../orders/non-order-rows.ts';
import { mapTable } from '../orders/plan-import.ts';
import { columnIndex, type HeaderRow, type Table } from '../read/read-table.ts';
import type { Decision } from '../words/verdict.ts';
import { verdict } from '../words/verdict.ts';
import type { FieldProposal, GivenMapping, LinesProposal, Proposal, ValueProposal } from './proposal.ts';
import {
  amountsOf,
  areAmounts,
  collectionWays,
  constantPaths,
  isModeColumn,
  unreadAmounts,
} from './propose-collection.ts';
import { guessedField, mappedField, withNeeded } from './propose-fields.ts';
import { proposeLines } from './propose-lines.ts';
import { isPaymentMeaning, proposeValues } from './propose-values.ts';

/** Reads the whole table once, in memory that does not grow with it. Errors: those of reading, AbortError. */
export async function analyseTable(
  table: Table,
  { stopping, ...options }: Omit<GivenMapping, 'mapped' | 'shop'> & { stopping: AbortSignal },
): Promise<{ proposal: Proposal; known: GivenMapping }> {
  const known = { ...options, ...mapTable(table.header, options) };
  const profiles = await profileTable(table, known, stopping);
  return { proposal: proposeMapping(table.header, profiles, known), known };
}

async function profileTable(
  table: Table,
  { mapped, decimal }: GivenMapping,
  stopping: AbortSignal,
): Promise<ColumnProfile[]> {
  const profile = createTableProfile(table.header.cells.length, idColumn(table, mapped));
  const kindOf = createNonOrderFinder(mapped, { decimal, hasNumberCells: table.hasNumberCells });
  for await (const batch of table.batches()) {
    stopping.throwIfAborted();
    for (const row of batch) {
      const isTotalRow = isTotal(row.cells.find((cell) => cell !== '') ?? '');
      if (row.ownCells === undefined && !isTotalRow && kindOf(row) === undefined) profile.addRow(row.cells);
    }
  }
  return profile.columns();
}

function idColumn({ header: row }: Table, mapped: GivenMapping['mapped']): number | undefined {
  const own = mapped.columns.find(fills('externalOrderId'));
  if (own !== undefined) return own.index;
  const profiles = profileRows(row.cells.length, row.below ?? []);
  const found = guessColumns(createHeader(row), profiles, mapped.free);
  return found.find(({ field }) => field === 'externalOrderId')?.guesses[0]?.index;
}

const minMoney = 0.95;

function proposeMapping(row: HeaderRow, profiles: readonly ColumnProfile[], known: GivenMapping): Proposal {
  const { mapped } = known;
  const header = createHeader(row);
  const show = (index: number): ColumnGuess => ({
    index,
    name: nameOf(header, index),
    samples: profiles[index]?.samples ?? [],
    score: 1,
    reasons: [],
  });
  const values = [...proposeAllValues(header, profiles, known, show), ...unknownValues(known, show)];
  const ofRules = new Set(values.map(({ column }) => column.index));
  const clashing = clashesIn(mapped.columns);
  const ours = mapped.columns.filter((column) => !clashing.has(column));
  const free = [...mapped.free, ...[...clashing].map(({ index }) => index)];
  const open = free.filter((index) => !ofRules.has(index));
  const lines = linesOf(header, profiles, open, known);
  const inLines = new Set(lines?.isSettled ? lines.choices[0]?.columns : []);
  const guesses = guessColumns(
    header,
    profiles,
    open.filter((index) => !inLines.has(index)),
  ).filter(({ field }) => inLines.size === 0 || !field.startsWith('items['));
  const ofMapping = ours
    .filter(({ index }) => !inLines.has(index))
    .map((column) => mappedField(column, show(column.index)));
  const filled = new Set([...ofMapping.map(({ field }) => withoutType(field)), ...constantPaths(known)]);
  if (inLines.size > 0) filled.add('items[].sku');
  const guessed = withoutMeant(guesses, known)
    .filter(({ field }) => field !== 'collectionAmount' && !filled.has(withoutType(field)))
    .filter(({ field }) => !(field.startsWith('deliveryAddress.') && mapped.addresses.length > 0))
    .map((found) => guessedField(found, known));
  const fields = withNeeded([...ofMapping, ...guessed], known, filled);
  const due = guesses.find(({ field }) => field === 'collectionAmount')?.guesses ?? [];
  const amounts = amountsOf(fields, [...due, ...unreadAmounts(known, profiles, values).map(show)]);
  const [mode] = mapped.free.filter((index) => isModeColumn(profiles[index])).map(show);
  const paid = mapped.unread
    .filter(
      ({ index, meaning }) => meaning === 'amount_paid' && (profiles[index]?.shares.money ?? 0) >= minMoney,
    )
    .map(({ index }) => show(index));
  const shown = new Set([
    ...ofRules,
    ...inLines,
    ...paid.map(({ index }) => index),
    ...fields.flatMap((field) => [...field.guesses, ...(field.joined ?? [])].map(({ index }) => index)),
    ...amounts.map(({ index }) => index),
  ]);
  return {
    fields,
    collection: collectionWays(known, mode, values, amounts),
    values,
    amounts,
    ...(paid.length > 0 ? { paid } : {}),
    ...(lines === undefined ? {} : { lines }),
    unread: free.filter((index) => !shown.has(index) && (profiles[index]?.filled ?? 0) > 0).map(show),
    ...formats(fields, amounts, profiles, known),
  };
}

/** A column with another meaning, by its values or a misspelt header, is not guessed by its values alone. */
function withoutMeant(all: readonly FieldGuesses[], { mapped }: GivenMapping): FieldGuesses[] {
  const meant = new Set(
    mapped.unread.filter(({ meaning }) => meaning !== 'quantity').map(({ index }) => index),
  );
  const isByValues = (field: string) => field === 'items[].name' || field === 'total';
  return all
    .map(({ field, guesses, isSettled }) => ({
      field,
      guesses: guesses.filter(
        ({ index, score }) => !(isByValues(field) && score <= 0.35 && meant.has(index)),
      ),
      isSettled,
    }))
    .filter(({ guesses }) => guesses.length > 0);
}

/** Only where no column holds the goods line by line. */
function linesOf(
  header: Header,
  profiles: readonly ColumnProfile[],
  free: readonly number[],
  { mapped, shop, problems = [] }: GivenMapping,
): LinesProposal | undefined {
  if (shop !== undefined || mapped.lines !== undefined) return undefined;
  // Columns of goods whose cells contain quantities as well.
  const packed = problems.flatMap(({ first: { code, column } }) =>
    code === 'quantity_unread' && column !== undefined ? [columnIndex(column)] : [],
  );
  const read = mapped.columns.filter(({ index }) => !packed.includes(index));
  const paths = read.map(({ path }) => formatFieldPath(path));
  if (paths.some((path) => path.startsWith('items[') && path !== 'items[].quantity')) return undefined;
  const isQuantity = ({ field }: { field: string }) => field === 'items[].quantity:number';
  const guessed = guessColumns(header, profiles, free).find(isQuantity);
  const isOther = ({ name, score }: ColumnGuess) => score >= 0.5 && !/\d/.test(name);
  const columns = [...new Set([...free, ...packed])].sort((left, right) => left - right);
  return proposeLines(
    header,
    columns,
    paths.includes('items[].quantity') || guessed?.guesses.some(isOther) === true,
  );
}

function withoutType(field: string): string {
  return field.replace(/:(?:number|boolean|json)$/, '');
}

function clashesIn(columns: readonly Column[]): Set<Column> {
  const pathOf = ({ path }: Column) => formatFieldPath(path);
  return new Set(
    columns.filter((column) => columns.some((other) => other !== column && pathOf(other) === pathOf(column))),
  );
}

/** Those of the payment first: a status before a method. */
const valueMeanings: readonly Meaning[] = [
  'payment_status',
  'state_or_payment',
  'payment_method',
  'state',
  'shipping_or_state',
  'shipping_method',
];

/** Columns of payment, state and shipping. */
function proposeAllValues(
  header: Header,
  profiles: readonly ColumnProfile[],
  { mapped, map }: GivenMapping,
  show: (index: number) => ColumnGuess,
): ValueProposal[] {
  const meanings = new Map<number, Meaning>();
  for (const { index, meaning, header: name } of mapped.unread) {
    const values = (profiles[index]?.values ?? []).map(({ text }) => text);
    const own = meaningWithValues(meaning, values, name);
    if (valueMeanings.includes(own)) meanings.set(index, own);
  }
  const decided = new Map<number, ReadonlyMap<string, Decision>>();
  for (const [name, values] of Object.entries(map?.values ?? {})) {
    const index = header.indexOf(name);
    if (typeof index !== 'number') continue;
    const entries = Object.entries(values).map(([text, decision]) => [foldCell(text), decision] as const);
    decided.set(index, new Map(entries));
    const isPayment = entries.some(([, decision]) => decision === 'collect' || decision === 'prepaid');
    meanings.set(index, isPayment ? 'payment_method' : 'state');
  }
  const found = [...meanings].filter(([index]) => {
    const profile = profiles[index];
    return profile !== undefined && profile.filled > 0 && !areAmounts(profile);
  });
  const payments = found.filter(([, meaning]) => isPaymentMeaning(meaning));
  const sorted = found.toSorted(
    ([, left], [, right]) => valueMeanings.indexOf(left) - valueMeanings.indexOf(right),
  );
  const isMethod = (meaning: Meaning) => meaning === 'payment_method';
  const whole = sorted.findIndex(
    ([index, meaning]) => isMethod(meaning) && profiles[index]?.blankOrders === 0,
  );
  return sorted.map(([index, meaning], place) => {
    const own = decided.get(index);
    return proposeValues(show(index), meaning, profiles[index] as ColumnProfile, {
      hasOtherPayment: payments.length > 1,
      isLater: whole >= 0 && place > whole && isMethod(meaning),
      ...(own === undefined ? {} : { decided: own }),
    });
  });
}

function unknownValues(
  { shop, mapped, problems = [] }: GivenMapping,
  show: (index: number) => ColumnGuess,
): ValueProposal[] {
  if (shop === undefined) return [];
  const split = mapped.rules.payment?.split;
  const byColumn = new Map<number, ValueProposal>();
  for (const { first, others } of problems) {
    const { code, column, value } = first;
    if (column === undefined || value === undefined) continue;
    if (code !== 'payment_unknown' && code !== 'state_unknown') continue;
    const index = columnIndex(column);
    const meaning = code === 'state_unknown' ? 'state' : 'payment_method';
    const parts =
      meaning === 'state' || split === undefined ? [value] : value.split(split).map((part) => part.trim());
    const unknown = parts.filter((part) => ['unknown', 'cash'].includes(verdict('payment_method', part)));
    const known = byColumn.get(index) ?? { column: show(index), meaning, values: [] };
    const isNew = (text: string) => known.values.every((other) => other.text !== text);
    const values = unknown.filter(isNew).map((text) => ({ text, count: 1 + others, isDecided: false }));
    byColumn.set(index, { ...known, values: [...known.values, ...values] });
  }
  return [...byColumn.values()];
}

/** The flags that read the amounts and dates, when every cell agrees on one. */
function formats(
  fields: readonly FieldProposal[],
  amounts: readonly ColumnGuess[],
  profiles: readonly ColumnProfile[],
  { decimal, dateOrder }: GivenMapping,
): { decimal?: DecimalMark; dateOrder?: DateOrder } {
  const marks = amounts
    .map(({ index }) => profiles[index]?.decimalMarks ?? [])
    .filter(({ length }) => length > 0);
  const dates = fields.find(({ field }) => field === 'requestedDeliveryDate')?.guesses ?? [];
  const orders = dates
    .map(({ index }) => profiles[index]?.dateOrders ?? [])
    .filter(({ length }) => length > 0);
  const mark = decimal ?? onlyOne(marks);
  const order = dateOrder ?? onlyOne(orders);
  return {
    ...(mark === undefined ? {} : { decimal: mark }),
    ...(order === undefined ? {} : { dateOrder: order }),
  };
}

function onlyOne<Item>(lists: readonly (readonly Item[])[]): Item | undefined {
  const [first = [], ...others] = lists;
  const shared = first.filter((item) => others.every((list) => list.includes(item)));
  return shared.length === 1 ? shared[0] : undefined;
}
