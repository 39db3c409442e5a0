import type { Command } from 'commander';
import type { OpenContext } from '../../context.ts';
import { collectReference, explain } from '../../flags.ts';

const examples = `
Examples:
  $ merchant-orders settle
  $ merchant-orders settle UB-10001
  $ merchant-orders settle 3f9c21aa

An order is unknown when it was sent and no response could be trusted: it may or may not exist. Without arguments all of
them are looked up, of create and of imports; with external order IDs, or the ID of an import, only those. Nothing is
sent. An order that does not exist ten minutes after it was sent last is closed, and can be sent again.`;

export function registerSettle(command: Command, open: OpenContext): void {
  explain(command, examples)
    .argument(
      '[order...]',
      'external order IDs, or IDs of imports (default: every unknown order)',
      collectReference,
    )
    .action(async (references: string[] = []) =>
      (await import('./run.ts')).runSettle(await open(command), references),
    );
}
