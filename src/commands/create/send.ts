import type { ApiClient } from '../../api/client.ts';
import { getOrder } from '../../api/operations/find.ts';
import { createOrderFinder } from '../../api/pages/order-finder.ts';
import type { ServiceOrder } from '../../api/responses/order.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError, type ErrorCode, type ErrorDetails } from '../../errors.ts';
import type { OrderOutcome, OutcomeName } from '../../import/results/order-outcome.ts';
import { ordersOfAllKeys } from '../../import/send/known-orders.ts';
import type { OrderToSend } from '../../import/send/order-to-send.ts';
import { type Sender, sendOrder } from '../../import/send/send-order.ts';
import { type Order, textField } from '../../orders/order.ts';
import { formatCommandLine } from '../../output/error-text.ts';

/** The order as the service has it, and whether this created it. */
export interface CreatedOrder {
  order: ServiceOrder;
  isNew: boolean;
}

export interface OneOrder {
  order: Order;
  /** The key that somebody gave. */
  key: string | undefined;
  /** The command line that gives this order, to be run again. */
  words: readonly string[];
}

/** Sends one order through the ledger. Errors: how it ended when it did not end well; `ledger_not_writable`. */
export async function sendOne(
  context: Context,
  connection: Connection,
  { order, key, words }: OneOrder,
): Promise<CreatedOrder> {
  const { client } = connection;
  const ledger = await connection.openLedger();
  const run = context.system.randomUuid().slice(0, 8);
  const externalOrderId = textField(order, 'externalOrderId') ?? '';
  const writeDown = createWriting(context);
  const sender = {
    client,
    finder: createOrderFinder(client),
    ledger,
    run,
    recreates: false,
    ...(key === undefined ? {} : { key }),
    now: () => context.clock.now(),
  };
  try {
    await ledger.runs.begin({ id: run, kind: 'create', file: '', results: '', orders: 1 });
    const end = (exitCode: number) => writeDown(() => ledger.runs.end(run, exitCode));
    const sent = send({ externalOrderId, order, row: 0 }, sender, writeDown);
    const created = await sent.catch(async (error) => {
      await end(error instanceof CliError ? error.exitCode : 1);
      throw withCommand(error, words);
    });
    await end(0);
    return created;
  } finally {
    ledger.close();
  }
}

type Writing = (write: () => void | Promise<void>) => Promise<void>;

/** What came of the order is told, whether it can be written down or not; that it cannot is told once. */
function createWriting({ print }: Context): Writing {
  let isWarned = false;
  return async (write) => {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      if (!isWarned) print.note(`warning: ${error.message}`);
      isWarned = true;
    }
  };
}

/** The same command settles an unknown outcome. */
function withCommand(error: unknown, words: readonly string[]): unknown {
  if (!(error instanceof CliError) || error.code !== 'outcome_unknown') return error;
  const hint = `This settles it and never creates it twice: ${formatCommandLine(words)}`;
  return new CliError(error.code, error.message, { ...error.details, hint });
}

async function send(
  order: OrderToSend,
  sender: Omit<Sender, 'known'>,
  writeDown: Writing,
): Promise<CreatedOrder> {
  const { client, ledger, run } = sender;
  const known = await ordersOfAllKeys(ledger, client);
  const { outcome, order: shown, error, stop } = await sendOrder(order, { ...sender, known });
  await writeDown(() => ledger.transaction(() => ledger.runs.note(run, outcome)));
  const isThere = outcome.outcome === 'created' || outcome.outcome === 'already_exists';
  if (!isThere) throw error ?? stop ?? toError(outcome);
  return { order: shown ?? (await readKnown(client, outcome)), isNew: outcome.outcome === 'created' };
}

/** An order that the ledger knows; a key that may only write sees no more of it than that. */
async function readKnown(client: ApiClient, outcome: OrderOutcome): Promise<ServiceOrder> {
  const { orderId: id = '', orderNumber, externalOrderId } = outcome;
  try {
    return await getOrder(client, id);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'permission_missing') throw error;
    return { id, order: { id, ...(orderNumber === undefined ? {} : { orderNumber }), externalOrderId } };
  }
}

const told: Record<string, { code: ErrorCode; hint(name: string): string }> = {
  content_changed: {
    code: 'order_conflict',
    hint: (name) =>
      `Compare with: merchant-orders get ${name}; to replace it, cancel it and create the new one under a new id.`,
  },
  order_cancelled: { code: 'order_cancelled', hint: () => 'Create it under a new id.' },
  in_other_run: {
    code: 'in_other_run',
    hint: () => 'Wait until that has ended, then run the same command again.',
  },
};

/** What the ledger alone says of an order, as the error that the command ends in. */
function toError({ outcome, code = '', message = '', ...order }: OrderOutcome): CliError {
  const { externalOrderId, orderNumber, orderId, fix = '', idempotencyKey } = order;
  const { code: errorCode, hint } = told[code] ?? {
    code: 'outcome_unknown',
    hint: () => `To go on: ${fix}.`,
  };
  const endings: Partial<Record<OutcomeName, ErrorDetails['outcome']>> = {
    unknown: 'unknown',
    not_sent: 'not_sent',
  };
  return new CliError(errorCode, `Order ${externalOrderId}: ${message}.`, {
    hint: hint(orderNumber ?? orderId ?? externalOrderId),
    outcome: endings[outcome] ?? 'rejected',
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
}
