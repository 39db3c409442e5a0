import { type FieldPath, formatFieldPath } from '../../../orders/field-path.ts';
import { moneyFields } from '../../../orders/order.ts';
import { isCommonPhone } from '../../../orders/phone.ts';
import { type Column, locationOf } from '../../mapping/column.ts';
import type { Problem } from '../../problem.ts';
import type { HeaderRow, Row } from '../../read/read-table.ts';

const amountPaths: readonly string[] = [...moneyFields, 'items[].unitPrice', 'items[].price'];
const phonePath = 'customer.phone';
const codePaths = ['externalOrderId', 'customer.externalCustomerId', 'items[].sku'];
const digitPaths = [...amountPaths, phonePath, 'requestedDeliveryDate', ...codePaths];
/** Among fewer values, one with fewer digits or none is not unusual. */
const minOthers = 10;

/**
 * Finds the row in which a file was cut off, from all rows, order by order. There is no line end after it, and it has
 * too few cells, or its last cell has fewer digits than all others or is the only blank one. `isLater`: not the first
 * row of its order, where a cell of the whole order may be blank.
 */
export function createCutOffCheck({ cells: header }: HeaderRow, mapped: readonly Column[]) {
  const last = header.length - 1;
  const columns = mapped.filter((each) => reads(each, last));
  const digitColumn = columns.find(({ path }) => digitPaths.includes(pathInLines(path)));
  const isOfLine = columns.some(({ path }) => path.some((segment) => typeof segment !== 'string'));
  let fewestDigits = Number.POSITIVE_INFINITY;
  const others = { filled: 0, blank: 0, withDigits: 0 };
  let end: { row: Row; externalOrderId: string; mayBeBlank: boolean } | undefined;

  const findIn = (): { where: string; column?: Column | undefined } | undefined => {
    if (end === undefined) return undefined;
    const { cells, ownCells = cells, openEnd } = end.row;
    const width = ownCells.length;
    const text = cells[last] ?? '';
    if (width < header.length) {
      const count = `${width} ${width === 1 ? 'cell' : 'cells'}`;
      return { where: `in a row of ${count}, but the header has ${header.length}` };
    }
    if (width > header.length) return undefined;
    if (openEnd === 'delimiter') {
      const isUnusual = others.filled >= minOthers && others.blank === 0 && !end.mayBeBlank;
      return isUnusual && columns[0] !== undefined
        ? { where: 'in this cell, which is blank in no other row', column: columns[0] }
        : undefined;
    }
    if (openEnd !== 'cell' || digitColumn === undefined || isComplete(text, digitColumn)) return undefined;
    return others.withDigits >= minOthers && countDigits(text) < fewestDigits
      ? { where: 'in this cell, and all other rows have more digits there', column: digitColumn }
      : undefined;
  };
  return {
    addRow: (row: Row, externalOrderId: string, isLater: boolean): void => {
      const { cells, ownCells = cells, openEnd } = row;
      const mayBeBlank = isLater && !isOfLine;
      if (openEnd !== undefined) {
        end = { row, externalOrderId, mayBeBlank };
        return;
      }
      if (ownCells.length !== header.length) return;
      const text = cells[last] ?? '';
      if (!mayBeBlank) others[text === '' ? 'blank' : 'filled'] += 1;
      const digits = digitColumn === undefined ? 0 : countDigits(text);
      if (digits === 0) return;
      others.withDigits += 1;
      fewestDigits = Math.min(fewestDigits, digits);
    },
    problems: (): Problem[] => {
      const found = findIn();
      if (found === undefined || end === undefined) return [];
      const { row, externalOrderId } = end;
      const location = locationOf(row, found.column && { ...found.column, index: last });
      return [{ ...cutOff(found.where), ...location, externalOrderId }];
    },
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
  return text.match(/\p{Nd}/gu)?.length ?? 0;
}

function cutOff(where: string): Pick<Problem, 'about' | 'severity' | 'code' | 'problem' | 'fix' | 'cures'> {
  return {
    about: 'file',
    severity: 'error',
    code: 'file_truncated',
    problem: `the file ends without a line end ${where}: it seems to be cut off`,
    fix: 'export or copy the file again; if it really ends there, add --ends-here',
    cures: [['--ends-here']],
  };
}
