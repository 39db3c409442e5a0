import { formatFieldPath } from '../../../orders/field-path.ts';
import type { Json } from '../../../orders/json.ts';
import type { DateOrder } from '../../choices.ts';
import { columnsNamed, type Header, type NamedColumn, nameOf, noColumn } from '../../columns/header.ts';
import { amountRoleOf, roleOfValues, type UnreadColumn } from '../../columns/header-roles.ts';
import { type ColumnProfile, createTableProfile, profileRows } from '../../columns/profile.ts';
import { holdsAmounts } from '../../columns/reading.ts';
import { roles } from '../../columns/roles.ts';
import { columnIndex, type Row, type Table } from '../../read/read-table.ts';
import type { Bound } from '../bind.ts';
import { type Column, fills } from '../column.ts';
import {
  type ColumnGuess,
  contestedColumns,
  endedPieces,
  type FieldGuesses,
  guessColumns,
  type ShownColumn,
} from '../guesses.ts';
import { indexesOfUse, type MappedFlags, type RestColumn, type Use, unreadColumns } from '../mapping.ts';
import { createNonOrderFinder, isTotal } from '../non-order-rows.ts';
import { mapTable } from '../shops/presets.ts';
import { createJointValues } from './joint-values.ts';
import type {
  AmountProposal,
  FieldProposal,
  GivenMapping,
  LinesProposal,
  ProfiledTable,
  Proposal,
} from './proposal.ts';
import { guessedField, mappedField, settledField, withNeeded } from './propose-fields.ts';
import { codesBeside, proposeLines } from './propose-lines.ts';
import { proposeValues } from './propose-values.ts';

/** Reads the whole table once, in memory that does not grow with it. Errors: those of reading, AbortError. */
export async function profileTable(
  table: Table,
  flags: MappedFlags & { stopping: AbortSignal },
): Promise<ProfiledTable> {
  const { header } = table;
  const { mapped } = mapTable(header, flags);
  const own = idColumn(table, mapped);
  // Without IDs an order begins with each row that has a phone; the number of that row is then a further cell.
  const phone = own === undefined ? mapped.columns.find(fills('customer.phone')) : undefined;
  const id = phone === undefined ? own : header.cells.length;
  const withId = ({ row, cells }: Row) =>
    phone === undefined ? cells : [...cells, cells[phone.index] === '' ? '' : String(row)];
  const profile = createTableProfile(header.cells.length, id);
  const first = profileRows(header.cells.length, header.below ?? []);
  const payments = unreadColumns(withRolesOfValues(mapped, first)).filter(
    ({ role }) => roles[role].decides === 'payment',
  );
  const joint = createJointValues(payments.map(({ index }) => index));
  const { decimal, stopping } = flags;
  const kindOf = createNonOrderFinder(mapped, { decimal });
  for await (const batch of table.batches()) {
    stopping.throwIfAborted();
    for (const row of batch) {
      const isTotalRow = isTotal(row.cells.find((cell) => cell !== '') ?? '');
      if (row.ownCells !== undefined || isTotalRow || kindOf(row) !== undefined) continue;
      const cells = withId(row);
      joint.addRow(cells, profile.addRow(cells));
    }
  }
  return { header, profiles: profile.columns(), joint: joint.value() };
}

function idColumn({ header: row }: Table, mapped: GivenMapping['mapped']): number | undefined {
  const own = mapped.columns.find(fills('externalOrderId'));
  if (own !== undefined) return own.index;
  const profiles = profileRows(row.cells.length, row.below ?? []);
  const found = guessColumns(mapped.header, profiles, indexesOfUse(mapped, ...freeUses));
  return found.find(({ field }) => field === 'externalOrderId')?.guesses[0]?.index;
}

/** Nothing of such a column is read, but perhaps single values. */
const freeUses: readonly Use[] = ['open', 'values'];
const minAddresses = 0.5;

/** Postal codes and numbers of documents are hardly round. */
const minRound = 0.5;

export function proposeMapping(table: ProfiledTable, given: GivenMapping): Proposal {
  const { profiles } = table;
  const mapped = withRolesOfValues(given.mapped, profiles);
  const { header } = mapped;
  const known = { ...given, mapped };
  const show = (index: number): ShownColumn => ({
    index,
    header: nameOf(header, index),
    samples: profiles[index]?.samples ?? [],
  });
  const contested = contestedColumns(header, profiles, mapped.columns, indexesOfUse(mapped, ...freeUses));
  const clashing = new Set([...clashesIn(mapped.columns), ...contested]);
  const free = [...indexesOfUse(mapped, ...freeUses).filter(isOpen(header, known)), ...indexesOf(clashing)];
  const ended = indexesOf(endedPieces(header, profiles, free));
  const values = proposeValues(header, table, known).filter(({ index }) => !ended.has(index));
  const ofRules = indexesOf(values);
  const open = free.filter((index) => !ofRules.has(index));
  const lines = linesOf(header, profiles, open, known);
  const inLines = new Set(lines?.isSettled ? lines.choices[0]?.columns : []);
  const guesses = guessColumns(
    header,
    profiles,
    open.filter((index) => !inLines.has(index)),
  ).filter(({ field }) => inLines.size === 0 || !field.startsWith('items['));
  const codes = codesBeside(
    header,
    profiles,
    open,
    lines?.isSettled ? lines.choices[0]?.lines : linesIn(known),
  );
  const ofMapping = mapped.columns
    .filter((column) => !clashing.has(column) && !inLines.has(column.index))
    .map((column) => mappedField(column, show(column.index)));
  const declined = declinedFields(known);
  const filled = new Set(
    [...ofMapping.map(({ field }) => field), ...constantPaths(known), ...declined].map(withoutType),
  );
  const sku = codes === undefined ? [] : [settledField('items[].sku', show(codes))];
  if (inLines.size > 0 || sku.length > 0) filled.add('items[].sku');
  // Beside a SKU alone, `Name` may be the name of the product.
  const hasProducts =
    lines !== undefined ||
    filled.has('items[].name') ||
    guesses.some(({ field, isSettled }) => field === 'items[].name' && isSettled);
  const holdsAddresses = ({ index }: NamedColumn) => (profiles[index]?.shares.address ?? 0) >= minAddresses;
  const isGuessed = indexesOf(guesses.flatMap((found) => found.guesses));
  const addresses = open
    .filter((index) => !isGuessed.has(index))
    .map(show)
    .filter(holdsAddresses);
  /** A header may name only the province, where the addresses are in a column that no header names. */
  const withOtherAddresses = ({ parts, ...found }: FieldGuesses): FieldGuesses => {
    const isRivalled =
      found.field === 'deliveryAddress.street' && addresses.length > 0 && !found.guesses.some(holdsAddresses);
    if (!isRivalled) return { ...found, ...(parts && { parts }) };
    const guesses = [...addresses.map((column) => ({ ...column, score: 0 })), ...found.guesses];
    return { ...found, guesses, isSettled: false };
  };
  const guessed = withoutMeant(guesses, known)
    .filter(({ field }) => field !== 'collectionAmount' && !filled.has(withoutType(field)))
    .filter(({ field }) => !(field.startsWith('deliveryAddress.') && mapped.addresses.length > 0))
    .map((found) => guessedField(withOtherAddresses(found), mapped, hasProducts));
  const fields = withNeeded([...ofMapping, ...sku, ...guessed], mapped, filled, declined);
  const mayBeAmount = ({ index }: NamedColumn) => holdsAmounts(profiles[index]);
  const due = guesses.find(({ field }) => field === 'collectionAmount')?.guesses ?? [];
  const meant = unreadAmounts(known, profiles, ofRules).map(show);
  const isPaid = (column: UnreadColumn) => column.role === 'amount_paid' && mayBeAmount(column);
  const paid = (
    known.map?.amount_paid?.flatMap((name) => columnsNamed(header, name)) ??
    unreadColumns(mapped)
      .filter(isPaid)
      .map(({ index }) => index)
  ).map(show);
  const settled = fields.flatMap((field) => field.settled);
  const taken = new Set([...ofRules, ...inLines, ...indexesOf([...settled, ...paid])]);
  // What is collected already may turn out to be of each line.
  const collected = [known.map?.amount_due ?? []].flat().flatMap((name) => columnsNamed(header, name));
  const otherAmounts = [...free, ...collected]
    .filter((index) => !taken.has(index) && (profiles[index]?.shares.round ?? 0) >= minRound)
    .map(show)
    .filter(mayBeAmount);
  const amounts = amountsOf(
    fields,
    [...due, ...meant].filter(mayBeAmount),
    otherAmounts,
    profiles,
    known.problems,
  );
  const [mode] = indexesOfUse(mapped, ...freeUses)
    .filter((index) => isModeColumn(profiles[index]))
    .map(show);
  return {
    fields,
    values,
    amounts,
    paid,
    ...(mode === undefined ? {} : { mode }),
    ...(lines === undefined ? {} : { lines }),
    ...dateOrderOf(fields, profiles, known),
  };
}

/** Where the header of a column says nothing, its values may say what it is. */
function withRolesOfValues(mapped: Bound, profiles: readonly ColumnProfile[]): Bound {
  const rest = mapped.rest.map((column): RestColumn => {
    const { values = [], filled = 0 } = profiles[column.index] ?? {};
    if (column.role !== undefined || !freeUses.includes(column.use)) return column;
    const texts = values.map(({ text }) => text);
    const role = roleOfValues(texts, filled);
    return role === undefined ? column : { ...column, role };
  });
  return { ...mapped, rest };
}

/** A remembered mapping has decided about all columns but new ones, and those with a new value. */
export function isOpen(
  header: Header,
  { remembered, problems = [] }: GivenMapping,
): (index: number) => boolean {
  if (remembered === undefined) return () => true;
  const named = [
    ...remembered.newColumns,
    ...problems.flatMap(({ first: { header: name } }) => (name === undefined ? [] : [name])),
  ];
  const indexes = new Set(named.flatMap((name) => columnsNamed(header, name)));
  return (index) => indexes.has(index);
}

function indexesOf(columns: Iterable<NamedColumn>): Set<number> {
  return new Set(Array.from(columns, ({ index }) => index));
}

/** A column that is something else, by its values or a misspelt header, is not guessed by its values alone. */
function withoutMeant(all: readonly FieldGuesses[], { mapped }: GivenMapping): FieldGuesses[] {
  const meant = indexesOf(unreadColumns(mapped).filter(({ role }) => role !== 'quantity'));
  return all
    .map((found) => {
      const isByValues = found.field === 'items[].name' || found.field === 'total';
      const isLeft = ({ index, score }: ColumnGuess) => !(isByValues && score <= 0.35 && meant.has(index));
      return { ...found, guesses: found.guesses.filter(isLeft) };
    })
    .filter(({ guesses }) => guesses.length > 0);
}

/** Only where no column holds the goods line by line. */
function linesOf(
  header: Header,
  profiles: readonly ColumnProfile[],
  free: readonly number[],
  { mapped, map, shop, problems = [] }: GivenMapping,
): LinesProposal | undefined {
  if (shop !== undefined || mapped.lines !== undefined || map?.lines !== undefined) return undefined;
  // Columns of goods whose cells contain quantities as well.
  const packed = problems.flatMap(({ first: { reason, column } }) =>
    reason === 'quantity' && column !== undefined ? [columnIndex(column)] : [],
  );
  const read = mapped.columns.filter(({ index }) => !packed.includes(index));
  const paths = read.map(({ path }) => formatFieldPath(path));
  const goods = paths.filter((path) => path.startsWith('items[') && path !== 'items[].quantity');
  const isQuantity = ({ field }: { field: string }) => field === 'items[].quantity:number';
  const guessed = guessColumns(header, profiles, free).find(isQuantity);
  const isOther = ({ header: name, score }: ColumnGuess) => score >= 0.5 && !/\d/.test(name);
  const columns = [...new Set([...free, ...packed])].sort((left, right) => left - right);
  return proposeLines(header, profiles, columns, {
    hasQuantity: paths.includes('items[].quantity') || guessed?.guesses.some(isOther) === true,
    goods,
  });
}

function linesIn({ map }: GivenMapping): Json | undefined {
  const { lines } = map ?? {};
  return lines === undefined || lines === noColumn || Array.isArray(lines) ? undefined : (lines as Json);
}

/** Fields that no column holds, as the mapping says. */
function declinedFields({ map }: GivenMapping): string[] {
  return Object.entries(map?.columns ?? {}).flatMap(([field, column]) =>
    column === noColumn ? [field] : [],
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

/** In which every cell with a date can be read. */
function dateOrderOf(
  fields: readonly FieldProposal[],
  profiles: readonly ColumnProfile[],
  { dateOrder }: GivenMapping,
): { dateOrder?: DateOrder } {
  const dates = fields.find(({ field }) => field === 'requestedDeliveryDate')?.guesses ?? [];
  const order = dateOrder ?? onlyOne(dates.map(({ index }) => profiles[index]?.dateOrders ?? []));
  return order === undefined ? {} : { dateOrder: order };
}

/** Columns without a doubt have no list. */
function onlyOne<Item>(lists: readonly (readonly Item[])[]): Item | undefined {
  const [first = [], ...others] = lists.filter(({ length }) => length > 0);
  const shared = first.filter((item) => others.every((list) => list.includes(item)));
  return shared.length === 1 ? shared[0] : undefined;
}

/** Columns of amounts that may be those to collect. */
function unreadAmounts(
  { mapped }: GivenMapping,
  profiles: readonly ColumnProfile[],
  ofRules: ReadonlySet<number>,
): number[] {
  return unreadColumns(mapped).flatMap(({ index, role }) => {
    const mayBeDue = role === 'amount_due' || role === 'payment_method';
    return mayBeDue && holdsAmounts(profiles[index]) && !ofRules.has(index) ? [index] : [];
  });
}

/** `due`: columns that say what is left to pay. Then the totals, and other columns of amounts. */
function amountsOf(
  fields: readonly FieldProposal[],
  due: readonly ShownColumn[],
  others: readonly ShownColumn[],
  profiles: readonly ColumnProfile[],
  problems: GivenMapping['problems'] = [],
): AmountProposal[] {
  const columnsOf = (name: string) => {
    const found = fields.find(({ field }) => field === name);
    return [...(found?.settled ?? []), ...(found?.guesses ?? [])];
  };
  const totals = columnsOf('total');
  const all = [...columnsOf('collectionAmount'), ...due, ...totals, ...others];
  const saysOfLine = ({ header }: ShownColumn) =>
    problems.some(({ first }) => first.code === 'total_is_of_line' && first.header === header);
  const isPrice = ({ index }: ShownColumn) => profiles.some(({ productOf }) => productOf?.[1] === index);
  /** A sum of others is likelier than a part of it, and a price of one the least likely. */
  const rankOf = (column: ShownColumn) => {
    if (isPrice(column)) return 3;
    const role = amountRoleOf(column.header);
    if (role === 'total') return 0;
    if (role !== undefined) return 2;
    return profiles[column.index]?.isSum === true ? 0 : 1;
  };
  const isTotal = ({ index }: ShownColumn) => totals.some((total) => total.index === index);
  return all
    .filter(({ index }, place) => all.findIndex((other) => other.index === index) === place)
    .toSorted((left, right) => rankOf(left) - rankOf(right))
    .map((column): AmountProposal => {
      const profile = profiles[column.index];
      const sumsRows = isOfLine(profile) || saysOfLine(column);
      return {
        ...column,
        isDue: !isTotal(column) && !others.includes(column),
        isOfEvery: isOfEvery(profile),
        isOfLine: sumsRows,
        inAll: profile?.sums[sumsRows ? 'rows' : 'orders'] ?? 0,
      };
    });
}

function isOfEvery(profile: ColumnProfile | undefined): boolean {
  const { blankOrders = 0, examples = [] } = profile ?? {};
  return blankOrders === 0 && examples.every((text) => /[1-9]/.test(text));
}

function isOfLine(profile: ColumnProfile | undefined): boolean {
  return profile?.isProduct === true && profile.filled > profile.orders;
}

function isModeColumn(profile: ColumnProfile | undefined): boolean {
  const values = profile?.values ?? [];
  return values.length > 0 && values.every(({ text }) => /^(?:none|collect)$/i.test(text));
}

function constantPaths({ constants = [] }: GivenMapping): string[] {
  return constants.map(({ path }) => formatFieldPath(path));
}
