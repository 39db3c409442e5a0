import { moneyFields } from '../orders/order.ts';
import { gap } from './text-grid.ts';

const narrowest = 6;
/** Cut short, one order could not be told from another. */
const names = new Set(['id', 'orderNumber']);
const keptWhole = new Set<string>([...names, ...moneyFields]);

/**
 * Widths that fit the terminal: long headers give way first, then the widest contents,
 * then even amounts. Undefined when nothing fits.
 */
export function fitColumns(
  columns: string[],
  headerWidths: number[],
  contentWidths: number[],
  terminalWidth: number,
): number[] | undefined {
  const space = terminalWidth - gap * (columns.length - 1);
  const floors = [
    contentWidths,
    contentWidths.map((width, index) => (keptWhole.has(columns[index] ?? '') ? width : 0)),
    contentWidths.map((width, index) => (names.has(columns[index] ?? '') ? width : 0)),
  ];
  let widths = columns.map((_, index) => Math.max(headerWidths[index] ?? 0, contentWidths[index] ?? 0));
  for (const floor of floors) {
    widths = shrink(widths, floor, space);
    if (sum(widths) <= space) return widths;
  }
  return undefined;
}

function shrink(from: number[], floors: number[], space: number): number[] {
  const widths = [...from];
  for (let excess = sum(widths) - space; excess > 0; excess -= 1) {
    const spare = widths.map((width, index) => (width > Math.max(narrowest, floors[index] ?? 0) ? width : 0));
    const widest = Math.max(...spare);
    if (widest === 0) break;
    widths[spare.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function sum(widths: number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}
