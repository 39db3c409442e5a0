import { restoreText, storeText } from '../../advice/advice.ts';
import type { Assignment } from '../../orders/assignment.ts';
import { createSum } from '../../orders/decimal.ts';
import { parseWritten } from '../../orders/json.ts';
import { type Order, orderLines, phoneOf, textField, writeOrderBody } from '../../orders/order.ts';
import { phoneKey } from '../../orders/phone.ts';
import type { FieldPaths } from '../../orders/unnamed-fields.ts';
import type { Spill } from '../../system/temporary-file.ts';
import type { LeftOutReason, PlanFlags } from '../choices.ts';
import { createHashSet, hashText } from '../hash-set.ts';
import type { CellFormat } from '../mapping/column.ts';
import type { MappingFile } from '../mapping/language.ts';
import type { Problem } from '../problem.ts';
import type { Row } from '../read/read-table.ts';

/** The flags, and what the mapping file and the command add. */
export interface PlanOptions extends PlanFlags, CellFormat {
  map?: MappingFile | undefined;
  /** The file is read by a remembered mapping, which holds for these values. */
  remembered?: RememberedValues | undefined;
  /** Fields of every order: those of the mapping file, then those of `--set`. */
  constants: readonly Assignment[];
  fieldPaths: FieldPaths;
  /** The name of the file, without its folder. */
  fileName: string;
  /** Today where the user is, `YYYY-MM-DD`. */
  today: string;
  /** Whether lines that come to less than their subtotal are an error. */
  lessIsError?: boolean | undefined;
  /** What an earlier reading of the file has shown about all of its orders. */
  across?: AcrossOrders | undefined;
  /** Whether the orders of the plan can be read afterwards (default: true). */
  keepsOrders?: boolean | undefined;
  /** Stops reading when a person has to be asked about the columns: the plan is then broken, and not complete. */
  stopsAtQuestion?: boolean | undefined;
  stopping: AbortSignal;
  /** Opens a temporary file, which the caller removes. */
  openSpill(): Spill;
}

/** What no order shows alone, and single orders are refused for. */
export interface AcrossOrders {
  /** Customer IDs under which so many phones stand that it is no customer's. */
  sharedCustomers: ReadonlySet<string>;
  /** Orders have an address, so that one without it is not as it was meant. */
  haveAddresses: boolean;
}

/**
 * Column → the folded texts of its cells, for columns that nothing reads. `(a date)`, `(an amount)` and `(a
 * quantity)` stand for any of them; `*` for any text without a word for payment at the door, pickup or a state.
 */
export type SeenValues = Readonly<Record<string, readonly string[]>>;

export interface RememberedValues {
  name: string;
  seen: SeenValues;
  /** The columns that earlier files did not have; all others were decided about. */
  newColumns: readonly string[];
  /** Files of other names have a prefix before their order IDs. */
  lacksPrefix?: boolean;
}

/** Rows of one order. The ID is blank when the rows have none. */
export interface RowGroup {
  externalOrderId: string;
  rows: Row[];
  problems?: readonly Problem[];
}

/** `row` is its first row, 0 without a file. */
export interface OrderToSend {
  externalOrderId: string;
  row: number;
  order: Order;
}

/** An order of a file: what is sent, or why it is not. */
export interface PlannedOrder extends OrderToSend, RowGroup {
  /** Rows that repeat others, which are not sent. */
  repeated: Row[];
  problems: Problem[];
  /** Whether the flags select it (`--rows`, `--limit`). */
  isSelected: boolean;
  /** Why it is not to be delivered; it then has no problems. */
  leftOut?: LeftOutReason;
  /** It was paid although its method is cash on delivery. */
  isPaidOnDelivery?: boolean;
  /** How its lines compare with its subtotal or total; undefined when they cannot be compared. */
  sum?: SumResult | undefined;
}

/** `less` means that a line may be missing. */
export type SumResult = 'agrees' | 'differs' | 'less';

/** What becomes of an order of the file. */
type OrderUse = 'sent' | 'left_out' | 'not_selected';

/** One thing that must hold of a file. A check that cannot apply to its columns is not made. */
export interface Check {
  /** Each order of the file, in file order. `fitting`: its rows that are as wide as the header. */
  rows?(order: RowGroup, fitting: readonly Row[], use: OrderUse): void;
  /** Each order that is selected and not left out, with its problems, if all of its rows can be read. */
  order?(planned: PlannedOrder): void;
  /** `said`: the columns of the problems of the checks before it. */
  end?(said: Set<number>): Problem[];
}

export function isSendable({ problems, leftOut }: PlannedOrder): boolean {
  return leftOut === undefined && problems.every(({ severity }) => severity === 'warning');
}

/** The orders of a plan, in a private file without a name. */
export interface PlanStore {
  /** Error: `file_not_writable`. */
  add(planned: PlannedOrder): void;
  /** In the order in which they were added; may be read repeatedly. */
  orders(): Generator<PlannedOrder>;
  remove(): void;
}

export function createPlanStore(spill: Spill): PlanStore {
  return {
    add: ({ order, ...planned }) => {
      // The exact bytes to send, since JSON numbers keep their digits.
      const problems = planned.problems.map((problem, place) =>
        place < maxTranslated ? storeProblem(problem) : problem,
      );
      spill.write(JSON.stringify({ ...planned, problems, body: writeOrderBody(order) }));
    },
    orders: function* () {
      for (const text of spill.texts()) {
        const { body, problems, ...planned } = JSON.parse(text);
        yield { ...planned, problems: problems.map(restoreProblem), order: parseWritten(body) as Order };
      }
    },
    remove: spill.remove,
  };
}

/** Of an order with more problems, such as one of 30,000 rows, the others are said in English: that takes half the memory. */
const maxTranslated = 1000;

/** The rejects are in the language of a terminal. */
function storeProblem({ problem, fix, ...others }: Problem) {
  return { ...others, problem: storeText(problem), fix: storeText(fix) };
}

/** In place: an order may have very many. */
function restoreProblem(stored: ReturnType<typeof storeProblem>): Problem {
  return Object.assign(stored, { problem: restoreText(stored.problem), fix: restoreText(stored.fix) });
}

export interface FileCounts {
  orders: number;
  /** Those that the user selected and that are to be delivered. */
  selected: number;
  invalid: number;
  /** Selected orders that are not to be delivered, by reason; they are not among `selected`. */
  leftOut: Partial<Record<LeftOutReason, number>>;
  /** Orders that were paid although their method is cash on delivery. */
  paidOnDelivery: number;
  sums: Record<SumResult, number>;
  rows: number;
  skippedRows: number;
  lastRow: number;
}

/** Of the orders that would be sent. */
export interface Totals {
  orders: number;
  lines: number;
  /** Decimal strings; undefined when no order has the field. */
  total: string | undefined;
  /** The part of `total` in orders from which nothing is collected. */
  prepaidTotal: string | undefined;
  toCollect: string | undefined;
  collecting: number;
  /** Those with a delivery date. */
  dated: number;
  /** Phones with more than one order; 0 when there are too many orders to compare. */
  repeatedPhones: number;
  firstDate: string | undefined;
  lastDate: string | undefined;
  /** The first two, to show. */
  firstOrders: OrderToSend[];
}

/** In a file with more orders, those of one phone are not counted. */
const maxCompared = 100_000;

export function createTotals() {
  const total = createSum();
  const toCollect = createSum();
  const prepaidTotal = createSum();
  const totals = { orders: 0, lines: 0, collecting: 0, dated: 0 };
  let phones: ReturnType<typeof createHashSet> | undefined = createHashSet();
  const repeated = new Set<number>();
  const firstOrders: OrderToSend[] = [];
  const dates: Pick<Totals, 'firstDate' | 'lastDate'> = { firstDate: undefined, lastDate: undefined };
  return {
    add: ({ externalOrderId, row, order }: OrderToSend): void => {
      if (firstOrders.length < 2) firstOrders.push({ externalOrderId, row, order });
      totals.orders += 1;
      totals.lines += orderLines(order).length;
      if (totals.orders > maxCompared) phones = undefined;
      const phone = phones && phoneOf(order);
      if (phone !== undefined) {
        const hash = hashText(phoneKey(phone));
        if (phones?.add(hash) === false) repeated.add(hash);
      }
      const ofOrder = textField(order, 'total');
      total.add(ofOrder);
      if (textField(order, 'collectionMode') === 'COLLECT') {
        totals.collecting += 1;
        toCollect.add(textField(order, 'collectionAmount'));
      } else prepaidTotal.add(ofOrder);
      const date = textField(order, 'requestedDeliveryDate');
      if (date === undefined) return;
      totals.dated += 1;
      if (dates.firstDate === undefined || date < dates.firstDate) dates.firstDate = date;
      if (dates.lastDate === undefined || date > dates.lastDate) dates.lastDate = date;
    },
    value: (): Totals => ({
      ...totals,
      ...dates,
      repeatedPhones: phones === undefined ? 0 : repeated.size,
      firstOrders,
      total: total.value(),
      prepaidTotal: prepaidTotal.value(),
      toCollect: toCollect.value(),
    }),
  };
}
