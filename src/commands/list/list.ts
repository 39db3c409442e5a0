import { type Command, InvalidArgumentError, Option } from 'commander';
import type { OpenContext } from '../../context.ts';
import { explain, parseCount, parsePageNumber } from '../../flags.ts';

const examples = `
Examples:
  $ merchant-orders list --created-from today
  $ merchant-orders list --customer-phone 99112233 --status CONFIRMED
  $ merchant-orders list --search "Бат"
  $ merchant-orders list --deliver-on tomorrow --for packing
  $ merchant-orders list --deliver-on today --for courier --output courier.html
  $ merchant-orders list --created-from 7d --all --output orders.csv

--search looks through the first 1,000 orders that the service lists, or all with --all. --deliver-on is a packing list: it
reads all orders that were created in the last 60 days, or since --created-from.

--for packing shows the number, own ID, status, items and note of each order, --for courier the number, status, phone,
name, address, items, amount to collect and note. Both leave out cancelled orders and count them, and sort by district
and street where the service shows them, else by number.

Columns of --columns are fields, also others that the service shows; all shows every field:
  id, orderNumber, externalOrderId, status, createdAt, requestedDeliveryDate,
  customer.phone, customer.externalCustomerId, items, total, collectionMode,
  collectionAmount, delivery, delivery.status

A day is today, yesterday, 7d (7 days ago) or 2026-11-20, in your time zone; --created-to includes it.
A time is 24h (24 hours ago) or 2026-11-20T08:00:00Z.`;

export function registerList(command: Command, open: OpenContext): void {
  explain(command, examples)
    .option('--external-order-id <id>', 'the order with this external order ID')
    .option('--order-number <number>', 'the order with this number')
    .option('--status <status>', 'orders with this status')
    .option('--phone, --customer-phone <phone>', 'orders with this phone number')
    .option('--created-from <day>', 'created on or after this day or time')
    .option('--created-to <day>', 'created on or before this day or time')
    .option('--search <text>', 'orders with this text in any field, in upper or lower case', parseSearch)
    .option('--deliver-on <day>', 'orders to be delivered on this day: today, friday, 12/25 or a date')
    .option('--page <n>', 'show this page', parsePageNumber)
    .option('--page-size <n>', 'orders per page', parseCount)
    .option('--all', 'show all pages')
    .option('-L, --limit <n>', 'show at most this many orders', parseCount)
    .addOption(
      new Option('--for <purpose>', 'the columns of a packing list, or of a list for the courier').choices([
        'packing',
        'courier',
      ]),
    )
    .addOption(new Option('--sort <key>', 'how orders are sorted').choices(['number', 'district']))
    .option(
      '-o, --output <file>',
      'write a .csv file for a spreadsheet, or with --for a .html file for the printer',
      parseFileName,
    )
    .action(async (flags) => (await import('./run.ts')).runList(await open(command), flags));
}

function parseSearch(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Please write what to search for.');
  return text.trim();
}

/** Programs open a file by the ending of its name. */
function parseFileName(text: string): string {
  if (!/.\.(?:csv|html)$/i.test(text))
    throw new InvalidArgumentError('Expected a file name that ends in .csv or .html.');
  return text;
}
