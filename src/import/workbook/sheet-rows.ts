import { cleanCell, columnIndex, columnLetters } from '../../csv/read-csv.ts';
import { findDamage, uncalculatedFormula } from '../text-damage.ts';
import { copyOrders, WorkbookError } from './archive.ts';
import { formatNumber, type NumberFormat } from './number-formats.ts';
import { createTextCollector, limitText, unescapeText } from './strings.ts';
import { isTrue, parseXml } from './xml.ts';

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
  name: string;
  strings: readonly string[];
  /** By the style of a cell. */
  formats: readonly NumberFormat[];
  onMerge?(merge: Merge): void;
  /** For each range of hidden columns, from 0. */
  onHiddenColumns?(first: number, last: number): void;
}

const maxRows = 1_048_576;
const maxColumns = 16_384;
const blanks: readonly string[] = Array.from({ length: maxColumns }, () => '');
const batchCharacters = 64 * 1024;
const cellName = /^([A-Z]{1,3})(\d{1,7})$/;
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:E[+-]?\d{1,3})?$/i;

/** Batches of the rows with text, in the order of the sheet. Errors: WorkbookError, and those of the part. */
export async function* readSheetRows(
  bytes: AsyncIterable<Uint8Array>,
  reading: SheetReading,
): AsyncGenerator<SheetRow[]> {
  const { part, name: sheetName, onMerge, onHiddenColumns } = reading;
  const place = () => `${columnLetters(column)}${row} of ${sheetName}`;
  let rows: SheetRow[] = [];
  let characters = 0;
  let isInRows = false;
  let row = 0;
  let isHidden = false;
  let cells: string[] = [];
  let column = -1;
  let type = 'n';
  let style = 0;
  let hasFormula = false;
  let value: string | undefined;
  let isValue = false;
  const inline = createTextCollector(place);

  const openCell = (reference: string | undefined) => {
    const before = column;
    const [, letters] = reference === undefined ? [] : (cellName.exec(reference) ?? []);
    column = letters === undefined ? column + 1 : columnIndex(letters);
    if (column <= before) throw new WorkbookError(`has cells out of order in ${place()}`);
    if (column >= maxColumns) throw new WorkbookError(`has more than ${maxColumns} columns in ${sheetName}`);
  };
  const closeCell = () => {
    const text = cleanCell(textOf());
    if (text === '') return;
    if (cells.length < column) cells = cells.concat(blanks.slice(0, column - cells.length));
    cells.push(text);
    characters += text.length;
  };
  const textOf = (): string => {
    if (hasFormula && type !== 'str' && (value ?? '') === '') return uncalculatedFormula;
    if (type === 'inlineStr') return inline.take();
    if (value === undefined || value === '') return '';
    switch (type) {
      case 's':
        return sharedString(value);
      case 'str':
        return unescapeText(value, place);
      case 'b':
        return isTrue(value) ? 'TRUE' : 'FALSE';
      case 'e':
        return findDamage(value) === undefined ? '#UNKNOWN!' : value;
      case 'd':
        return value;
      default:
        return numberText(value.trim());
    }
  };
  const sharedString = (index: string): string => {
    const text = reading.strings[Number(index)];
    if (text === undefined) throw new WorkbookError(`refers to a text that it does not have, in ${place()}`);
    return text;
  };
  const numberText = (text: string): string => {
    if (!number.test(text)) throw new WorkbookError(`has no number where one should be, in ${place()}`);
    return (reading.formats[style] ?? formatNumber)(Number(text));
  };
  const openRow = (attributes: Readonly<Record<string, string>>) => {
    const next = attributes.r === undefined ? row + 1 : Number(attributes.r);
    if (!(next > row && next <= maxRows)) {
      throw new WorkbookError(`has rows out of order, or too many, after row ${row} of ${sheetName}`);
    }
    row = next;
    isHidden = isTrue(attributes.hidden);
    cells = [];
    column = -1;
  };
  const parsing = parseXml(part, bytes, {
    open: (name, attributes) => {
      if (name === 'sheetData') isInRows = true;
      else if (!isInRows) {
        if (name === 'mergeCell') onMerge?.(readMerge(attributes.ref, sheetName));
        if (name === 'col' && isTrue(attributes.hidden)) {
          onHiddenColumns?.(Number(attributes.min) - 1, Number(attributes.max) - 1);
        }
      } else if (name === 'row') openRow(attributes);
      else if (name === 'c') {
        openCell(attributes.r);
        type = attributes.t ?? 'n';
        style = Number(attributes.s ?? 0);
        hasFormula = false;
        value = undefined;
        inline.take();
      } else if (name === 'f') hasFormula = true;
      else if (name === 'v') {
        isValue = true;
        value = '';
      } else inline.open(name);
    },
    text: (text) => {
      if (isValue) value = limitText((value ?? '') + text, place);
      else inline.add(text);
    },
    close: (name) => {
      if (name === 'v') isValue = false;
      else if (name === 'c' && isInRows) closeCell();
      else if (name === 'row' && isInRows) {
        if (cells.length > 0) rows.push({ row, cells, isHidden });
        characters += cells.length;
      } else if (name === 'sheetData') isInRows = false;
      else inline.close(name);
    },
  });
  for await (const _ of parsing) {
    if (characters < batchCharacters) continue;
    yield rows;
    rows = [];
    characters = 0;
  }
  yield rows;
}

/** `B2:B4` */
function readMerge(reference: string | undefined, sheetName: string): Merge {
  const [first, last = first] = (reference ?? '').split(':').map((name) => cellName.exec(name));
  if (!first || !last)
    throw new WorkbookError(`has merged cells that cannot be read in ${sheetName}`, copyOrders);
  const [[, left = '', top], [, right = '', bottom]] = [first, last];
  return {
    top: Number(top),
    bottom: Number(bottom),
    left: columnIndex(left),
    right: columnIndex(right),
  };
}
