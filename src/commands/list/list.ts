import type { Command } from 'commander';
import type { OpenContext } from '../../context.ts';
import { explain, parseCount, parsePageNumber } from '../../flags.ts';
import type { ListFlags } from './run.ts';

const examples = `
Examples:
  $ merchant-orders list --created-from today
  $ merchant-orders list --customer-phone 99112233 --status CONFIRMED
  $ merchant-orders list --all --format csv > orders.csv

A day is today, yesterday, 7d (7 days ago) or 2026-11-20, in your time zone; --created-to includes it.
A time is 24h (24 hours ago) or 2026-11-20T08:00:00Z.`;

export function registerList(command: Command, open: OpenContext): void {
  explain(command, examples)
    .option('--external-order-id <id>', 'the order with this external order ID')
    .option('--order-number <number>', 'the order with this number')
    .option('--status <status>', 'orders with this status')
    .option('--customer-phone <phone>', 'orders with this phone number')
    .option('--created-from <day>', 'created on or after this day or time')
    .option('--created-to <day>', 'created on or before this day or time')
    .option('--page <n>', 'show this page', parsePageNumber)
    .option('--page-size <n>', 'orders per page', parseCount)
    .option('--all', 'show all pages')
    .option('-L, --limit <n>', 'show at most this many orders', parseCount)
    .action(async (flags: ListFlags) => (await import('./run.ts')).runList(await open(command), flags));
}
