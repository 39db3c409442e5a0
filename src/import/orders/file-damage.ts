import { type FieldPath, formatFieldPath } from '../../orders/field-path.ts';
import { moneyFields } from '../../orders/order.ts';
import { isCommonPhone } from '../../orders/phone.ts';
import { headerProblem } from '../columns/header.ts';
import { cutOffInBlank, cutOffInDigits, cutOffInRow, idsRounded, phonesRounded } from '../file-texts.ts';
import { type Column, kindOfCells, locationOf } from '../mapping/column.ts';
import type { Problem } from '../problem.ts';
import type { HeaderRow, Row } from '../read/read-table.ts';
import { watchCells } from './column-formats.ts';
import type { Check, PlanOptions } from './plan.ts';

const amountPaths: readonly string[] = [...moneyFields, 'items[].unitPrice', 'items[].price'];
const phonePath = 'customer.phone';
const codePaths = ['externalOrderId', 'customer.externalCustomerId', 'items[].sku'];
const digitPaths = [...amountPaths, phonePath, 'requestedDeliveryDate', ...codePaths];
/** Among fewer values, one with fewer digits or none is not unusual. */
const minOthers = 10;

/**
 * Finds the row in which a file was cut off. There is no line end after it, and it has too few cells, or its last cell
 * has fewer digits than all others or is the only blank one. In a later row of an order, a cell of the whole order may be
 * blank.
 */
export function createCutOffCheck({ cells: header }: HeaderRow, mapped: readonly Column[]): Check {
  const last = header.length - 1;
  const columns = mapped.filter((each) => reads(each, last));
  const digitColumn = columns.find(({ path }) => digitPaths.includes(pathInLines(path)));
  const isOfLine = columns.some(({ path }) => path.some((segment) => typeof segment !== 'string'));
  let fewestDigits = Number.POSITIVE_INFINITY;
  const others = { filled: 0, blank: 0, withDigits: 0 };
  let end: { row: Row; externalOrderId: string; mayBeBlank: boolean } | undefined;

  const findIn = (): Problem[] => {
    if (end === undefined) return [];
    const { row, externalOrderId, mayBeBlank } = end;
    const { cells, ownCells = cells, openEnd } = row;
    const width = ownCells.length;
    const text = cells[last] ?? '';
    const problemAt = (problem: Problem, column?: Column) => [
      { ...problem, ...locationOf(row, column && { ...column, index: last }), externalOrderId },
    ];
    if (width < header.length) return problemAt(cutOffInRow(width, header.length));
    if (width > header.length) return [];
    if (openEnd === 'delimiter') {
      const isUnusual = others.filled >= minOthers && others.blank === 0 && !mayBeBlank;
      return isUnusual && columns[0] !== undefined ? problemAt(cutOffInBlank, columns[0]) : [];
    }
    if (openEnd !== 'cell' || digitColumn === undefined || isComplete(text, digitColumn)) return [];
    const isShort = others.withDigits >= minOthers && countDigits(text) < fewestDigits;
    return isShort ? problemAt(cutOffInDigits, digitColumn) : [];
  };
  return {
    rows: ({ rows, externalOrderId }) => {
      for (const row of rows) {
        const mayBeBlank = row !== rows[0] && !isOfLine;
        if (row.openEnd !== undefined) end = { row, externalOrderId, mayBeBlank };
        if (row.openEnd !== undefined || row.ownCells !== undefined) continue;
        const text = row.cells[last] ?? '';
        if (!mayBeBlank) others[text === '' ? 'blank' : 'filled'] += 1;
        const digits = digitColumn === undefined ? 0 : countDigits(text);
        if (digits === 0) continue;
        others.withDigits += 1;
        fewestDigits = Math.min(fewestDigits, digits);
      }
    },
    end: findIn,
  };
}

function reads({ index, rule }: Column, place: number): boolean {
  return index === place || (rule?.others ?? []).some((other) => other.index === place);
}

/** `items[].sku` also for the path of one line, `items[0].sku`. */
function pathInLines(path: FieldPath): string {
  return formatFieldPath(path.map((segment) => (typeof segment === 'number' ? null : segment)));
}

const zero = /^\D*0(?:[.,]0+)?\D*$/;
/** This may be the country code and a part of the number. */
const startsWithCountryCode = /^976\d[ -]?\d{4}$/;

/** Whether a text is certainly complete: an amount of zero, or a phone number of Mongolia. */
function isComplete(text: string, { path }: Column): boolean {
  const field = pathInLines(path);
  if (field === phonePath) return isCommonPhone(text) && !startsWithCountryCode.test(text);
  return amountPaths.includes(field) && zero.test(text);
}

function countDigits(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Most cells have ASCII only, and the expression takes ten times as long.
    if (code > 0x7f) return text.match(/\p{Nd}/gu)?.length ?? 0;
    if (code >= 0x30 && code <= 0x39) count += 1;
  }
  return count;
}

/** Finds columns whose numbers a spreadsheet rounded. */
export function createRoundingCheck(
  header: HeaderRow,
  columns: readonly Column[],
  { checks }: Pick<PlanOptions, 'checks'>,
): Check | undefined {
  const watched = columns.flatMap((column) => {
    if (checks && kindOfCells(column) === 'phone') return { column, arePhones: true, ...findRoundedPhones() };
    const isId = column.type === 'text' && codePaths.includes(formatFieldPath(column.path));
    return isId ? { column, arePhones: false, ...findRoundedIds() } : [];
  });
  if (watched.length === 0) return undefined;
  return {
    rows: watchCells(watched),
    end: () =>
      watched
        .filter(({ isFound }) => isFound())
        .map(({ column, arePhones }) => ({
          ...headerProblem(header, column.index, arePhones ? phonesRounded : idsRounded),
          header: column.header,
          path: formatFieldPath(column.path),
        })),
  };
}

const minRoundedIds = 3;

/** Whether most long numbers end in the zeros of a spreadsheet that keeps six or fifteen digits. */
function findRoundedIds() {
  let long = 0;
  let rounded = 0;
  return {
    add: (text: string): void => {
      if (text.length < 12 || !/^\d+$/.test(text)) return;
      long += 1;
      const lost = text.length > 15 ? '0'.repeat(text.length - 15) : '00000';
      if (text.endsWith('00000') || text.endsWith(lost)) rounded += 1;
    },
    isFound: () => rounded >= minRoundedIds && rounded * 2 > long,
  };
}

const minPhones = 5;
const maxRememberedPhones = 1000;

/** Whether most distinct numbers end in zeros. Only the first ones are remembered. */
function findRoundedPhones() {
  const remembered = new Set<string>();
  let different = 0;
  let rounded = 0;
  return {
    add: (text: string): void => {
      if (remembered.has(text)) return;
      if (remembered.size < maxRememberedPhones) remembered.add(text);
      different += 1;
      if (/[1-9]$/.test(text)) return;
      const digits = text.replace(/\D/g, '');
      if (digits.endsWith(digits.length === 8 ? '00' : '0000')) rounded += 1;
    },
    isFound: () => different >= minPhones && rounded * 2 > different,
  };
}
