import type { Command } from 'commander';
import type { OpenContext } from '../../context.ts';
import { collect, explain, parseIdempotencyKey } from '../../flags.ts';

const examples = `
Examples:
  $ merchant-orders create
  $ merchant-orders create --external-order-id UB-10001 --phone 99112233 \\
      --item TEA-001 --collect 25000
  $ merchant-orders create --like ORD-2026-000123
  $ merchant-orders create --file order.json --prepaid --dry-run

A line is a SKU, a SKU and how many (TEA-001 x 2), or a list of fields: sku=TEA-001,quantity:=2,name="Black tea". The sku
may be left out for an item that is not in the catalogue. Without a terminal, TEA-001 x 2 needs to know where the
service expects the quantity: merchant-orders profiles fields. Other fields of the order are set by --set path=text, or
--set path:=json for a JSON value.`;

export function registerCreate(command: Command, open: OpenContext): void {
  explain(command, examples)
    .option('--external-order-id <id>', 'your own order ID; a second order with the same ID is never created')
    .option('--phone <phone>', 'phone number of the customer')
    .option('--external-customer-id <id>', 'your own ID of the customer')
    .option('--item <line>', 'an order line (repeatable)', collect)
    .option('--collect <amount>', 'the courier collects this amount')
    .option('--prepaid', 'the courier collects nothing')
    .option('--total <amount>', 'total of the order')
    .option('--delivery-date <date>', 'requested delivery date, YYYY-MM-DD')
    .option('--set <field>', 'any other field of the order (repeatable)', collect)
    .option('--like <order>', 'at a terminal: fill in phone, items and address of an earlier order')
    .option('--file <file>', 'read the order from JSON; - is standard input')
    .option('-n, --dry-run', 'check the order and show the request; send nothing')

    .optionsGroup('Advanced:')
    .option(
      '--idempotency-key <key>',
      'use this idempotency key instead of the one derived from the order',
      parseIdempotencyKey,
    )
    .option('--no-checks', 'skip the local checks; money and dates must still be text')
    .action(async (flags) => (await import('./run.ts')).runCreate(await open(command), flags));
}
