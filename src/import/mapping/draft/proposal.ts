import type { Text } from '../../../advice/advice.ts';
import type { JsonObject } from '../../../orders/json.ts';
import type { DateOrder } from '../../choices.ts';
import type { UnreadColumn } from '../../columns/header-roles.ts';
import type { ColumnProfile } from '../../columns/profile.ts';
import type { CountedValue, FoldedProblem } from '../../problem.ts';
import type { HeaderRow } from '../../read/read-table.ts';
import type { Choice } from '../../words/verdict.ts';
import type { Bound } from '../bind.ts';
import type { ShownColumn } from '../guesses.ts';
import type { MappedFlags } from '../mapping.ts';
import type { Shop } from '../shops/presets.ts';
import type { JointValues } from './joint-values.ts';

export interface FieldProposal {
  /** A key of `columns`: `items[].quantity:number`. */
  field: string;
  label: Text;
  /** Whether the file cannot be imported before it is decided. */
  isNeeded: boolean;
  guesses: readonly ShownColumn[];
  /**
   * Decided before, or by a header and values without a rival. Several are joined, such as those of an address.
   * Empty when it is open.
   */
  settled: readonly ShownColumn[];
  /** Columns that are taken off: pieces that were cancelled or returned. */
  minus?: readonly ShownColumn[];
  /** Decided by flags, a mapping file, a preset or the name of a field. */
  isMapped: boolean;
}

/** Certain when the user decided about it, or by a word with only one meaning. */
export interface ProposedValue extends CountedValue, Choice {
  /** In how many orders no column before says who pays; undefined when it is not known, or is all of them. */
  leftOver?: number;
}

/** A column that says who pays, or which orders are to be delivered. `*` stands for any date. */
export interface ValueProposal extends UnreadColumn {
  values: readonly ProposedValue[];
}

export interface LinesChoice {
  lines: JsonObject;
  columns: readonly number[];
  /** The column, or those of the first line: `SKU 1, Qty 1, …`. */
  name: string;
  /** The lines of the first orders: `2 × TEA-1`. */
  samples: readonly (readonly string[])[];
}

export interface LinesProposal {
  /** Each reads other lines. */
  choices: readonly LinesChoice[];
  /** The first is right without a doubt. */
  isSettled: boolean;
}

export interface AmountProposal extends ShownColumn {
  /** Its header says that it is what is left to pay, and not what the order costs. */
  isDue: boolean;
  /** Every order has an amount above zero, so that it cannot say which orders are paid. */
  isOfEvery: boolean;
  /** It is quantity × price in every row, and orders have several rows: the order is the sum of them. */
  isOfLine: boolean;
  /** What would be collected of all orders of the file, also of those that are left out. */
  inAll: number;
}

/** What the columns may hold: what is settled, and what only a person can decide. */
export interface Proposal {
  fields: readonly FieldProposal[];
  values: readonly ValueProposal[];
  /** Those that may be the amount to collect, the best guess first. */
  amounts: readonly AmountProposal[];
  paid: readonly ShownColumn[];
  /** Its values are NONE and COLLECT. */
  mode?: ShownColumn;
  lines?: LinesProposal;
  dateOrder?: DateOrder;
}

/** What is known before a person is asked. */
export interface GivenMapping extends MappedFlags {
  mapped: Bound;
  shop?: Shop;
  /** Of a remembered mapping, which decides about all other columns. */
  remembered?: { newColumns: readonly string[] } | undefined;
  /** Of a plan by the mapping: what it does not know is proposed. */
  problems?: readonly FoldedProblem[] | undefined;
}

/** A file whose columns are to be decided about. */
export interface ProfiledTable {
  header: HeaderRow;
  profiles: readonly ColumnProfile[];
  /** Of the columns that say who pays. */
  joint?: JointValues | undefined;
}
