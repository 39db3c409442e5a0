import type { JsonObject } from '../../../orders/json.ts';
import type { DateOrder, DecimalMark, UnpaidChoice } from '../../choices.ts';
import type { FoldedProblem } from '../../problem.ts';
import type { Choice, Decision } from '../../words/verdict.ts';
import type { ShownColumn } from '../guess/guesses.ts';
import type { MappedHeader } from '../map-header.ts';
import type { MappedFlags } from '../mapping.ts';
import type { CountedValue, UnreadColumn } from '../meanings.ts';
import type { Shop } from '../shops/presets.ts';

export interface FieldProposal {
  /** A key of `columns`: `items[].quantity:number`. */
  field: string;
  label: string;
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
export interface ProposedValue extends CountedValue, Choice {}

/** A column that says who pays, or which orders are to be delivered. `*` stands for any date. */
export interface ValueProposal extends UnreadColumn {
  values: readonly ProposedValue[];
}

export type CollectionWay =
  | { kind: 'settled' }
  | { kind: 'values'; columns: readonly string[] }
  | { kind: 'amount' | 'mode'; column: ShownColumn }
  /** Without a column the user names it. */
  | { kind: 'collect_all'; column?: ShownColumn }
  | { kind: 'prepaid' };

export interface LinesChoice {
  lines: JsonObject;
  columns: readonly number[];
  /** The column, or the pattern of the columns. */
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

/** What the columns may hold: what is settled, and what only a person can decide. */
export interface Proposal {
  fields: readonly FieldProposal[];
  collection: readonly CollectionWay[];
  values: readonly ValueProposal[];
  amounts: readonly ShownColumn[];
  /** Columns that are not sent and mean nothing that must be decided. */
  unread: readonly ShownColumn[];
  paid?: readonly ShownColumn[];
  lines?: LinesProposal;
  decimal?: DecimalMark;
  dateOrder?: DateOrder;
}

export interface MappingAnswers {
  columns: ReadonlyMap<string, string | undefined>;
  collection?: CollectionWay | undefined;
  amount?: string | undefined;
  /** Column → value → what it means. */
  values: ReadonlyMap<string, ReadonlyMap<string, Decision>>;
  decimal?: DecimalMark | undefined;
  dateOrder?: DateOrder | undefined;
  unpaid?: UnpaidChoice | undefined;
  /** How the lines of a row are read; 'none': each row is one line. */
  lines?: LinesChoice | 'none' | undefined;
}

export interface WrittenMapping {
  /** A mapping file; an open question is a text that begins with `? `. */
  mapping: JsonObject;
  questions: number;
}

/** What is known before a person is asked. */
export interface GivenMapping extends MappedFlags {
  mapped: MappedHeader;
  shop?: Shop;
  /** Of the orders, when a preset reads them: what it does not know is proposed. */
  problems?: readonly FoldedProblem[];
}
