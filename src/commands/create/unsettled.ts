import { t } from '../../advice/advice.ts';
import type { Connection, Context } from '../../context.ts';
import { findOpenOrders, type OpenOrders } from '../../import/send/merchant-entries.ts';
import { type SettledOrder, settleOpenOrders } from '../../import/send/settle-orders.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { SentOrder } from '../../ledger/order-log.ts';
import { describeSettled, describeUnsettled, formatUnsettled } from '../../output/unsettled-orders.ts';

/**
 * Lists orders with unknown outcomes, and looks them up on request, so that none is typed again. Returns those that
 * stay unknown, or undefined if the order exists already. `ownId`: the ID of the new order; sending it settles it.
 * Errors: `ledger_not_writable`, those of a read.
 */
export async function settleBefore(
  context: Context,
  prompts: NonNullable<Context['prompts']>,
  connection: Connection,
  ownId: string | undefined,
): Promise<SentOrder[] | undefined> {
  const { clock, hasLedger, print } = context;
  if (!hasLedger()) return [];
  const ledger = await connection.openLedger();
  try {
    const ofKeys = await openOrders(ledger, connection, (id) => id !== ownId);
    const orders = ofKeys.flatMap(({ open }) => open);
    if (orders.length === 0) return [];
    print.note(formatUnsettled(orders, clock.now()));
    if (!(await prompts.confirm(t`Look up the outcome now? Nothing is sent.`, true))) return orders;
    const settled = await settleAndShow(context, connection, ledger, ofKeys);
    const isTypedAgain = settled.some(
      ({ outcome, operation }) => outcome === 'created' && operation === 'create',
    );
    if (isTypedAgain && !(await prompts.confirm(t`Create another order?`, false, 'create'))) return undefined;
    return settled.filter(({ outcome }) => outcome === 'unknown');
  } finally {
    ledger.close();
  }
}

/** Looks up an order whose outcome is unknown. Returns whether it was created. Error: `ledger_not_writable`. */
export async function lookUpAgain(
  context: Context,
  connection: Connection,
  externalOrderId: string,
): Promise<boolean> {
  const ledger = await connection.openLedger();
  try {
    const ofKeys = await openOrders(ledger, connection, (id) => id === externalOrderId);
    const settled = await settleAndShow(context, connection, ledger, ofKeys);
    return settled.some(({ outcome }) => outcome === 'created');
  } finally {
    ledger.close();
  }
}

async function openOrders(
  ledger: Ledger,
  { client }: Connection,
  isMeant: (externalOrderId: string) => boolean,
): Promise<OpenOrders[]> {
  const ofKeys = await findOpenOrders(ledger, client);
  return ofKeys.map(({ open, ...ofKey }) => ({
    ...ofKey,
    open: open.filter(({ externalOrderId }) => isMeant(externalOrderId)),
  }));
}

async function settleAndShow(
  { clock, interruption, print, say, settings, system }: Context,
  connection: Connection,
  ledger: Ledger,
  ofKeys: readonly OpenOrders[],
): Promise<SettledOrder[]> {
  const client = connection.client.forOneOrder({ milliseconds: settings.timeoutMilliseconds });
  const { stopping } = interruption;
  const settled = await settleOpenOrders(ofKeys, { client, ledger, now: () => clock.now(), stopping });
  const look = { width: system.terminal.width, now: clock.now(), say };
  for (const order of settled) print.note(describeSettled(order, look));
  return settled;
}

const maxChoices = 12;

/** Asks whether the new order is one of these; undefined if it is not. */
export async function chooseUnsettled(
  prompts: NonNullable<Context['prompts']>,
  open: readonly SentOrder[],
  now: number,
): Promise<string | undefined> {
  if (open.length === 0) return undefined;
  const choices = open.slice(0, maxChoices).map((order) => ({
    value: order.externalOrderId,
    name: describeUnsettled(order, now, true),
  }));
  // No ID is blank.
  const other = { value: ' ', name: t`another order, with a new ID` };
  // Under the ID of an earlier order, another one would take its place.
  const chosen = await prompts.choose(t`Which order do you want to create?`, [...choices, other], null);
  return chosen === other.value ? undefined : chosen;
}
