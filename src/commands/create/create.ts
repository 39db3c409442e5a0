import type { Command } from 'commander';
import { createRequest, idempotencyKey } from '../../api/requests.ts';
import type { Context, OpenContext } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { collect, parseIdempotencyKey } from '../../flags.ts';
import { checkOrder } from '../../orders/check-order.ts';
import { type Issue, isError, toErrorIssue } from '../../orders/issue.ts';
import { type Order, textField, tidyOrder, writeOrderBody } from '../../orders/order.ts';
import { formatCommandLine } from '../../output/error-text.ts';
import { formatOrderToCreate } from '../../output/order-preview.ts';
import { buildDraft, type DraftFlags } from './draft.ts';
import { askForMissing } from './questions.ts';
import { type CreatedOrder, sendOne } from './send.ts';

export interface CreateFlags extends DraftFlags {
  idempotencyKey?: string;
  checks: boolean;
  dryRun?: boolean;
}

const examples = `
A line is a SKU, or fields: sku=TEA-001,quantity:=2,name="Black tea". A line without sku is not in stock.
Any other field of an order: --set path=text, or --set path:=json.

Examples:
  $ merchant-orders create
  $ merchant-orders create --external-order-id UB-10001 --phone 99112233 --item TEA-001 --collect 25000
  $ merchant-orders create --file order.json --prepaid --dry-run`;

export function registerCreate(command: Command, open: OpenContext): void {
  command
    .option('--external-order-id <id>', 'your own order id; it makes a repeat recognisable')
    .option('--phone <phone>', 'phone of the customer')
    .option('--external-customer-id <id>', 'your own customer id')
    .option('--item <line>', 'an order line; repeat it for more', collect)
    .option('--collect <amount>', 'the courier collects this amount')
    .option('--prepaid', 'the courier collects nothing')
    .option('--total <amount>', 'total of the order')
    .option('--delivery-date <date>', 'requested delivery date, YYYY-MM-DD')
    .option('--set <field>', 'any other field; repeat it for more', collect)
    .option('--file <file>', 'read the order from JSON; - is standard input')
    .option(
      '--idempotency-key <key>',
      'send under this key instead of the one made from the order',
      parseIdempotencyKey,
    )
    .option('--no-checks', 'send what was given; money and dates stay text')
    .option('-n, --dry-run', 'check it and show the request; send nothing')
    .addHelpText('after', examples)
    .action(async (flags: CreateFlags) => runCreate(await open(command), flags));
}

export async function runCreate(context: Context, flags: CreateFlags): Promise<void> {
  const { print, prompts, settings } = context;
  const draft = await buildDraft(context, flags);
  const answers = prompts && !flags.dryRun ? await askForMissing(draft, prompts, context, flags) : [];
  const order = tidyOrder(draft);
  checkBeforeSending(context, order, flags);

  if (flags.dryRun) {
    const body = writeOrderBody(order);
    const key = flags.idempotencyKey ?? idempotencyKey(textField(order, 'externalOrderId') ?? '', body, 0);
    context.report.requests([await context.describe(createRequest(body, key))]);
    return;
  }
  await using connection = await context.connect();
  if (prompts && !settings.yes) await confirmCreate(context, connection.label, order);
  const words = [...context.system.args, ...answers];
  if (answers.length > 0) print.note(`The same as a command:\n  ${formatCommandLine(words)}`);
  const created = await sendOne(context, connection, { order, key: flags.idempotencyKey, words });
  report(context, created, connection.label);
}

/** All problems at once: warnings are shown, errors end it before anything is sent. */
function checkBeforeSending({ clock, print }: Context, order: Order, { checks }: CreateFlags): void {
  const issues = checkOrder(order, { today: clock.today(), allRules: checks });
  for (const { path, value, problem, fix } of issues.filter((issue) => !isError(issue))) {
    print.note(`warning: ${path} "${value ?? ''}" ${problem}; ${fix}`);
  }
  const errors = issues.filter(isError);
  if (errors.length === 0) return;
  const flags = errors.map(missingFlag).filter((flag) => flag !== undefined);
  throw new CliError(
    'order_invalid',
    `The order cannot be sent: ${errors.length === 1 ? 'one thing is' : `${errors.length} things are`} wrong.`,
    {
      hint:
        flags.length > 0
          ? `Add ${flags.join(', ')}; nothing was sent.`
          : 'Mend it and run the command again; nothing was sent.',
      issues: errors.map(toErrorIssue),
      outcome: 'not_sent',
    },
  );
}

function missingFlag({ code }: Issue): string | undefined {
  switch (code) {
    case 'external_order_id_missing':
      return '--external-order-id ID';
    case 'customer_missing':
      return '--phone PHONE';
    case 'items_missing':
      return '--item LINE';
    case 'collection_mode_missing':
      return '--collect AMOUNT or --prepaid';
    default:
      return undefined;
  }
}

async function confirmCreate({ prompts, print }: Context, label: string, order: Order): Promise<void> {
  print.note(formatOrderToCreate(order));
  print.note('');
  if (await prompts?.confirm(`${label}: create this order?`)) return;
  throw new CliError('not_confirmed', 'Nothing was sent.', { outcome: 'not_sent' });
}

function report({ report, print }: Context, { order: found, isNew }: CreatedOrder, label: string): void {
  const name = textField(found.order, 'orderNumber') ?? found.id;
  print.note(
    isNew
      ? `Created ${name} (${label}).`
      : `Order ${name} was there already with this content; nothing was created (${label}).`,
  );
  report.order(found.order);
}
