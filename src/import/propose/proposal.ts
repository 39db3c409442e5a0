import type { JsonObject } from '../../orders/json.ts';
import type { DateOrder, DecimalMark, PlanFlags, UnpaidChoice } from '../choices.ts';
import type { ColumnGuess } from '../columns/guesses.ts';
import type { Meaning } from '../columns/meaning-names.ts';
import type { Decision } from '../map/language.ts';
import type { MappedHeader, MappingOptions } from '../map/map-header.ts';
import type { Shop } from '../orders/plan-import.ts';
import type { FoldedProblem } from '../problem.ts';

export type { ColumnGuess };

export interface FieldProposal {
  /** A key of `columns`: `items[].quantity:number`. */
  field: string;
  /** `the order ID` */
  label: string;
  /** Whether the file cannot be imported before it is decided. */
  isNeeded: boolean;
  /** Best first. */
  guesses: readonly ColumnGuess[];
  /** Without a doubt: decided before, or by header and values without a rival. */
  settled?: ColumnGuess;
  /** Further columns of an address, which are joined with it. */
  joined?: readonly ColumnGuess[];
  /** Whether flags, a mapping file, a preset or the name of a field decided it, so that nothing is left to say. */
  isMapped: boolean;
}

export interface ProposedValue {
  text: string;
  count: number;
  guess?: Decision;
  /** Whether the user, or a word that can mean nothing else, has decided it. */
  isDecided: boolean;
}

/** The values of a column that says who pays, or which orders are to be delivered. `*` stands for any date. */
export interface ValueProposal {
  column: ColumnGuess;
  meaning: Meaning;
  values: readonly ProposedValue[];
}

/** How it is known what the courier collects. */
export type CollectionWay =
  | { kind: 'settled' }
  | { kind: 'values'; columns: readonly string[] }
  | { kind: 'amount'; column: ColumnGuess }
  | { kind: 'mode'; column: ColumnGuess }
  /** Without an amount the user names its column. */
  | { kind: 'collect_all'; amount?: ColumnGuess }
  | { kind: 'prepaid' };

/** A way to read lines that stand in one row. */
export interface LinesChoice {
  /** As a mapping file says it. */
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

/** What the columns of a file may hold. It says what is settled and what only a person can decide. */
export interface Proposal {
  fields: readonly FieldProposal[];
  /** Best first. */
  collection: readonly CollectionWay[];
  values: readonly ValueProposal[];
  /** The columns for the amount that is collected, best first. */
  amounts: readonly ColumnGuess[];
  /** Columns that are not sent and mean nothing that must be decided. */
  unread: readonly ColumnGuess[];
  /** The columns for what is paid already, which is taken off the total. */
  paid?: readonly ColumnGuess[];
  /** Lines side by side, or in one cell. */
  lines?: LinesProposal;
  decimal?: DecimalMark;
  dateOrder?: DateOrder;
}

export interface MappingAnswers {
  /** Field → the name of its column; undefined: none of them. */
  columns: ReadonlyMap<string, string | undefined>;
  collection?: CollectionWay;
  /** The name of the column with the amount that is collected. */
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
  /** How many questions are open. */
  questions: number;
}

/** What flags, a mapping file and the header say of the columns before anybody is asked. */
export interface GivenMapping
  extends MappingOptions,
    Pick<PlanFlags, 'preset' | 'unpaid' | 'decimal' | 'dateOrder'> {
  mapped: MappedHeader;
  shop?: Shop;
  /** Those of the orders when a preset reads them: what it does not know is proposed. */
  problems?: readonly FoldedProblem[];
}
