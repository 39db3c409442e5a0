import { parseWritten } from '../../orders/json.ts';
import { type Order, writeOrderBody } from '../../orders/order.ts';
import type { Spill } from '../../system/temporary-file.ts';
import type { LeftOutReason } from '../choices.ts';
import type { Problem } from '../problem.ts';
import type { Row } from '../read/read-table.ts';
import type { SumResult } from './control-sums.ts';

/** `row` is its first row, 0 without a file. */
export interface OrderInFile {
  externalOrderId: string;
  row: number;
}

export interface OrderToSend extends OrderInFile {
  order: Order;
}

/** An order of a file: what is sent, or why it is not. */
export interface PlannedOrder extends OrderToSend {
  rows: Row[];
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
  sum?: SumResult;
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
      spill.write(JSON.stringify({ ...planned, body: writeOrderBody(order) }));
    },
    orders: function* () {
      for (const text of spill.texts()) {
        const { body, ...planned } = JSON.parse(text);
        yield { ...planned, order: parseWritten(body) as Order };
      }
    },
    remove: spill.remove,
  };
}
