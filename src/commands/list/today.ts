import type { Command } from 'commander';
import type { OpenContext } from '../../context.ts';
import { explain } from '../../flags.ts';

const examples = `
Examples:
  $ merchant-orders today
  $ merchant-orders today --json

Shows the orders that were created today, those to be delivered today and tomorrow and what is collected for them, orders
whose outcome is unknown, and imports that stopped; each with the command that goes on. It reads all orders that were
created in the last 60 days, and changes nothing.`;

export function registerToday(command: Command, open: OpenContext): void {
  explain(command, examples).action(async () =>
    (await import('./today-run.ts')).runToday(await open(command)),
  );
}
