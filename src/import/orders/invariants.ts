import { type Json, member } from '../../orders/json.ts';
import { orderLines, textField } from '../../orders/order.ts';
import { headerProblem, type NamedColumn } from '../columns/header.ts';
import { isPriceHeader, isRankHeader } from '../columns/header-roles.ts';
import { createEquations, numberOf } from '../columns/relations.ts';
import { idsCountUp, skusAsNames, totalOfEachLine, totalOfOnePiece } from '../file-texts.ts';
import { fills, idPrefixIn } from '../mapping/column.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { clip } from '../problem.ts';
import { stemOf } from '../read/settings.ts';
import type { Check, PlanOptions, Totals } from './plan.ts';

/** A single order whose rows differ has a mistake. */
const minDiffering = 2;

/**
 * Finds an amount of the order that is an amount of each line: quantity × price in every row, or different in most
 * orders of several rows; and one that may be of one piece, by its name.
 */
export function createLineTotalCheck({ header, columns, rules, lines }: Mapping): Check | undefined {
  const isAmount = fills('collectionAmount');
  const isTotal = fills('total');
  const amounts = columns.filter((column) => isTotal(column) || isAmount(column));
  const summed = new Set(amounts.filter(({ rule }) => rule?.sums).map(({ index }) => index));
  const all: NamedColumn[] = [...amounts, ...(rules.payment?.due ?? [])];
  const watched = lines === undefined ? all.filter(({ index }) => !summed.has(index)) : [];
  if (watched.length === 0) return undefined;
  const products = createEquations(header.cells.length, ['product']);
  const isOfPreset = new Set(amounts.filter(({ source }) => source === 'preset').map(({ index }) => index));
  const isPrice = ({ index, header: name }: NamedColumn) => !isOfPreset.has(index) && isPriceHeader(name);
  let hasSeveralPieces = false;
  const counts = new Map(watched.map(({ index }) => [index, { differing: 0, agreeing: 0, filled: 0 }]));
  return {
    rows: (_, rows) => {
      for (const { cells } of rows) products.addRow(cells);
      if (rows.length === 1) return;
      for (const [index, count] of counts) {
        const texts = rows.map(({ cells }) => cells[index] ?? '').filter((text) => text !== '');
        const numbers = texts.map(numberOf);
        // A row below zero is a refund.
        if (numbers.length < 2 || numbers.some((number) => number < 0) || isOneOfAll(numbers)) continue;
        if (numbers.length === rows.length) count.filled += 1;
        if (new Set(numbers).size === 1) count.agreeing += 1;
        else count.differing += 1;
      }
    },
    order: ({ order }) => {
      hasSeveralPieces ||= orderLines(order).some((line) => isSeveral(member(line, 'quantity')));
    },
    end: () =>
      [...counts].flatMap(([index, { differing, agreeing, filled }]) => {
        const isProduct = filled > 0 && products.productOf(index) !== undefined;
        const isOfLine = isProduct || (differing >= minDiffering && differing > agreeing);
        if (isOfLine)
          return [headerProblem(header, index, totalOfEachLine(header.cells[index] ?? '', isProduct))];
        const mayBeOfPiece =
          hasSeveralPieces && watched.some((column) => column.index === index && isPrice(column));
        return mayBeOfPiece ? [headerProblem(header, index, totalOfOnePiece(header.cells[index] ?? ''))] : [];
      }),
  };
}

/** Whether the first or the last amount is the sum of the others, and so that of the order. */
function isOneOfAll(amounts: readonly number[]): boolean {
  if (new Set(amounts).size === 1) return false;
  const all = amounts.reduce((sum, amount) => sum + amount, 0);
  return [amounts[0], amounts.at(-1)].some((one = 0) => Math.abs(2 * one - all) < 0.01);
}

function isSeveral(quantity: Json | undefined): boolean {
  return Number(String(quantity)) > 1;
}

/**
 * Order IDs that count up in the order of the file, with most numbers up to the last: those of the next file would be
 * the same. Under the header of row numbers (`№`) that is an error, unless the mapping has a prefix or says that there
 * is none.
 */
export function createCountedIds(
  { header, columns }: Mapping,
  { fileName, remembered }: Pick<PlanOptions, 'fileName' | 'remembered'>,
  totals: () => Totals,
): (Check & { isCounting(): boolean }) | undefined {
  const column = columns.find(fills('externalOrderId'));
  if (column === undefined) return undefined;
  const prefix = idPrefixIn(columns);
  const before = prefix ?? '';
  let count = 0;
  let first = 0;
  let last = 0;
  let isRising = true;
  const isCounting = () => isRising && count > 0 && last <= 2 * count;
  // Of such files a few rows are as little known by their numbers.
  const areOfSheet = () => isCounting() || (remembered?.lacksPrefix === true && isRising && count > 0);
  return {
    rows: ({ externalOrderId }) => {
      if (!isRising) return;
      const text = externalOrderId.startsWith(before) ? externalOrderId.slice(before.length) : '';
      const number = /^\d{1,9}(?:\.0*)?$/.test(text) ? Number(text) : 0;
      isRising = number > last;
      count += 1;
      if (count === 1) first = number;
      last = number;
    },
    isCounting,
    end: () => {
      if (!areOfSheet() || prefix !== undefined || !isRankHeader(column.header)) return [];
      const proposed = `${dayOf(totals()) ?? nameOf(fileName)}-`;
      return [headerProblem(header, column.index, idsCountUp(first, last, proposed))];
    },
  };
}

/** The one delivery date of all orders. */
function dayOf({ orders, dated, firstDate, lastDate }: Totals): string | undefined {
  return orders > 0 && dated === orders && firstDate === lastDate ? firstDate : undefined;
}

const maxNameLength = 40;

/** A file name in letters, digits and hyphens, so that it needs no quotes. */
function nameOf(fileName: string): string {
  // A browser and a file manager name another copy of the same file like this.
  const words = stemOf(fileName)
    .normalize('NFC')
    .replace(/ ?\(\d{1,3}\)$/, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
  const plain = words.join('-').slice(0, maxNameLength);
  return plain === '' ? 'orders' : plain;
}

/** Further ones are not compared. */
const maxTexts = 10_000;

/** Finds the SKUs of some lines that other lines, without a SKU, have as the name of their product. */
export function createSkusAsNames({ header, columns, lines }: Mapping): Check | undefined {
  const all = [...columns, ...(lines?.columns ?? [])];
  const sku = all.find(fills('items[].sku'));
  const name = all.find(fills('items[].name'));
  if (sku === undefined || name === undefined) return undefined;
  const skus = new Set<string>();
  const names = new Set<string>();
  return {
    order: ({ order }) => {
      for (const line of orderLines(order)) {
        const own = textField(line, 'sku');
        const [set, text] = own === undefined ? [names, textField(line, 'name')] : [skus, own];
        if (text !== undefined && set.size < maxTexts) set.add(text);
      }
    },
    end: () => {
      const found = [...names].filter((text) => skus.has(text));
      if (found.length === 0) return [];
      const shown = found.slice(0, 3).map(clip).join(', ');
      return [headerProblem(header, name.index, skusAsNames(sku.header, name.header, shown))];
    },
  };
}
