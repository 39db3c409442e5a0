import type { Command } from 'commander';
import type { OpenContext } from '../../context.ts';
import {
  byOption,
  collectReference,
  delimiterOption,
  encodingOption,
  explain,
  parseNames,
} from '../../flags.ts';

const examples = `
Examples:
  $ merchant-orders cancel ORD-2026-000123 --reason "customer changed her mind"
  $ merchant-orders cancel UB-10001 UB-10002 --reason "out of stock" --yes
  $ merchant-orders cancel --from orders.results.csv --reason "wrong file"

The orders are shown before you are asked to confirm. A cancelled order cannot be restored. At a terminal an order that is
not found as it was written is read in other ways, as by get, and you are asked about it even with --yes.

--from takes the orders from the first of these columns that the CSV has: order_id, order_number, orderNumber,
external_order_id, externalOrderId, id. From the results file of an import it takes only the orders that the import
created, so it undoes the import. After a stop, run the same command again: no order is cancelled twice.`;

export function registerCancel(command: Command, open: OpenContext): void {
  explain(command, examples)
    .argument('[order...]', 'order numbers, external order IDs or UUIDs', collectReference)
    .option('--reason <text>', 'why the orders are cancelled; the service stores it')
    .option(
      '--from <file>',
      'cancel the orders of a CSV, such as the results file of an import; - is standard input',
    )
    .option('--run <ids>', 'with --from: only the orders that these runs of the import created', parseNames)
    .addOption(delimiterOption())
    .addOption(encodingOption())
    .addOption(byOption())
    .option('-n, --dry-run', 'show the requests and cancel nothing')
    .action(async (references: string[], flags) =>
      (await import('./run.ts')).runCancel(await open(command), { ...flags, references }),
    );
}
