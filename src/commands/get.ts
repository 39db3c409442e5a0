import type { Command } from 'commander';
import type { Context, OpenContext } from '../context.ts';
import { type By, byOption, explain, parseReference } from '../flags.ts';
import { checkOrderColumns } from '../output/fields.ts';

const examples = `
Examples:
  $ merchant-orders get ORD-2026-000123
  $ merchant-orders get UB-10001 --json`;

export function registerGet(command: Command, open: OpenContext): void {
  explain(command, examples)
    .argument('[order]', 'order number, external order ID or UUID; asked for at a terminal', parseReference)
    .addOption(byOption())
    .action(async (reference: string | undefined, { by }: By) => runGet(await open(command), reference, by));
}

async function runGet(context: Context, named: string | undefined, by: By['by']): Promise<void> {
  const { connect, report, settings, prompts } = context;
  const loadPicking = () => import('../pick-order.ts');
  if (named === undefined && prompts === undefined) throw (await loadPicking()).noReference();
  await using connection = await connect();
  const reference = named ?? (await (await loadPicking()).pickOrder(context, connection, 'to show'));
  const { findOrder } = await import('../api/operations/find.ts');
  const { order } = await findOrder(connection.client, reference, { by });
  checkOrderColumns(settings.columns, [order]);
  report.order(order, context.clock.now());
}
