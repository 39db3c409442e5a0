import type { ApiClient } from '../../api/client.ts';
import { getOrder } from '../../api/operations/find.ts';
import { listPage } from '../../api/pages/list-orders.ts';
import { createOrderFinder } from '../../api/pages/order-finder.ts';
import type { ServiceOrder } from '../../api/responses/order.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError, type ErrorCode, type ErrorDetails } from '../../errors.ts';
import type { OrderOutcome, OutcomeName } from '../../import/results/order-outcome.ts';
import { ordersOfAllKeys } from '../../import/send/known-orders.ts';
import { sendOrder } from '../../import/send/send-order.ts';
import { sendUnnamedOrder } from '../../import/send/send-unnamed-order.ts';
import { member } from '../../orders/json.ts';
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
  const externalOrderId = textField(order, 'externalOrderId');
  const writeDown = createWriting(context);
  const parts = {
    ...{ client, finder: createOrderFinder(client), ledger, run, writeDown },
    now: () => context.clock.now(),
  };
  try {
    await ledger.runs.begin({ id: run, kind: 'create', file: '', results: '', orders: 1 });
    const end = (exitCode: number) => writeDown(() => ledger.runs.end(run, exitCode));
    const created = await (externalOrderId === undefined
      ? sendUnnamed(context, order, { ...parts, key })
      : sendNamed({ externalOrderId, order, row: 0 }, { ...parts, key })
    ).catch(async (error) => {
      await end(error instanceof CliError ? error.exitCode : 1);
      throw withCommand(error, words, externalOrderId === undefined);
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

type Parts = Omit<Parameters<typeof sendUnnamedOrder>[1], 'key' | 'isKeyGiven'> & {
  key: string | undefined;
  writeDown: Writing;
};

/** A person settles it with the very command, which for an order without an own id needs its key. */
function withCommand(error: unknown, words: readonly string[], needsKey: boolean): unknown {
  if (!(error instanceof CliError) || error.code !== 'outcome_unknown') return error;
  const { idempotencyKey } = error.details;
  const isKeyed = needsKey && idempotencyKey !== undefined && !words.includes(idempotencyKey);
  const again = formatCommandLine(isKeyed ? [...words, '--idempotency-key', idempotencyKey] : words);
  const hint = needsKey
    ? `One of those may be it. If none is, this sends it again under its key: ${again}`
    : `This settles it and never creates it twice: ${again}`;
  return new CliError(error.code, error.message, { ...error.details, hint });
}

async function sendNamed(
  order: Parameters<typeof sendOrder>[0],
  { key, writeDown, ...parts }: Parts,
): Promise<CreatedOrder> {
  const known = await ordersOfAllKeys(parts.ledger, parts.client);
  const sender = { ...parts, known, recreates: false, ...(key === undefined ? {} : { key }) };
  const { outcome, order: shown, error, stop } = await sendOrder(order, sender);
  const { ledger, run } = parts;
  await writeDown(() => ledger.transaction(() => ledger.runs.note(run, outcome)));
  const isThere = outcome.outcome === 'created' || outcome.outcome === 'already_exists';
  if (!isThere) throw error ?? stop ?? toError(outcome);
  return { order: shown ?? (await readKnown(parts.client, outcome)), isNew: outcome.outcome === 'created' };
}

/** An order that the ledger knows; a key that may only write sees no more of it than that. */
async function readKnown(client: Parts['client'], outcome: OrderOutcome): Promise<ServiceOrder> {
  const { orderId: id = '', orderNumber, externalOrderId } = outcome;
  try {
    return await getOrder(client, id);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'permission_missing') throw error;
    return { id, order: { id, ...(orderNumber === undefined ? {} : { orderNumber }), externalOrderId } };
  }
}

async function sendUnnamed(
  context: Context,
  order: Order,
  { key, writeDown, ...parts }: Parts,
): Promise<CreatedOrder> {
  const sent = await sendUnnamedOrder(order, {
    ...parts,
    key: key ?? context.system.randomUuid(),
    isKeyGiven: key !== undefined,
  });
  if (sent.outcome === 'there') return { order: await getOrder(parts.client, sent.orderId), isNew: false };
  const { creation, unwritten } = sent;
  if (unwritten !== undefined) await writeDown(() => Promise.reject(unwritten));
  if (creation.outcome === 'unknown') await showOrdersOfCustomer(context, parts.client, order);
  if ('error' in creation) throw creation.error;
  return { order: creation.order, isNew: creation.outcome === 'created' };
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

const mostShown = 10;

/** Tells a person which orders this customer has had since yesterday: one of them may be the one that was sent. */
export async function showOrdersOfCustomer(
  { print, clock }: Context,
  client: ApiClient,
  order: Order,
): Promise<void> {
  const phone = textField(member(order, 'customer'), 'phone');
  if (phone === undefined) return;
  try {
    const { orders } = await listPage(client, { customerPhone: phone, createdFrom: clock.today(1) });
    const lines = orders.slice(0, mostShown).map(describe);
    const title = lines.length === 0 ? 'The service shows no order' : 'Orders';
    print.note(
      [`${title} of ${phone} since yesterday${lines.length === 0 ? '.' : ':'}`, ...lines].join('\n'),
    );
  } catch (error) {
    // It is only for a person to look at; that the outcome is unknown is told in any case.
    if (!(error instanceof CliError)) throw error;
  }
}

function describe(order: Order): string {
  const parts = ['orderNumber', 'id', 'status', 'total'].map((field) => textField(order, field));
  return `  ${parts.filter((part) => part !== undefined).join('  ')}`;
}
