import type { Assignment } from '../../orders/assignment.ts';
import type { LeftOutReason, PlanFlags } from '../choices.ts';
import type { Header, NamedColumn } from '../columns/header.ts';
import type { UnreadColumn } from '../columns/header-roles.ts';
import type { Role } from '../columns/roles.ts';
import type { Row } from '../read/read-table.ts';
import type { Column } from './column.ts';
import type { Condition, Rule } from './conditions.ts';
import type { MappingFile, SumsMapping } from './language.ts';

/** The flags, with what the mapping file adds to them. */
export interface MappedFlags extends Partial<PlanFlags> {
  map?: MappingFile | undefined;
  /** Fields of every order: those of the mapping file, then those of `--set`. */
  constants?: readonly Assignment[] | undefined;
}

/**
 * What becomes of a column. `values`: only those that `--leave-out` names are read. `payment`: a rule reads who pays,
 * but not whether the order is to be delivered. `ignored_anyway`: a person has said so for this very column, seeing what
 * is sent without it. `open`: nobody has decided.
 */
export type Use = 'read' | 'values' | 'payment' | 'ignored' | 'ignored_anyway' | 'open';

/** A column that neither a field nor a rule reads as a whole. */
export interface RestColumn extends NamedColumn {
  use: Exclude<Use, 'read'>;
  /** What it holds, where its header says so. */
  role?: Role;
}

export interface Mapping {
  header: Header;
  columns: Column[];
  /** Each is one address; the first with text is sent. */
  addresses: readonly (readonly Column[])[];
  lines?: LineReader;
  rules: OrderRules;
  /** In the order of the file; a column without a name, or with one that begins with `_`, has no use. */
  rest: readonly RestColumn[];
  /** The paths of the fields that columns and constants fill. */
  filled: ReadonlySet<string>;
  /** The fields of which the mapping says that no column fills them. */
  declined: ReadonlySet<string>;
  skipRowsWhen: readonly Condition[];
  refuseRowsWhen: readonly Condition[];
}

/** Reads lines that stand side by side. Each becomes a row: the cells of the file, then those of `columns`. */
export interface LineReader {
  columns: readonly Column[];
  indexes: readonly number[];
  /** The lines of a row, and the cells that could not be read as lines. */
  read(row: Row): { rows: Row[]; unread: NamedColumn[] };
}

export interface OrderRules {
  /** Rows that sum up their order: they hold values of the order, and are no lines. */
  summaryRow: Rule;
  leaveOut: readonly ReasonRule[];
  leaveOutLines: readonly ReasonRule[];
  partlyFulfilled: Rule;
  quantitiesNotFinal: Rule;
  /** Columns with the state of an order, and the values of them that are known: any other is an error. */
  states: readonly Condition[];
  /** Columns whose values the user's mapping decides about; no other rule reads them. */
  decided: readonly DecidedColumn[];
  payment?: PaymentRules;
  currency: readonly NamedColumn[];
  shippingMethod: readonly NamedColumn[];
  /** The user takes orders with a pickup as their method (`--include pickup`). */
  takesPickups: boolean;
  sums?: Partial<Record<keyof SumsMapping, NamedColumn>>;
}

/** A column whose values the mapping file decides about. */
export interface DecidedColumn extends NamedColumn {
  /** Whether one of its values is about the payment. Such columns are asked one after the other. */
  isPayment: boolean;
  /** Whether it holds the amounts to collect, so that only a blank cell is decided about. */
  isAmount: boolean;
  /** Whether it fills the note, so that its other texts are notes. */
  isNote: boolean;
  answers: ReadonlyMap<string, Answer>;
}

export type Answer =
  | { decision: 'deliver' }
  | { decision: 'collect' | 'prepaid' }
  | { decision: 'leave_out'; reason: LeftOutReason };

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
  states: readonly Condition[];
  methods: readonly NamedColumn[];
  /** Joins the methods of one cell. */
  split: string | undefined;
  due: readonly NamedColumn[];
  /** What is paid already, when only the total is stated. */
  alreadyPaid: readonly NamedColumn[];
  /** The total is not what is left to pay, even less another column. */
  unclear: Rule;
}

/** The columns that say what they hold and are not read; those that a person ignores only on request. */
export function unreadColumns(
  { rest }: Pick<Mapping, 'rest'>,
  uses: readonly Use[] = ['open', 'values', 'payment'],
): (RestColumn & UnreadColumn)[] {
  return rest.filter(
    (column): column is RestColumn & UnreadColumn => column.role !== undefined && uses.includes(column.use),
  );
}

export function indexesOfUse({ rest }: Pick<Mapping, 'rest'>, ...uses: Use[]): number[] {
  return rest.filter(({ use }) => uses.includes(use)).map(({ index }) => index);
}
