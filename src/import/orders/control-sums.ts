import type { NamedColumn } from '../columns/header.ts';
import { type CellFormat, type Column, fieldText, fills } from '../mapping/column.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { linesDoNotAddUp } from '../order-texts.ts';
import type { Problem } from '../problem.ts';
import type { Row } from '../read/read-table.ts';
import { readHundredths } from '../words/money.ts';
import { readQuantity } from '../words/quantity.ts';
import { type OrderRows, problemIn } from './group/group-rows.ts';
import type { PlanOptions, SumResult } from './plan.ts';

/** With this many compared orders, lines that come to less than their subtotal are an error. */
export const minCompared = 20;

type Part = (cells: readonly string[]) => string;

/** Needs prices and quantities; counts lines that are not to be delivered too. Undefined: not comparable. */
export function createSumCheck(
  mapping: Mapping,
  options: CellFormat & Pick<PlanOptions, 'lessIsError'>,
): ((order: OrderRows, lineRows: readonly Row[], problems: Problem[]) => SumResult | undefined) | undefined {
  const parts = findParts(mapping);
  if (parts === undefined) return undefined;
  const { price, quantity, lineDiscount, subtotal, total, shipping, tax, discount, fees } = parts;
  const against = subtotal ?? total;
  if (against === undefined) return undefined;
  const amount = (text: string) => readHundredths(text.replace(/^-/, ''), options.decimal);
  const amountOr0 = (column: NamedColumn | undefined, cells: readonly string[]): bigint =>
    column === undefined ? 0n : (amount(cells[column.index] ?? '') ?? 0n);

  return (order, lineRows, problems) => {
    const expected = amount(order.cells[against.index] ?? '');
    if (expected === undefined || lineRows.length === 0) return undefined;
    let sum = 0n;
    let lineDiscounts = 0n;
    for (const { cells } of lineRows) {
      const each = amount(price(cells));
      const count = readQuantity(quantity(cells) || '1', options.decimal);
      if (each === undefined || count === undefined) return undefined;
      sum += each * BigInt(count);
      lineDiscounts += amountOr0(lineDiscount, cells);
    }
    const [off, freight, taxes, more] = [discount, shipping, tax, fees].map((column) =>
      amountOr0(column, order.cells),
    ) as [bigint, bigint, bigint, bigint];
    const tolerance = BigInt(lineRows.length);
    const added = subtotal === undefined ? freight + more : 0n;
    if (sum + added === expected) return 'agrees';
    // Discounts and taxes may or may not be part of the prices.
    const results = [0n, off, lineDiscounts, off + lineDiscounts].flatMap((less) => {
      return [0n, taxes].map((plus) => sum - less + plus + added);
    });
    const isNear = (result: bigint) => result - expected <= tolerance && expected - result <= tolerance;
    if (results.some(isNear)) return 'agrees';
    const result = subtotal !== undefined && sum + taxes + tolerance < expected ? 'less' : 'differs';
    const problem = problemIn(order, against, linesDoNotAddUp(against.header));
    problems.push(result === 'less' && options.lessIsError ? problem : { ...problem, severity: 'warning' });
    return result;
  };
}

/** The columns that a preset or mapping names, else those that are sent as price, quantity and total. */
function findParts({ rules, columns, lines }: Mapping) {
  const { sums = {} } = rules;
  const all = [...columns, ...(lines?.columns ?? [])];
  const columnOf = (field: string) => all.find(fills(field));
  const partOf = (named: NamedColumn | undefined, mapped: Column | undefined): Part | undefined => {
    if (named !== undefined) return (cells) => cells[named.index] ?? '';
    return mapped && ((cells) => fieldText(mapped, cells));
  };
  const price = partOf(sums.price, columnOf('items[].unitPrice') ?? columnOf('items[].price'));
  const quantity = partOf(sums.quantity, columnOf('items[].quantity'));
  if (price === undefined || quantity === undefined) return undefined;
  const { line_discount: lineDiscount, subtotal, shipping, tax, discount, fees } = sums;
  const total: NamedColumn | undefined = sums.total ?? columnOf('total');
  return { price, quantity, lineDiscount, subtotal, total, shipping, tax, discount, fees };
}
