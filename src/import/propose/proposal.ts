import type { JsonObject } from '../../orders/json.ts';
import type { DateOrder, DecimalMark, PlanFlags, UnpaidChoice } from '../choices.ts';
import type { ColumnGuess } from '../mapping/guess/guesses.ts';
import type { MappedHeader, MappingOptions } from '../mapping/map-header.ts';
import type { Meaning } from '../mapping/meanings.ts';
import type { Shop } from '../orders/plan-import.ts';
import type { FoldedProblem } from '../problem.ts';
import type { Decision } from '../words/verdict.ts';

export type { ColumnGuess };

export interface FieldProposal {
  /** A key of `columns`: `items[].quantity:number`. */
  field: string;
  label: string;
  /** Whether the file cannot be imported before it is decided. */
  isNeeded: boolean;
  guesses: readonly ColumnGuess[];
  /** Decided before, or by a header and values without a rival. */
  settled?: ColumnGuess;
  /** Further columns of an address, which are joined with it. */
  joined?: readonly ColumnGuess[];
  /** Decided by flags, a mapping file, a preset or the name of a field. */
  isMapped: boolean;
}

export interface ProposedValue {
  text: string;
  count: number;
  guess?: Decision;
  /** Decided by the user, or by a word with only one meaning. */
  isDecided: boolean;
}

/** A column that says who pays, or which orders are to be delivered. `*` stands for any date. */
export interface ValueProposal {
  column: ColumnGuess;
  meaning: Meaning;
  values: readonly ProposedValue[];
}

export type CollectionWay =
  | { kind: 'settled' }
  | { kind: 'values'; columns: readonly string[] }
  | { kind: 'amount'; column: ColumnGuess }
  | { kind: 'mode'; column: ColumnGuess }
  /** Without an amount the user names its column. */
  | { kind: 'collect_all'; amount?: ColumnGuess }
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
  amounts: readonly ColumnGuess[];
  /** Columns that are not sent and mean nothing that must be decided. */
  unread: readonly ColumnGuess[];
  paid?: readonly ColumnGuess[];
  lines?: LinesProposal;
  decimal?: DecimalMark;
  dateOrder?: DateOrder;
}

export interface MappingAnswers {
  columns: ReadonlyMap<string, string | undefined>;
  collection?: CollectionWay;
  amount?: string;
  /** Column → value → what it means. */
  values: ReadonlyMap<string, ReadonlyMap<string, Decision>>;
  decimal?: DecimalMark;
  dateOrder?: DateOrder;
  unpaid?: UnpaidChoice;
  /** How the lines of a row are read; 'none': each row is one line. */
  lines?: LinesChoice | 'none';
}

export interface WrittenMapping {
  /** A mapping file; an open question is a text that begins with `? `. */
  mapping: JsonObject;
  questions: number;
}

export interface GivenMapping
  extends MappingOptions,
    Pick<PlanFlags, 'preset' | 'unpaid' | 'decimal' | 'dateOrder'> {
  mapped: MappedHeader;
  shop?: Shop;
  /** Of the orders, when a preset reads them: what it does not know is proposed. */
  problems?: readonly FoldedProblem[];
}
