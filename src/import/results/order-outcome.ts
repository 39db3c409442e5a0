import {
  advice,
  command,
  joinTexts,
  plainText,
  restoreText,
  type StoredText,
  storeText,
  type Text,
  type Typed,
  t,
} from '../../advice/advice.ts';
import type { UserShell } from '../../advice/command-line.ts';
import type { ServiceOrder } from '../../api/responses/order.ts';
import { CliError } from '../../errors.ts';
import type { Copies, EntryWithCopies } from '../../ledger/copies.ts';
import type { JsonObject } from '../../orders/json.ts';
import type { Spill } from '../../system/temporary-file.ts';
import type { ReportedProblem } from '../problem.ts';
import type { Row } from '../read/read-table.ts';

/** A row to fix, with what is wrong. */
export interface Reject extends Pick<Row, 'row' | 'cells' | 'ownCells'> {
  code: string;
  error: Text;
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

/** Created, or before, and the service shows it cancelled. */
export const orderCancelled = 'order_cancelled';

/** The service has several orders of it. */
export const twice = 'twice';

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
  at(place: number): OrderOutcome | undefined;
  outcomes(): Iterable<OrderOutcome>;
  rejects(): Iterable<Reject[]>;
  /** Orders of the import that were rejected, conflict with another, or may exist. */
  failures(): Iterable<OrderOutcome>;
}

interface StoredOutcome {
  outcome: OrderOutcome;
  rejects: Reject[];
}

/** What is said keeps its values, so that a terminal and the rejects can have it in their language. */
function writeStored({ outcome, rejects }: StoredOutcome): string {
  const { message, fix } = outcome;
  const said = {
    ...(message === undefined ? {} : { message: storeText(message) }),
    ...(fix === undefined ? {} : { fix: storeText(fix) }),
  };
  const stored = rejects.map((row) => ({ ...row, error: storeText(row.error), fix: storeText(row.fix) }));
  return JSON.stringify({ outcome: { ...outcome, ...said }, rejects: stored });
}

function readStored(text: string): StoredOutcome {
  type Said = Partial<Record<'message' | 'fix', StoredText>>;
  type StoredReject = Omit<Reject, 'error' | 'fix'> & Record<'error' | 'fix', StoredText>;
  const { outcome, rejects }: { outcome: Omit<OrderOutcome, keyof Said> & Said; rejects: StoredReject[] } =
    JSON.parse(text);
  const { message, fix, ...others } = outcome;
  const said = {
    ...(message === undefined ? {} : { message: restoreText(message) }),
    ...(fix === undefined ? {} : { fix: restoreText(fix) }),
  };
  const restored = rejects.map((row) => ({
    ...row,
    error: restoreText(row.error),
    fix: restoreText(row.fix),
  }));
  return { outcome: { ...others, ...said }, rejects: restored };
}

const chunkLength = 65_536;

export function createOutcomeStore(spill: Spill): OutcomeStore {
  // Offsets in the spill plus 1, negative for an outcome with a problem; 0 for a place without an outcome.
  const starts: Float64Array[] = [];
  // Outcomes for which the disk had no room.
  const inMemory = new Map<number, StoredOutcome>();
  const startOf = (place: number) => starts[Math.floor(place / chunkLength)]?.[place % chunkLength] ?? 0;
  const at = (place: number): StoredOutcome | undefined => {
    const start = startOf(place);
    return inMemory.get(place) ?? (start === 0 ? undefined : readStored(spill.read(Math.abs(start) - 1)));
  };
  function* entries(onlyProblems: boolean): Generator<StoredOutcome> {
    for (let place = 0; place < starts.length * chunkLength; place += 1) {
      const isWanted = inMemory.has(place) || !onlyProblems || startOf(place) < 0;
      const entry = isWanted ? at(place) : undefined;
      if (entry !== undefined) yield entry;
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
    at: (place) => at(place)?.outcome,
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

/** What the service has under one external order ID. */
export interface SameId {
  externalOrderId: string;
  copies: Copies;
  /** Numbers of orders with other content, which may be those of another client. */
  others: string[];
  /** Of the copies, the one to keep. */
  orderId: string;
  orderNumber: string | undefined;
  /** As the lookup showed it. */
  kept?: ServiceOrder;
}

/** Undefined unless the ledger knows of several. */
export function sameIdOf({
  externalOrderId,
  copies,
  orderId,
  orderNumber,
}: EntryWithCopies): SameId | undefined {
  if (copies === null || copies.numbers.length === 0) return undefined;
  return {
    externalOrderId,
    copies,
    others: [],
    orderId: orderId ?? '',
    orderNumber: orderNumber ?? undefined,
  };
}

export function isTwice({ copies }: SameId): boolean {
  return copies.numbers.length > 1;
}

/** `there are 2 orders of it: ORD-2026-000001, ORD-2026-000002` */
export function describeCopies({ copies: { numbers }, others }: SameId): Text {
  const named = others.join(', ');
  if (numbers.length === 0) return t`other orders have the same ID and other content: ${named}`;
  const shown = numbers.join(', ');
  return others.length === 0
    ? t`there are ${numbers.length} orders of it: ${shown}`
    : t`there are ${numbers.length} orders of it: ${shown}; others have the same ID and other content: ${named}`;
}

/** What to do about several orders. */
export function fixForCopies({ externalOrderId, copies: { younger } }: SameId): Text {
  return younger.length > 0
    ? t`cancel what must not be delivered twice: ${cancelCopies(younger)}`
    : t`compare them, and cancel all but one: ${command('list', '--external-order-id', externalOrderId)}`;
}

function cancelCopies(numbers: readonly string[]): Typed {
  return command('cancel', ...numbers, '--reason', 'created twice');
}

const maxNamed = 20;
/** So many fit on a command line. */
const maxCancelled = 200;

/** Each of the first orders. */
export function notesOnCopies(sameIds: readonly SameId[]): Text[] {
  const named = sameIds
    .slice(0, maxNamed)
    .map((one) => advice`${one.externalOrderId}: ${describeCopies(one)}`);
  const more = sameIds.length > maxNamed ? [t`and ${sameIds.length - maxNamed} more`] : [];
  return [...named, ...more];
}

/** Error of a command after which the service has several orders of one. */
export function twiceError(several: readonly SameId[]): CliError {
  const sentence = t`${several.length} {order|orders} {exists|exist} more than once.`;
  return new CliError('twice', sentence, { hint: cureOfTwice(several) });
}

/** The command that cancels the younger ones, where they are known. */
export function cureOfTwice(several: readonly SameId[]): Text {
  const younger = several.flatMap(({ copies }) => copies.younger);
  const unclear = several.filter(({ copies }) => copies.younger.length === 0).slice(0, maxNamed);
  const cancelled = younger.slice(0, maxCancelled);
  const cures = [
    ...(younger.length === 0 ? [] : [t`To cancel the younger ones, run:\n  ${cancelCopies(cancelled)}`]),
    ...(younger.length > maxCancelled ? [t`The others are named when this command is run again.`] : []),
    ...unclear.map((one) => advice`${one.externalOrderId}: ${fixForCopies(one)}`),
  ];
  return joinTexts(cures, '\n');
}
