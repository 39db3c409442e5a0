import { startsWithDay } from '../../orders/calendar-date.ts';
import { formatFieldPath } from '../../orders/field-path.ts';
import { type Header, type NamedColumn, nameOf } from '../columns/header.ts';
import { roleOfHeader } from '../columns/header-roles.ts';
import { isDecisive, roles } from '../columns/roles.ts';
import { fieldText, isUnlisted, orderProblem } from '../mapping/column.ts';
import { foldCell } from '../mapping/conditions.ts';
import type { DecidedColumn, Mapping, RestColumn } from '../mapping/mapping.ts';
import { answerFor } from '../mapping/rules.ts';
import { valueNotListed, valueNotSeen, valueUnlisted } from '../order-texts.ts';
import type { Problem, ProblemText } from '../problem.ts';
import type { Row } from '../read/read-table.ts';
import { hasWords, isNotOne } from '../words/quantity.ts';
import { isLeftOut, verdict } from '../words/verdict.ts';
import type { OrderRows } from './group/group-rows.ts';
import type { PlannedOrder, RememberedValues, RowGroup, SeenValues } from './plan.ts';

/** Values that the mapping does not list, and those that a remembered mapping has not seen. */
export function createNewValueCheck(
  { header, columns, rules: { decided } }: Mapping,
  remembered: RememberedValues | undefined,
): ((order: OrderRows) => Problem[]) | undefined {
  const listed = columns.filter(({ rule }) => rule?.values !== undefined);
  const watched = remembered === undefined ? [] : watchedColumns(header, decided, remembered);
  if ([listed, decided, watched].every(({ length }) => length === 0)) return undefined;
  return (order) => [
    ...listed.flatMap((column) => unlistedCells(column, order)),
    ...decided.flatMap((column) => {
      const text = order.cells[column.index] ?? '';
      const isListed = answerFor(column, text) !== undefined;
      return isListed
        ? []
        : valueProblem(column, text, order, valueNotListed(column, text, remembered?.name));
    }),
    ...watched.flatMap((column) =>
      unseenTexts(column, order).map((text) =>
        valueProblem(column, text, order, valueNotSeen(column, text, remembered?.name ?? '')),
      ),
    ),
  ];
}

function unlistedCells(column: Mapping['columns'][number], { rows, externalOrderId }: RowGroup): Problem[] {
  return rows
    .filter(({ cells }) => isUnlisted(column, cells))
    .map((row): Problem => {
      const text = valueUnlisted(fieldText(column, row.cells), formatFieldPath(column.path));
      return orderProblem(externalOrderId, row, column, text);
    });
}

const maxTexts = 100;

export function createSeenValues({ header, rest, lines, columns: filled }: Mapping) {
  const hasQuantity = lines !== undefined || filled.some(({ path }) => path.at(-1) === 'quantity');
  const isStrict = ({ role }: RestColumn) =>
    role !== undefined && (isDecisive(role) || (role === 'quantity' && !hasQuantity));
  const columns = rest.map((column) => ({
    ...watchedColumn(column.index, nameOf(header, column.index)),
    texts: new Set(isStrict(column) ? [] : ['*']),
    /** Raw cells, so that most are read once. */
    cells: new Set<string>(),
  }));
  const addText = ({ texts, cells, read, saysMore, isFreeText }: (typeof columns)[number], cell: string) => {
    if (cells.has(cell) || (texts.has('*') && isFreeText())) return;
    if (cells.size < maxLookedAt && cell.length <= maxTextLength) cells.add(cell);
    const text = read(cell);
    if (texts.has(text) || (texts.has('*') && !saysMore(text))) return;
    texts.add(text);
    if (texts.size <= maxTexts) return;
    for (const known of texts) if (!changesOrder(known)) texts.delete(known);
    texts.add('*');
  };
  return {
    add: ({ rows }: Pick<PlannedOrder, 'rows'>): void => {
      for (const column of columns) for (const cell of textsIn(rows, column.index)) addText(column, cell);
    },
    value: (): SeenValues =>
      Object.fromEntries(columns.map(({ header: name, texts }) => [name, [...texts].sort()])),
  };
}

/** Whether a text is about cash, pickup, or an order that is not to be delivered. */
function changesOrder(text: string): boolean {
  const found = verdict('any', text);
  return isLeftOut(found) || found === 'on_delivery' || found === 'cash';
}

/** The different texts of an order in a column; one blank text when it has no other. */
function textsIn(rows: readonly Row[], index: number): Iterable<string> {
  const [first, ...others] = rows;
  const text = first?.cells[index] ?? '';
  if (others.length === 0) return [text];
  const texts = new Set(rows.map(({ cells }) => cells[index] ?? ''));
  if (texts.size > 1) texts.delete('');
  return texts;
}

const maxTextLength = 200;
/** With more different texts a column holds names or notes, and no words that decide. */
const maxLookedAt = 500;

function watchedColumn(index: number, header: string) {
  const role = roleOfHeader(header);
  const isAmount = role !== undefined && roles[role].looks?.[0] === 'money';
  const lookedAt = new Map<string, boolean>();
  return {
    index,
    header,
    read: (cell: string): string => {
      const text = foldCell(cell.slice(0, maxTextLength));
      if (text === '') return '';
      if (role === 'date') return '(a date)';
      if (role === 'quantity' && /\d/.test(text)) return isNotOne(text) ? '(a quantity)' : '1';
      if (/0/.test(text) && !/[1-9]/.test(text) && (isAmount || !/\p{L}/u.test(text))) return '0';
      if (startsWithDay(text) && !hasWords(text)) return '(a date)';
      return isAmount && /\d/.test(text) && !hasWords(text) ? '(an amount)' : text;
    },
    isFreeText: () => lookedAt.size >= maxLookedAt,
    saysMore: (text: string): boolean => {
      const known = lookedAt.get(text);
      if (known !== undefined) return known;
      const found = changesOrder(text);
      lookedAt.set(text, found);
      return found;
    },
  };
}

function watchedColumns({ indexOf }: Header, decided: readonly DecidedColumn[], { seen }: RememberedValues) {
  const listed = new Set(decided.map(({ index }) => index));
  return Object.entries(seen).flatMap(([name, texts]) => {
    const index = indexOf(name);
    const isChecked = typeof index === 'number' && !listed.has(index);
    return isChecked ? [{ ...watchedColumn(index, name), texts: new Set(texts) }] : [];
  });
}

function unseenTexts(column: ReturnType<typeof watchedColumns>[number], { rows }: RowGroup): string[] {
  const { index, texts, read, saysMore, isFreeText } = column;
  if (texts.has('*') && isFreeText()) return [];
  return [...textsIn(rows, index)].filter((cell) => {
    const text = read(cell);
    return !texts.has(text) && (!texts.has('*') || saysMore(text));
  });
}

function valueProblem(
  column: NamedColumn,
  text: string,
  { rows, externalOrderId }: RowGroup,
  said: ProblemText,
): Problem {
  const row = rows.find(({ cells }) => (cells[column.index] ?? '') === text);
  const value = text === '' ? {} : { value: text };
  return orderProblem(externalOrderId, row ?? rows[0], column, { ...said, ...value });
}
