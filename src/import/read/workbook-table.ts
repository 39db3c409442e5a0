import { again, joinTexts, type Text, t } from '../../advice/advice.ts';
import type { Row } from '../../csv/read-csv.ts';
import { CliError } from '../../errors.ts';
import { formatCount } from '../../orders/decimal.ts';
import { hiddenRowsChoices } from '../choices.ts';
import { isTable } from './find-header.ts';
import type { Source } from './source.ts';
import {
  exportAgain,
  flagOfOther,
  type HeaderRow,
  type HeaderSearch,
  invalid,
  type ReadingFlags,
  ReadingQuestion,
  readHeader,
  readingOf,
  rowsBelow,
  type Table,
} from './table.ts';
import { copyOrders, WorkbookError } from './workbook/archive.ts';
import type { Merge, SheetRow } from './workbook/sheet-rows.ts';
import { openWorkbook, type Sheet, type Workbook } from './workbook/workbook.ts';

/** As the table that its CSV would be. Errors: see readTable. */
export async function readWorkbookTable(
  source: Source,
  flags: ReadingFlags,
  { stopping, isKnown }: { stopping?: AbortSignal | undefined } & Pick<HeaderSearch, 'isKnown'>,
): Promise<Table> {
  const { name } = source;
  for (const flag of ['delimiter', 'encoding'] as const) {
    if (flags[flag] !== undefined) throw flagOfOther(name, flag, t`is an Excel workbook`);
  }
  return named(name, async () => {
    const workbook = await openWorkbook(source, stopping);
    const { sheet, notes } = await chooseSheet(name, workbook, flags.sheet);
    const survey = await surveySheet(workbook, sheet);
    const rows = (from = 0) => tableRows(workbook, sheet, survey, from);
    const place = t`sheet "${sheet.name}"`;
    const mergesIn = (row: number) => survey.merges.filter(({ top, bottom }) => top <= row && row <= bottom);
    const search = { mergesIn, isKnown };
    const found = await readHeader(withoutHiddenMarks(rows()), name, flags.headerRow, search);
    const { header, above } = found;
    if (flags.headerRow !== undefined && header.row !== flags.headerRow) {
      throw invalid(
        name,
        t`has nothing in row ${flags.headerRow} of ${place}`,
        t`Name another --header-row.`,
      );
    }
    fillHeader(header, survey.merges);
    const hidden = survey.hiddenRows.filter((row) => row > header.row);
    if (hidden.length > 0 && flags.hiddenRows === undefined) throw rowsHidden(name, place, hidden);
    const below = async function* () {
      for await (const batch of rows(header.row + 1)) {
        const shown = flags.hiddenRows === 'leave-out' ? batch.filter(({ isHidden }) => !isHidden) : batch;
        yield shown.map(toRow);
      }
    };
    return {
      header,
      above,
      delimiter: ',',
      encoding: 'utf-8',
      isWrapped: false,
      isUnquoted: false,
      sheet: sheet.name,
      notes: hidden.length === 0 ? notes : [...notes, noteOnHiddenRows(hidden, flags.hiddenRows === 'send')],
      reading: readingOf(flags, found),
      batches: () =>
        namedRows(
          name,
          rowsBelow(header, below(), {
            forOrders: true,
            refuse: (problem) => invalid(name, problem, copyOrders),
          }),
        ),
    };
  });
}

async function named<Result>(name: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof WorkbookError ? invalid(name, error.problem, error.fix) : error;
  }
}

async function* namedRows(name: string, rows: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
  try {
    yield* rows;
  } catch (error) {
    throw error instanceof WorkbookError ? invalid(name, error.problem, error.fix) : error;
  }
}

/** The named sheet, else the only one that can hold orders. A hidden one only when it is named or the only one. */
async function chooseSheet(
  name: string,
  workbook: Workbook,
  wanted: string | undefined,
): Promise<{ sheet: Sheet; notes: Text[] }> {
  const { sheets } = workbook;
  // Without invisible characters, so that the name can be typed.
  const fold = (text: string) =>
    text
      .replace(/\p{Cf}/gu, '')
      .trim()
      .toLowerCase();
  if (wanted !== undefined) {
    const sheet =
      sheets.find((each) => each.name === wanted) ?? sheets.find((each) => fold(each.name) === fold(wanted));
    if (sheet !== undefined) return { sheet, notes: [] };
    throw new CliError('usage', t`${name} has no sheet "${wanted}".`, {
      hint: t`Its sheets: ${listNames(sheets)}.`,
    });
  }
  const filled: Sheet[] = [];
  for (const sheet of sheets) if (await hasText(workbook, sheet)) filled.push(sheet);
  const shown = filled.filter(({ isHidden }) => !isHidden);
  const candidates = shown.length > 0 ? shown : filled;
  const [sheet, second] = candidates;
  if (sheet === undefined) throw invalid(name, t`has nothing in it`, exportAgain);
  if (second === undefined) return { sheet, notes: notesOnHiddenSheets(filled, sheet) };
  const [table, otherTable] = await tablesAmong(workbook, candidates);
  if (table !== undefined && otherTable === undefined) {
    const others = listNames(candidates.filter((other) => other !== table));
    const note = t`Sheet "${table.name}" is read, the only one with a table. These are not read: ${others}.`;
    return { sheet: table, notes: [note, ...notesOnHiddenSheets(filled, table)] };
  }
  throw new ReadingQuestion(
    'sheet_unclear',
    t`${name} has ${candidates.length} sheets with data, and only one is read. Nothing was sent.`,
    {
      hint: joinTexts(
        [
          t`Choose it with --sheet: ${listNames(candidates)}.`,
          ...candidates.slice(0, maxCures).map(({ name: sheet }) => again('--sheet', sheet)),
        ],
        '',
      ),
      question: t`Which sheet has the orders?`,
      choices: candidates.map(({ name: sheet }, index) => ({
        value: String(index),
        name: sheet,
        flags: { sheet },
      })),
    },
  );
}

const maxNames = 20;
const maxCures = 3;

function listNames(sheets: readonly Sheet[]): Text {
  const more = sheets.length - maxNames;
  const names = sheets
    .slice(0, maxNames)
    .map((sheet) => `"${sheet.name}"`)
    .join(', ');
  return more > 0 ? t`${names} and ${more} more` : names;
}

async function hasText(workbook: Workbook, sheet: Sheet): Promise<boolean> {
  for await (const rows of workbook.rows(sheet)) if (rows.length > 0) return true;
  return false;
}

const maxRowsProbed = 100;

/** Those with a header of at least three columns and rows below it. */
async function tablesAmong(workbook: Workbook, sheets: readonly Sheet[]): Promise<Sheet[]> {
  const tables: Sheet[] = [];
  for (const sheet of sheets) {
    const first: SheetRow[] = [];
    for await (const rows of workbook.rows(sheet)) {
      first.push(...rows);
      if (first.length >= maxRowsProbed) break;
    }
    if (isTable(first.slice(0, maxRowsProbed))) tables.push(sheet);
  }
  return tables;
}

interface Survey {
  width: number;
  /** By their first rows. */
  merges: Merge[];
  hiddenRows: number[];
}

const maxCells = 100_000_000;
const maxMerges = 200_000;
const maxCellsAtOnce = 250_000;

async function surveySheet(workbook: Workbook, sheet: Sheet): Promise<Survey> {
  const survey: Survey = { width: 0, merges: [], hiddenRows: [] };
  let count = 0;
  const watching = {
    onMerge: (merge: Merge) => {
      survey.merges.push(merge);
      if (survey.merges.length <= maxMerges) return;
      const problem = t`has more than ${maxMerges} merged cells in sheet "${sheet.name}"`;
      throw new WorkbookError(problem, t`Unmerge the cells of that sheet, or save it as "CSV UTF-8".`);
    },
  };
  for await (const rows of workbook.rows(sheet, watching)) {
    for (const { row, cells, isHidden } of rows) {
      survey.width = Math.max(survey.width, cells.length);
      if (isHidden) survey.hiddenRows.push(row);
    }
    count += rows.length;
    if (count * survey.width <= maxCells) continue;
    const problem = t`has more than ${formatCount(maxCells)} cells in sheet "${sheet.name}"`;
    throw new WorkbookError(problem, copyOrders);
  }
  survey.merges.sort((left, right) => left.top - right.top);
  return survey;
}

interface TableRow extends Row {
  isHidden: boolean;
}

/** As wide as the sheet. A cell merged with those below is repeated in each row that has text. */
async function* tableRows(
  workbook: Workbook,
  sheet: Sheet,
  { width, merges }: Survey,
  from: number,
): AsyncGenerator<TableRow[]> {
  const fill = createMergeFiller(merges.filter(({ top, bottom }) => bottom > top));
  const rowsAtOnce = Math.ceil(maxCellsAtOnce / width);
  for await (const batch of workbook.rows(sheet)) {
    for (let start = 0; start < batch.length; start += rowsAtOnce) {
      yield batch.slice(start, start + rowsAtOnce).flatMap(({ row, cells: own, isHidden }) => {
        if (row < from) return [];
        const cells = own.concat(Array(width - own.length).fill(''));
        fill(row, cells);
        return [{ row, line: row, cells, isHidden }];
      });
    }
  }
}

function createMergeFiller(merges: readonly Merge[]) {
  let next = 0;
  // By column. Merged cells should not overlap; where they do, the first ones count.
  const open = new Map<number, { bottom: number; text: string }>();
  return (row: number, cells: string[]): void => {
    for (const [column, { bottom, text }] of open) {
      if (bottom < row) open.delete(column);
      else cells[column] ||= text;
    }
    for (; next < merges.length && (merges[next] as Merge).top <= row; next += 1) {
      const { top, bottom, left } = merges[next] as Merge;
      const text = top === row ? (cells[left] ?? '') : '';
      if (text !== '' && bottom > row && !open.has(left)) open.set(left, { bottom, text });
    }
  };
}

/** A name that is merged over several columns is that of each. */
function fillHeader({ row, cells }: HeaderRow, merges: readonly Merge[]): void {
  const rights = new Map<number, number>();
  for (const { top, bottom, left, right } of merges) {
    if (top <= row && row <= bottom) rights.set(left, Math.max(right, rights.get(left) ?? 0));
  }
  for (const [left, right] of rights) {
    for (let column = left + 1; column <= right && column < cells.length; column += 1) {
      cells[column] ||= cells[left] ?? '';
    }
  }
}

async function* withoutHiddenMarks(rows: AsyncIterable<TableRow[]>): AsyncGenerator<Row[]> {
  for await (const batch of rows) yield batch.map(toRow);
}

function toRow({ row, line, cells }: TableRow): Row {
  return { row, line, cells };
}

const maxRowsNamed = 6;

function rowsHidden(name: string, place: Text, hidden: readonly number[]): ReadingQuestion {
  const count = hidden.length;
  const rows = listRows(hidden);
  return new ReadingQuestion(
    'rows_hidden',
    t`${name} hides ${count} {row|rows} of ${place}, by a filter or by hand: ${rows}. Nothing was sent.`,
    {
      hint: joinTexts(
        [
          t`To send their orders too, add --hidden-rows send; to leave them out, add --hidden-rows leave-out.`,
          ...hiddenRowsChoices.map((choice) => again('--hidden-rows', choice)),
        ],
        '',
      ),
      question: t`${count} {row|rows} of ${place} {is|are} hidden (${rows}). Read them too?`,
      choices: [
        { value: 'leave-out', name: t`no, leave them out`, flags: { hiddenRows: 'leave-out' } },
        { value: 'send', name: t`yes, send their orders`, flags: { hiddenRows: 'send' } },
      ],
    },
  );
}

function listRows(rows: readonly number[]): string {
  return `${rows.slice(0, maxRowsNamed).join(', ')}${rows.length > maxRowsNamed ? ', ...' : ''}`;
}

function notesOnHiddenSheets(filled: readonly Sheet[], read: Sheet): Text[] {
  const hidden = filled.filter((other) => other.isHidden && other !== read);
  return hidden.length === 0 ? [] : [t`Hidden sheets are not read: ${listNames(hidden)}.`];
}

function noteOnHiddenRows(hidden: readonly number[], areRead: boolean): Text {
  const { length } = hidden;
  const rows = listRows(hidden);
  if (length === 1)
    return areRead ? t`1 hidden row is read too: ${rows}.` : t`1 hidden row is left out: ${rows}.`;
  return areRead
    ? t`${length} hidden rows are read too: ${rows}.`
    : t`${length} hidden rows are left out: ${rows}.`;
}
