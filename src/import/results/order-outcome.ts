import { plainText, restoreText, type StoredText, storeText, type Text } from '../../advice/advice.ts';
import type { UserShell } from '../../advice/command-line.ts';
import type { JsonObject } from '../../orders/json.ts';
import type { Spill } from '../../system/temporary-file.ts';
import type { ReportedProblem } from '../problem.ts';
import type { Row } from '../read/read-table.ts';

/** A row to fix, with what is wrong. */
export interface Reject extends Pick<Row, 'row' | 'cells' | 'ownCells'> {
  code: string;
  error: string;
  fix: Text;
}

export const outcomes = [
  'created',
  'already_exists',
  'rejected',
  'invalid',
  'conflict',
  'unknown',
  'not_sent',
] as const;
/** An order that is left out is not to be delivered, so it does not count as an order of the import. */
export type OutcomeName = (typeof outcomes)[number] | 'left_out';

/** The order was created, and the service shows it with other values than were sent. */
export const echoDiffers = 'echo_differs';

type OrderWarning = { code: string; path?: string; message: Text };

export interface OrderOutcome {
  row: number;
  externalOrderId: string;
  outcome: OutcomeName;
  orderId?: string;
  orderNumber?: string;
  /** As the service sent it, as text. */
  delivery?: string;
  code?: string;
  message?: Text;
  fix?: Text;
  attempts: number;
  idempotencyKey?: string;
  createdByRun?: string;
  warnings?: OrderWarning[];
}

export type OutcomeCounts = Record<(typeof outcomes)[number], number>;

export function noOutcomes(): OutcomeCounts {
  return Object.fromEntries(outcomes.map((name) => [name, 0])) as OutcomeCounts;
}

export function withWarnings(
  outcome: OrderOutcome,
  problems: readonly ReportedProblem[],
  shell: UserShell,
): OrderOutcome {
  const warnings = problems
    .filter(({ severity }) => severity === 'warning')
    .map(({ code, path, header, problem, fix }): OrderWarning => {
      const field = path ?? header;
      return {
        code,
        ...(field === undefined ? {} : { path: field }),
        message: `${problem}; ${plainText(fix, shell)}`,
      };
    });
  return warnings.length === 0
    ? outcome
    : { ...outcome, warnings: [...(outcome.warnings ?? []), ...warnings] };
}

/** Outcomes in any order → in file order. They are in a spill: a million of them need little memory. */
export interface OutcomeStore {
  add(place: number, outcome: OrderOutcome, rejects: readonly Reject[]): void;
  outcomes(): Iterable<OrderOutcome>;
  rejects(): Iterable<Reject[]>;
  /** Orders of the import that were rejected, conflict with another, or may exist. */
  failures(): Iterable<OrderOutcome>;
}

interface StoredOutcome {
  outcome: OrderOutcome;
  rejects: Reject[];
}

/** What is said of an order at the end of the import keeps its values, and what a file says is English. */
function writeStored({ outcome, rejects }: StoredOutcome): string {
  const { message, fix } = outcome;
  const said = {
    ...(message === undefined ? {} : { message: storeText(message) }),
    ...(fix === undefined ? {} : { fix: storeText(fix) }),
  };
  return JSON.stringify({ outcome: { ...outcome, ...said }, rejects });
}

function readStored(text: string): StoredOutcome {
  type Said = Partial<Record<'message' | 'fix', StoredText>>;
  const { outcome, rejects }: { outcome: Omit<OrderOutcome, keyof Said> & Said; rejects: Reject[] } =
    JSON.parse(text);
  const { message, fix, ...others } = outcome;
  const said = {
    ...(message === undefined ? {} : { message: restoreText(message) }),
    ...(fix === undefined ? {} : { fix: restoreText(fix) }),
  };
  return { outcome: { ...others, ...said }, rejects };
}

const chunkLength = 65_536;

export function createOutcomeStore(spill: Spill): OutcomeStore {
  // Offsets in the spill plus 1, negative for an outcome with a problem; 0 for a place without an outcome.
  const starts: Float64Array[] = [];
  // Outcomes for which the disk had no room.
  const inMemory = new Map<number, StoredOutcome>();
  function* entries(onlyProblems: boolean): Generator<StoredOutcome> {
    for (let place = 0; place < starts.length * chunkLength; place += 1) {
      const start = starts[Math.floor(place / chunkLength)]?.[place % chunkLength] ?? 0;
      const entry = inMemory.get(place);
      if (entry !== undefined) yield entry;
      else if (onlyProblems ? start < 0 : start !== 0) yield readStored(spill.read(Math.abs(start) - 1));
    }
  }
  return {
    add: (place, outcome, rejects) => {
      while (starts.length * chunkLength <= place) starts.push(new Float64Array(chunkLength));
      const entry = { outcome, rejects: [...rejects] };
      try {
        const sign = rejects.length > 0 || outcome.outcome === 'unknown' ? -1 : 1;
        const start = sign * (spill.write(writeStored(entry)) + 1);
        starts[Math.floor(place / chunkLength)]?.set([start], place % chunkLength);
      } catch {
        inMemory.set(place, entry);
      }
    },
    outcomes: function* () {
      for (const { outcome } of entries(false)) yield outcome;
    },
    rejects: function* () {
      for (const { rejects } of entries(true)) if (rejects.length > 0) yield rejects;
    },
    failures: function* () {
      for (const { outcome, rejects } of entries(true)) {
        const isFailure = rejects.length > 0 && outcome.outcome !== 'invalid';
        if (isFailure || outcome.outcome === 'unknown') yield outcome;
      }
    },
  };
}

export function toRecord(outcome: OrderOutcome, shell: UserShell): JsonObject {
  const { message, fix, warnings } = outcome;
  return {
    ...outcome,
    ...(message === undefined ? {} : { message: plainText(message, shell) }),
    ...(fix === undefined ? {} : { fix: plainText(fix, shell) }),
    ...(warnings && {
      warnings: warnings.map((warning) => ({ ...warning, message: plainText(warning.message, shell) })),
    }),
  } as JsonObject;
}
