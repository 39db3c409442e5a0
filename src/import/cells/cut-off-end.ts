import { type FieldPath, formatFieldPath } from '../../orders/field-path.ts';
import { moneyFields } from '../../orders/order.ts';
import { isCommonPhone } from '../../orders/phone.ts';
import { type Column, locationOf } from '../map/column.ts';
import type { Problem } from '../problem.ts';
import type { HeaderRow, Row } from '../table/read-table.ts';

const amountPaths: readonly string[] = [...moneyFields, 'items[].unitPrice', 'items[].price'];
const phonePath = 'customer.phone';
const codePaths = ['externalOrderId', 'customer.externalCustomerId', 'items[].sku'];
const digitPaths = [...amountPaths, phonePath, 'requestedDeliveryDate', ...codePaths];
/** Among fewer others, one with fewer digits, or none, is nothing unusual. */
const minOthers = 10;

/**
 * Finds the row, called with each row of an order in turn, in which a file was cut off: it ends there without a line end,
 * and the row has too few cells, or its last cell fewer digits than those of all other rows, or no text as in no other.
 */
export function createCutOffCheck({ cells: header }: HeaderRow, mapped: readonly Column[]) {
  const last = header.length - 1;
  const columns = mapped.filter((each) => reads(each, last));
  const digitColumn = columns.find(({ path }) => digitPaths.includes(pathInLines(path)));
  const idColumn = mapped.find(({ path }) => formatFieldPath(path) === 'externalOrderId');
  let fewestDigits = Number.POSITIVE_INFINITY;
  const others = { filled: 0, blank: 0, withDigits: 0 };
  let externalOrderId = '';
  let problem: Problem | undefined;
  const findIn = (row: Row, where: string, column?: Column) => {
    const location = locationOf(row, column && { ...column, index: last });
    problem = { ...cutOff(where), ...location, externalOrderId };
  };
  return {
    addRow: (row: Row): void => {
      const { cells, ownCells = cells, openEnd } = row;
      externalOrderId = cells[idColumn?.index ?? -1] || externalOrderId;
      const width = ownCells.length;
      const isFitting = width === header.length;
      const text = cells[last] ?? '';
      const digits = digitColumn !== undefined && isFitting ? countDigits(text) : 0;
      if (openEnd !== undefined && width < header.length) {
        const count = `${width} ${width === 1 ? 'cell' : 'cells'}`;
        findIn(row, `in a row of ${count}, but the header has ${header.length}`);
      } else if (openEnd === 'delimiter' && isFitting) {
        const isUnusual = others.filled >= minOthers && others.blank === 0;
        if (isUnusual && columns[0] !== undefined)
          findIn(row, 'in this cell, which is blank in no other row', columns[0]);
      } else if (openEnd === 'cell' && digitColumn !== undefined && isFitting) {
        const isUnusual = others.withDigits >= minOthers && digits < fewestDigits;
        if (isUnusual && !isComplete(text, digitColumn))
          findIn(row, 'in this cell, and all other rows have more digits there', digitColumn);
      }
      others[text === '' ? 'blank' : 'filled'] += 1;
      if (digits === 0) return;
      others.withDigits += 1;
      fewestDigits = Math.min(fewestDigits, digits);
    },
    problems: (): Problem[] => (problem === undefined ? [] : [problem]),
  };
}

function reads({ index, rule }: Column, place: number): boolean {
  return index === place || (rule?.others ?? []).some((other) => other.index === place);
}

/** `items[].sku` also for the path of one line, `items[0].sku`. */
function pathInLines(path: FieldPath): string {
  return formatFieldPath(path.map((step) => (typeof step === 'number' ? null : step)));
}

const zero = /^\D*0(?:[.,]0+)?\D*$/;
/** It may be the country code and a part of the number. */
const startsWithCountryCode = /^976\d[ -]?\d{4}$/;

/** Whether a text is certainly not the beginning of a longer one: an amount of zero, or a phone of Mongolia. */
function isComplete(text: string, { path }: Column): boolean {
  const field = pathInLines(path);
  if (field === phonePath) return isCommonPhone(text) && !startsWithCountryCode.test(text);
  return amountPaths.includes(field) && zero.test(text);
}

function countDigits(text: string): number {
  return text.match(/\p{Nd}/gu)?.length ?? 0;
}

function cutOff(where: string): Pick<Problem, 'about' | 'severity' | 'code' | 'problem' | 'fix' | 'flags'> {
  return {
    about: 'file',
    severity: 'error',
    code: 'file_truncated',
    problem: `the file ends without a line end ${where}: it seems to be cut off`,
    fix: 'export or copy the file again; if it really ends there, add --ends-here',
    flags: ['--ends-here'],
  };
}
