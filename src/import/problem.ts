import type { Text } from '../advice/advice.ts';
import { startsWithDay } from '../orders/calendar-date.ts';
import type { JsonObject } from '../orders/json.ts';
import type { IssueCode } from '../orders/order-rules.ts';

export type ProblemCode =
  | IssueCode
  | 'header_duplicate'
  | 'header_invalid'
  | 'column_missing'
  | 'column_unknown'
  | 'columns_undecided'
  | 'phones_rounded'
  | 'ids_alike'
  | 'decimal_ambiguous'
  | 'date_unclear'
  | 'field_conflict'
  | 'duplicate_row'
  | 'cell_type_invalid'
  | 'path_conflict'
  | 'text_damaged'
  | 'number_damaged'
  | 'value_lost'
  | 'row_width'
  | 'row_unclear'
  | 'line_lost'
  | 'currency_not_mnt'
  | 'file_without_orders'
  | 'order_unknown'
  | 'file_truncated'
  | 'lines_unreadable'
  | 'value_unknown'
  | 'column_unread'
  | 'state_unknown'
  | 'payment_unknown'
  | 'payment_open'
  | 'partly_fulfilled'
  | 'due_contradicts_status'
  | 'amount_due_missing'
  | 'collection_contradicts_payment'
  | 'pickup_suspected'
  | 'lines_do_not_add_up'
  | 'export_not_deliverable'
  | 'left_out_but_created'
  | 'id_known_otherwise'
  | 'customer_id_shared'
  | 'address_missing'
  | 'total_is_of_line'
  | 'ids_count_up'
  | 'sku_as_name';

/** What a column that nothing reads may say. */
export type UnreadReason = 'quantity' | 'amount' | 'payment' | 'state' | 'ticks' | ReadAsMeaning;
/** Said by a header whose meaning has this name. */
type ReadAsMeaning = 'address' | 'date' | 'line' | 'currency';

/** The finer cause of a code, where it has several. */
type Reason =
  | UnreadReason
  | 'digits'
  | 'rounded'
  | 'error'
  | 'formula'
  | 'hidden'
  | 'blank'
  | 'unsafe'
  | 'near_miss'
  | 'header'
  | 'order'
  | 'refunded';

export interface ReportedProblem {
  about: 'file' | 'header' | 'order';
  severity: 'error' | 'warning';
  code: string;
  reason?: Reason;
  problem: Text;
  fix: Text;
  /** What is the same when the text of `problem` differs from place to place: reported once. */
  cause?: string;
  row?: number;
  line?: number;
  column?: string;
  header?: string;
  path?: string;
  value?: string;
  externalOrderId?: string;
}

export interface Problem extends ReportedProblem {
  code: ProblemCode;
  /** Each set of flags makes the file readable; if there are several, only a person knows which is right. */
  cures?: readonly (readonly string[])[];
  /** What a mapping may put before each cell of the column, so that all of them can be read. */
  prefix?: string;
  /** A cell holds several texts of which a mapping may take the first or the last. */
  mayPick?: true;
  /** What is sent when the column that it is about is not read. */
  ifIgnored?: Text;
}

/** What is said of a problem; the check that finds it knows where. */
export type ProblemText = Pick<Problem, 'code' | 'problem' | 'fix'> & Partial<Problem>;

/** An entry of a mapping as its file has it: `"paid": {"Status": "ok"}`. */
export function mappingEntry(entry: JsonObject): string {
  return JSON.stringify(entry, null, 1).replace(/\n */g, '').slice(1, -1);
}

/** Of a column that nothing reads, which a mapping solves. */
export function isUnread({ code, reason }: Problem): boolean {
  return code === 'column_unread' && reason !== 'line' && reason !== 'currency';
}

export interface FoldedProblem<Kind extends ReportedProblem = Problem> {
  first: Kind;
  others: number;
  otherRows: number[];
}

export interface WarningCount {
  code: string;
  count: number;
  rows: number[];
}

const maxRows = 6;
const maxWarningRows = 20;
const maxCauses = 1000;
const ranks = { file: 0, header: 1, order: 2 };

/** Collects any number of problems in bounded memory. */
export interface ProblemLog<Kind extends ReportedProblem = Problem> {
  add(problems: readonly Kind[]): void;
  /** Problems of the file, of the header, then of the orders in file order; each cause once. */
  folded(): FoldedProblem<Kind>[];
  warnings(): WarningCount[];
}

export function createProblemLog<Kind extends ReportedProblem = Problem>(): ProblemLog<Kind> {
  const byCause = new Map<string, FoldedProblem<Kind>>();
  const warnings = new Map<string, WarningCount>();
  return {
    add: (problems) => {
      for (const problem of problems) {
        if (problem.severity === 'warning') countWarning(warnings, problem);
        const cause = causeOf(problem);
        const known = byCause.get(cause);
        if (known !== undefined) {
          known.others += 1;
          const isNew = problem.row !== undefined && !known.otherRows.includes(problem.row);
          if (isNew && known.otherRows.length < maxRows) known.otherRows.push(problem.row as number);
        } else if (byCause.size < maxCauses) {
          byCause.set(cause, { first: problem, others: 0, otherRows: [] });
        }
      }
    },
    folded: () => [...byCause.values()].toSorted((left, right) => compare(left.first, right.first)),
    warnings: () => [...warnings.values()],
  };
}

export function countWarning(
  warnings: Map<string, WarningCount>,
  { code, row }: Pick<ReportedProblem, 'code' | 'row'>,
): void {
  const known = warnings.get(code) ?? { code, count: 0, rows: [] };
  known.count += 1;
  const isNew = row !== undefined && !known.rows.includes(row);
  if (isNew && known.rows.length < maxWarningRows) known.rows.push(row);
  warnings.set(code, known);
}

/** Problems of orders are added in file order, which a stable sort keeps. */
function compare(left: ReportedProblem, right: ReportedProblem): number {
  const rank = ranks[left.about] - ranks[right.about];
  return rank !== 0 || left.about === 'order' ? rank : (left.row ?? 0) - (right.row ?? 0);
}

function causeOf({ about, severity, code, column, header, path, cause, problem }: ReportedProblem): string {
  return [
    about,
    severity,
    code,
    about === 'header' ? (column ?? header) : undefined,
    path?.replace(/\[\d+\]/g, '[]'),
    cause ?? problem,
  ].join('\n');
}

const maxValueLength = 60;

/** A long value is of no use in a sentence. */
export function shownValue(value: string): string {
  return value.length > maxValueLength ? '...' : value;
}

const maxShown = 5;
/** With more different values a column holds names, amounts or notes. */
const maxCounted = 50;
const maxCountedLength = 200;

export interface CountedValue {
  text: string;
  count: number;
}

export type ValueCounts = ReturnType<typeof createCounts>;

/** The different values of a column, and how often each occurs. Long values that begin alike count as one. */
export function createCounts(counted: readonly CountedValue[] = []) {
  const values = new Map(counted.slice(0, maxCounted).map((value) => [value.text, { ...value }]));
  let others = counted.length - values.size;
  const list = (): CountedValue[] => [...values.values()].sort((left, right) => right.count - left.count);
  return {
    get areDates() {
      return [...values.keys()].every(startsWithDay);
    },
    add: (cell: string) => {
      const start = cell.slice(0, maxCountedLength + 1);
      const known = values.get(start);
      if (known !== undefined) known.count += 1;
      else if (values.size < maxCounted) {
        const text = ownCopy(start);
        values.set(text, { text, count: 1 });
      } else others += 1;
    },
    get isEmpty() {
      return values.size === 0;
    },
    /** Without those that were too long to keep. */
    get whole() {
      return [...values.keys()].filter(({ length }) => length <= maxCountedLength);
    },
    /** The most frequent first. */
    list,
    /** `cancelled (12), refunded (3)`, the most frequent first. */
    format: () => {
      const all = list();
      const shown = all.slice(0, maxShown).map(({ text, count }) => `${clip(text)} (${count})`);
      return shown.join(', ') + (all.length > maxShown || others > 0 ? ', ...' : '');
    },
  };
}

/** A slice of a string keeps the whole string in memory. */
export function ownCopy(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

/** At most 40 characters, to show. */
export function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
