import { maxConcurrency } from '../../api/pacing/concurrency.ts';
import { createOrderFinder } from '../../api/pages/order-finder.ts';
import type { Connection, Context } from '../../context.ts';
import { findOpenOrders } from '../../import/send/recall.ts';
import { settleOrders } from '../../import/send/settle-orders.ts';
import type { SentOrder } from '../../ledger/order-log.ts';
import { describeSettled, describeUnsettled, formatUnsettled } from '../../output/unsettled-orders.ts';

/**
 * Names the orders whose outcome is unknown, and looks them up on request, so that none of them is typed again. Returns
 * those that stay unknown; undefined when the person finds that the order exists already. `ownId` is the ID of the order
 * that is being created: sending it settles it. Errors: `ledger_not_writable`, those of a read.
 */
export async function settleBefore(
  { clock, hasLedger, interruption, print, settings, system }: Context,
  prompts: NonNullable<Context['prompts']>,
  connection: Connection,
  ownId: string | undefined,
): Promise<SentOrder[] | undefined> {
  if (!hasLedger()) return [];
  const ledger = await connection.openLedger();
  try {
    const logs = await findOpenOrders(ledger, connection.client);
    const orders = logs
      .flatMap(({ open }) => open)
      .filter(({ externalOrderId }) => externalOrderId !== ownId);
    if (orders.length === 0) return [];
    print.note(formatUnsettled(orders, clock.now()));
    const they = orders.length === 1 ? 'it was' : 'they were';
    if (!(await prompts.confirm(`Look up now whether ${they} created? Nothing is sent.`, true)))
      return orders;
    const client = connection.client.forOneOrder({ milliseconds: settings.timeoutMilliseconds });
    const finder = createOrderFinder(client);
    const byId = new Map(orders.map((order) => [order.externalOrderId, order]));
    const open: SentOrder[] = [];
    let isTypedAgain = false;
    for (const { log, open: ofKey, seesAll } of logs) {
      const ids = ofKey.flatMap(({ externalOrderId: id }) => (byId.has(id) ? [id] : []));
      const settled = await settleOrders(
        ids,
        { finder, ledger, log, seesAll, clockAhead: client.clockAhead, now: () => clock.now() },
        { concurrency: maxConcurrency, stopping: interruption.stopping },
      );
      for (const result of settled) {
        print.note(describeSettled(result, { width: system.terminal.width, now: clock.now() }));
        const order = byId.get(result.externalOrderId) as SentOrder;
        if (result.outcome === 'unknown') open.push(order);
        isTypedAgain ||= result.outcome === 'created' && order.operation === 'create';
      }
    }
    return isTypedAgain && !(await prompts.confirm('Create another order?')) ? undefined : open;
  } finally {
    ledger.close();
  }
}

const maxChoices = 12;

/** Asks whether the order is one of those whose outcome is unknown: the same ID never creates a second one. Undefined for another order. */
export async function chooseUnsettled(
  prompts: NonNullable<Context['prompts']>,
  open: readonly SentOrder[],
  now: number,
): Promise<string | undefined> {
  if (open.length === 0) return undefined;
  const choices = open.slice(0, maxChoices).map((order) => ({
    value: order.externalOrderId,
    name: describeUnsettled(order, now, ' again'),
  }));
  const chosen = await prompts.choose('Which order do you create?', [
    ...choices,
    { value: '', name: 'another order, with a new ID' },
  ]);
  return chosen === '' ? undefined : chosen;
}
