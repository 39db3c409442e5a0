import { type Command, InvalidArgumentError } from 'commander';
import type { OpenContext } from '../../context.ts';
import { explain, parseCount, parsePageNumber } from '../../flags.ts';
import type { ListFlags } from './run.ts';

const examples = `
Examples:
  $ merchant-orders list --created-from today
  $ merchant-orders list --customer-phone 99112233 --status CONFIRMED
  $ merchant-orders list --search "Бат"
  $ merchant-orders list --deliver-on tomorrow
  $ merchant-orders list --created-from 7d --all --output orders.csv

--search looks through the first 1,000 orders that the service lists, or all with --all. --deliver-on is a packing list: it
reads all orders that were created in the last 60 days, or since --created-from. --output is for a spreadsheet.

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
    .option('--search <text>', 'orders with this text in any field, in upper or lower case', parseSearch)
    .option('--deliver-on <day>', 'orders to be delivered on this day: today, friday, 12/25 or a date')
    .option('--page <n>', 'show this page', parsePageNumber)
    .option('--page-size <n>', 'orders per page', parseCount)
    .option('--all', 'show all pages')
    .option('-L, --limit <n>', 'show at most this many orders', parseCount)
    .option('-o, --output <file>', 'write a CSV file for Excel or LibreOffice', parseCsvName)
    .action(async (flags: ListFlags) => (await import('./run.ts')).runList(await open(command), flags));
}

function parseSearch(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Please write what to search for.');
  return text.trim();
}

/** A spreadsheet opens a file by the ending of its name. */
function parseCsvName(text: string): string {
  if (!/.\.csv$/i.test(text)) throw new InvalidArgumentError('Expected a file name that ends in .csv.');
  return text;
}
