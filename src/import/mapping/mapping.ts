import type { LeftOutReason } from '../choices.ts';
import type { Row } from '../read/read-table.ts';
import type { Column, NamedColumn } from './column.ts';
import type { Condition, KnownValues, Rule } from './conditions.ts';
import type { DecidedColumn } from './decided-columns.ts';
import type { SumsMapping } from './language.ts';
import type { UnreadColumn } from './meanings.ts';

export interface Mapping {
  columns: Column[];
  /** Whether `*` includes a text: not a blank one, nor one that contradicts the decision. */
  addresses: readonly (readonly Column[])[];
  lines?: LineReader;
  rules: OrderRules;
  unread: readonly UnreadColumn[];
  unsent: string[];
  skipRowsWhen: readonly Condition[];
  refuseRowsWhen: readonly Condition[];
}

/** Reads lines that stand side by side. Each becomes a row: the cells of the file, then those of `columns`. */
export interface LineReader {
  columns: readonly Column[];
  indexes: readonly number[];
  /** The lines of a row, and the cells that could not be read as lines. */
  read(row: Row): { rows: Row[]; unread: Pick<Column, 'index' | 'header'>[] };
}

export interface OrderRules {
  /** Rows that sum up their order: they hold values of the order, and are no lines. */
  summaryRow: Rule;
  leaveOut: readonly ReasonRule[];
  leaveOutLines: readonly ReasonRule[];
  partlyFulfilled: Rule;
  quantitiesNotFinal: Rule;
  /** Columns with the state of an order whose values are all known: any other value is an error. */
  states: readonly KnownValues[];
  /** Columns whose values the user's mapping decides about; no other rule reads them. */
  decided: readonly DecidedColumn[];
  payment?: PaymentRules;
  currency: readonly NamedColumn[];
  shippingMethod: readonly NamedColumn[];
  /** The user takes orders with a pickup as their method (`--include pickup`). */
  takesPickups: boolean;
  sums?: Partial<Record<keyof SumsMapping, NamedColumn>>;
}

export interface ReasonRule {
  reason: LeftOutReason;
  rule: Rule;
}

export interface PaymentRules {
  /** Asked before anything else, one after the other. */
  decided: readonly DecidedColumn[];
  paid: Rule;
  partlyPaid: Rule;
  open: Rule;
  onDelivery: Rule;
  states: readonly KnownValues[];
  methods: readonly NamedColumn[];
  /** Joins the methods of one cell. */
  split: string | undefined;
  due: readonly NamedColumn[];
  /** What is paid already, when only the total is stated. */
  alreadyPaid: readonly NamedColumn[];
  /** The total is not what is left to pay, even less another column. */
  unclear: Rule;
}
