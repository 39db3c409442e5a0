import { joinTexts, type Text, t } from '../../../advice/advice.ts';
import { cleanCell, columnIndex, columnLetters } from '../../../csv/read-csv.ts';
import { findDamage, uncalculatedFormula } from '../damage.ts';
import { copyOrders, WorkbookError } from './archive.ts';
import { formatNumber, type NumberFormat } from './number-formats.ts';
import { createTextCollector } from './strings.ts';
import { type Attributes, isTrue, parseXml } from './xml.ts';

/** A row with text in a cell; its cells are clean. */
export interface SheetRow {
  row: number;
  cells: string[];
  isHidden: boolean;
}

/** Cells that are shown as one, from 1; the column from 0. The first one has the text. */
export interface Merge {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export interface SheetReading {
  part: string;
  /** What errors call it: `sheet "Orders"`. */
  name: Text;
  strings: readonly string[];
  /** By the style of a cell. */
  formats: readonly NumberFormat[];
  onMerge?(merge: Merge): void;
}

const maxRows = 1_048_576;
const maxColumns = 16_384;
const batchCharacters = 64 * 1024;
const cellName = /^([A-Z]{1,3})\d{1,7}$/;
const mergedCells = /^([A-Z]{1,3})(\d{1,7})(?::([A-Z]{1,3})(\d{1,7}))?$/;
const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:E[+-]?\d{1,3})?$/i;

/** Batches of the rows with text, in the order of the sheet. Errors: WorkbookError, and those of the part. */
export async function* readSheetRows(
  bytes: AsyncIterable<Uint8Array>,
  { part, name: sheet, strings, formats, onMerge }: SheetReading,
): AsyncGenerator<SheetRow[]> {
  let batch: SheetRow[] = [];
  let characters = 0;
  let row = 0;
  let isHidden = false;
  let cells: string[] = [];
  let column = -1;
  let type = 'n';
  let style = 0;
  let hasFormula = false;
  const place = () => t`${columnLetters(column)}${row} of ${sheet}`;
  const value = createTextCollector(place);

  const openRow = ({ r, hidden }: Attributes) => {
    const next = r === undefined ? row + 1 : Number(r);
    if (!(next > row && next <= maxRows)) {
      throw new WorkbookError(t`has rows out of order, or too many, after row ${row} of ${sheet}`);
    }
    row = next;
    isHidden = isTrue(hidden);
    cells = [];
    column = -1;
  };
  const openCell = ({ r = '', t: kind = 'n', s = '0' }: Attributes) => {
    const [, letters] = cellName.exec(r) ?? [];
    const next = letters === undefined ? column + 1 : columnIndex(letters);
    if (!(next > column && next < maxColumns)) {
      throw new WorkbookError(t`has cells out of order, or too many, in row ${row} of ${sheet}`);
    }
    column = next;
    type = kind;
    style = Number(s);
    hasFormula = false;
    value.take();
  };
  const textOf = (text: string): string => {
    if (text === '') return hasFormula && type !== 'str' ? uncalculatedFormula : '';
    switch (type) {
      case 'inlineStr':
      case 'str':
      case 'd':
        return text;
      case 's': {
        const shared = strings[Number(text)];
        if (shared !== undefined) return shared;
        throw new WorkbookError(t`refers to a text that it does not have, in ${place()}`);
      }
      case 'b':
        return isTrue(text) ? 'TRUE' : 'FALSE';
      case 'e':
        return findDamage(text) === undefined ? '#UNKNOWN!' : text;
      default:
        if (number.test(text.trim())) return (formats[style] ?? formatNumber)(Number(text));
        throw new WorkbookError(t`has no number where one should be, in ${place()}`);
    }
  };
  const closeCell = () => {
    const text = cleanCell(textOf(value.take()));
    if (text === '') return;
    while (cells.length < column) cells.push('');
    cells.push(text);
    characters += text.length;
  };
  const parsing = parseXml(joinTexts([sheet, part], ', '), bytes, {
    open: (name, attributes) => {
      value.open(name);
      if (name === 'row') openRow(attributes);
      else if (name === 'c') openCell(attributes);
      else if (name === 'f') hasFormula = true;
      else if (name === 'mergeCell') onMerge?.(readMerge(attributes.ref ?? '', sheet));
    },
    text: value.add,
    close: (name) => {
      value.close(name);
      if (name === 'c') closeCell();
      else if (name === 'row' && cells.length > 0) {
        batch.push({ row, cells, isHidden });
        characters += cells.length;
      }
    },
  });
  for await (const _ of parsing) {
    if (characters < batchCharacters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  yield batch;
}

/** `B2:B4` */
function readMerge(reference: string, sheet: Text): Merge {
  const [, left, top, right = left, bottom = top] = mergedCells.exec(reference) ?? [];
  if (left === undefined || right === undefined) {
    throw new WorkbookError(t`has merged cells that cannot be read in ${sheet}`, copyOrders);
  }
  return { top: Number(top), bottom: Number(bottom), left: columnIndex(left), right: columnIndex(right) };
}
