import type { Command } from 'commander';
import { command, t } from '../advice/advice.ts';
import type { Connection, Context, OpenContext } from '../context.ts';
import { CliError } from '../errors.ts';
import { type By, byOption, collectReference, explain } from '../flags.ts';
import type { Order } from '../orders/order.ts';
import { isPhoneReference } from '../orders/order-reference.ts';

const examples = `
Examples:
  $ merchant-orders get ORD-2026-000123
  $ merchant-orders get UB-10001 --json
  $ merchant-orders get UB-10001 UB-10002
  $ merchant-orders get UB-10001 --format text

At a terminal an order that is not found as it was written is read in other ways: 9 as ORD-2026-000009, ub 1 as UB-1,
99112233 as a phone; what is shown says so. Elsewhere nothing is read otherwise than written.`;

export function registerGet(command: Command, open: OpenContext): void {
  explain(command, examples)
    .argument(
      '[order...]',
      'order numbers, external order IDs or UUIDs; asked for at a terminal',
      collectReference,
    )
    .addOption(byOption())
    .action(async (references: string[], { by }: By) => runGet(await open(command), references, by));
}

async function runGet(context: Context, named: string[], by: By['by']): Promise<void> {
  const { checkOrderColumns } = await import('../output/fields.ts');
  const { connect, report, settings, prompts, clock } = context;
  if (named.length === 0 && prompts === undefined) throw (await loadPicking()).noReference();
  await using connection = await connect({ waitsForOutages: false, isOneOrder: named.length < 2 });
  if (named.length < 2) {
    const order = await findOne(context, connection, named[0], { by });
    checkOrderColumns(settings.columns, [order]);
    report.order(order, clock.now());
    return;
  }
  const { idOf } = await import('../api/responses/order.ts');
  const found = new Map<string, Order>();
  const missing: string[] = [];
  for (const reference of named) {
    try {
      const order = await findOne(context, connection, reference, { by, isOneOfSeveral: true });
      found.set(idOf(order) ?? reference, order);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      missing.push(reference);
    }
  }
  const whole = named.join(' ');
  if (found.size === 0 && by === undefined && prompts !== undefined && isPhoneReference(whole)) {
    const { order } = await (await loadPicking()).findOtherwise(context, connection, whole);
    return report.order(order.order, clock.now());
  }
  const orders = [...found.values()];
  checkOrderColumns(settings.columns, orders);
  report.severalOrders(orders, clock.now());
  if (missing.length === 0) return;
  throw new CliError('order_not_found', t`There {is|are} no {order|orders} ${missing}.`, {
    hint: t`Check the numbers, or search with: ${command('list', '--search', 'TEXT')}`,
  });
}

/** Asked for at a terminal if it is not named. Errors: those of `findOrder` and `findOtherwise`. */
async function findOne(
  context: Context,
  connection: Connection,
  reference: string | undefined,
  { by, isOneOfSeveral = false }: { by: By['by'] | undefined; isOneOfSeveral?: boolean },
): Promise<Order> {
  if (reference === undefined) {
    const { order } = await (await loadPicking()).pickOrder(
      context,
      connection,
      t`Order to show (phone, number or your own ID; Enter lists the newest)`,
    );
    return order.order;
  }
  const findOtherwise = async (missing?: CliError) =>
    (await loadPicking()).findOtherwise(context, connection, reference, { by, missing, isOneOfSeveral });
  if (by === 'phone') return (await findOtherwise()).order.order;
  const { findOrder } = await import('../api/operations/find.ts');
  try {
    return (await findOrder(connection.client.forOneOrder(), reference, { by })).order;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return (await findOtherwise(error)).order.order;
  }
}

function loadPicking() {
  return import('../pick-order.ts');
}

function isNotFound(error: unknown): error is CliError {
  return error instanceof CliError && error.code === 'order_not_found';
}
