import { type Advice, advice, command } from '../../advice/advice.ts';
import { formatFieldPath } from '../../orders/field-path.ts';
import { fieldText, isUnlisted, orderProblem } from '../mapping/column.ts';
import { foldCell } from '../mapping/conditions.ts';
import { columnsNamed, createHeader, type NamedColumn, nameOf } from '../mapping/header.ts';
import type { DecidedColumn, Mapping } from '../mapping/mapping.ts';
import { decisiveMeanings, findMeanings, isDateLike, meaningOfHeader } from '../mapping/meanings.ts';
import { answerFor } from '../mapping/rules.ts';
import { type Problem, shownValue } from '../problem.ts';
import type { HeaderRow, Row } from '../read/read-table.ts';
import { hasWords } from '../words/quantity.ts';
import { isLeftOut, verdict } from '../words/verdict.ts';
import type { RowGroup } from './group/group-rows.ts';
import { firstTexts } from './order-meaning.ts';

/**
 * Column → the folded texts of its cells, for columns that nothing reads. `(a date)`, `(an amount)` and `(a
 * quantity)` stand for any of them; `*` for any text without a word for payment at the door, pickup or a state.
 */
export type SeenValues = Readonly<Record<string, readonly string[]>>;

export interface RememberedValues {
  name: string;
  seen: SeenValues;
}

export function createListedValuesCheck({ columns, rules: { decided } }: Mapping, remembered?: string) {
  const listed = columns.filter(({ rule }) => rule?.values !== undefined);
  const indexes = new Set(decided.map(({ index }) => index));
  if (listed.length + decided.length === 0) return () => [];
  return (group: RowGroup): Problem[] => {
    const cells = firstTexts(group.rows, indexes);
    return [
      ...listed.flatMap((column) => unlistedCells(column, group)),
      ...decided.flatMap((column) => {
        const text = cells[column.index] ?? '';
        return answerFor(column, text) === undefined ? [unlistedValue(column, text, group, remembered)] : [];
      }),
    ];
  };
}

function unlistedCells(column: Mapping['columns'][number], { rows, externalOrderId }: RowGroup): Problem[] {
  return rows
    .filter(({ cells }) => isUnlisted(column, cells))
    .map((row): Problem => {
      const value = fieldText(column, row.cells);
      const path = formatFieldPath(column.path);
      return orderProblem(externalOrderId, row, column, {
        code: 'value_unknown',
        path,
        problem: `"${value}" is not among the values that the mapping lists`,
        fix: `add it to "values" of ${path} in the mapping file: "${value}": "..."`,
        cause: value,
      });
    });
}

const maxTexts = 100;

export function createSeenValues(row: HeaderRow, mapping: Mapping, ignoredNames: readonly string[]) {
  const header = createHeader(row);
  const ignored = ignoredNames.flatMap((name) => columnsNamed(header, name));
  const hasQuantity =
    mapping.lines !== undefined || mapping.columns.some(({ path }) => path.at(-1) === 'quantity');
  const meant = [...mapping.unread, ...findMeanings(header, ignored)].filter(
    ({ meaning }) => decisiveMeanings.includes(meaning) || (meaning === 'quantity' && !hasQuantity),
  );
  const strict = new Set(meant.map(({ index }) => index));
  const unsent = mapping.unsent.flatMap((name) => {
    const all = columnsNamed(header, name);
    return all.length === 1 ? all : [];
  });
  const columns = [...new Set([...strict, ...ignored, ...unsent])].map((index) => ({
    ...watchedColumn(index, nameOf(header, index)),
    texts: new Set(strict.has(index) ? [] : ['*']),
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
    add: ({ rows }: { rows: readonly Row[] }): void => {
      for (const column of columns) for (const cell of textsIn(rows, column)) addText(column, cell);
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
function textsIn(rows: readonly Row[], { index }: { index: number }): Iterable<string> {
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
  const meaning = meaningOfHeader(header);
  const isAmount = meaning === 'amount_due' || meaning === 'amount_paid';
  const lookedAt = new Map<string, boolean>();
  return {
    index,
    header,
    read: (cell: string): string => {
      const text = foldCell(cell.slice(0, maxTextLength));
      if (text === '') return '';
      if (meaning === 'date') return '(a date)';
      if (meaning === 'quantity' && /\d/.test(text))
        return /^1(?:[.,]0+)?$/.test(text) ? '1' : '(a quantity)';
      if (/0/.test(text) && !/[1-9]/.test(text) && (isAmount || !/\p{L}/u.test(text))) return '0';
      if (isDateLike(text) && !hasWords(text)) return '(a date)';
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

export function createSeenCheck(
  { rules }: Mapping,
  cells: readonly string[],
  remembered: RememberedValues | undefined,
): (group: RowGroup) => Problem[] {
  if (remembered === undefined) return () => [];
  const { indexOf } = createHeader({ row: 1, line: 1, cells: [...cells] });
  const listed = new Set(rules.decided.map(({ index }) => index));
  const columns = Object.entries(remembered.seen).flatMap(([name, texts]) => {
    const index = indexOf(name);
    const isChecked = typeof index === 'number' && !listed.has(index);
    return isChecked ? [{ ...watchedColumn(index, name), texts: new Set(texts) }] : [];
  });
  return (group) =>
    columns.flatMap((column) => {
      if (column.texts.has('*') && column.isFreeText()) return [];
      const unseen = [...textsIn(group.rows, column)].filter((cell) => {
        const text = column.read(cell);
        return !column.texts.has(text) && (!column.texts.has('*') || column.saysMore(text));
      });
      return unseen.map((cell) => unseenValue(column, cell, group, remembered.name));
    });
}

function valueProblem(
  column: NamedColumn,
  text: string,
  { rows, externalOrderId }: RowGroup,
  [problem, fix]: [string, Advice],
): Problem {
  const row = rows.find(({ cells }) => (cells[column.index] ?? '') === text);
  const named = text === '' ? 'a blank cell' : `"${shownValue(text)}"`;
  return orderProblem(externalOrderId, row ?? rows[0], column, {
    code: 'value_unknown',
    problem: `${named} ${problem}`,
    fix,
    cause: `value ${column.index} ${text}`,
    ...(text === '' ? {} : { value: text }),
  });
}

function unlistedValue(column: DecidedColumn, text: string, group: RowGroup, remembered?: string): Problem {
  const [decision, others] = column.isPayment
    ? ['collect', '"prepaid", "deliver" (it says nothing about the payment) or "leave_out"']
    : ['deliver', '"leave_out"'];
  const line = lineFor(column, text, decision);
  const where =
    remembered === undefined
      ? 'write what it means under "values" in the mapping file:'
      : advice`import the file at a terminal, which asks what it means, or run ${command('mappings', 'show', remembered)} > ${remembered}.map.json, add it to "values" there, and run ${command('mappings', 'add', 'FILE.csv', `${remembered}.map.json`)}:`;
  return valueProblem(column, text, group, [
    'is not among the values that the mapping lists',
    advice`${where} ${line}, or ${others} instead of "${decision}"`,
  ]);
}

function unseenValue(column: NamedColumn, text: string, group: RowGroup, name: string): Problem {
  return valueProblem(column, text, group, [
    `was not in this column when the mapping "${name}" was remembered`,
    advice`run ${command('mappings', 'show', name)} > ${name}.map.json, list what each value of the column means in "values", such as ${lineFor(column, text, 'collect')}, and add --map ${name}.map.json; --ignore-column '${column.header}' sends such orders as the others`,
  ]);
}

/** `"Method": {"QPay": "collect"}`, to copy into a mapping file. */
function lineFor({ header }: NamedColumn, text: string, decision: string): string {
  const value = shownValue(text);
  return `${JSON.stringify(header)}: {${JSON.stringify(value)}: ${JSON.stringify(decision)}}`;
}
