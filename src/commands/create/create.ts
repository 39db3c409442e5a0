import type { Command } from 'commander';
import { createRequest, idempotencyKey } from '../../api/requests.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Connection, Context, OpenContext } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { readPlaces } from '../../field-places.ts';
import { collect, explain, parseIdempotencyKey } from '../../flags.ts';
import { checkOrder } from '../../orders/check-order.ts';
import { FieldPathError } from '../../orders/field-path.ts';
import { type Issue, isError, toErrorIssue } from '../../orders/issue.ts';
import { type Order, textField, tidyOrder, writeOrderBody } from '../../orders/order.ts';
import { createFieldMover, type FieldPlaces } from '../../orders/unnamed-fields.ts';
import { formatCommandLine } from '../../output/error-text.ts';
import { formatOrderToCreate } from '../../output/order-preview.ts';
import { buildDraft, type DraftFlags } from './draft.ts';
import { askForMissing } from './questions.ts';
import { type CreatedOrder, sendOne } from './send.ts';

interface CreateFlags extends DraftFlags {
  idempotencyKey?: string;
  checks: boolean;
  dryRun?: boolean;
}

const examples = `
Examples:
  $ merchant-orders create
  $ merchant-orders create --external-order-id UB-10001 --phone 99112233 --item TEA-001 --collect 25000
  $ merchant-orders create --file order.json --prepaid --dry-run

A line is a SKU, or a list of fields: sku=TEA-001,quantity:=2,name="Black tea". The sku may be left out for an item that
is not in the catalogue. Other fields of the order are set by --set path=text, or --set path:=json for a JSON value.`;

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
    .option('--file <file>', 'read the order from JSON; - is standard input')
    .option(
      '--idempotency-key <key>',
      'use this idempotency key instead of the one derived from the order',
      parseIdempotencyKey,
    )
    .option('--no-checks', 'skip the local checks; money and dates must still be text')
    .option('-n, --dry-run', 'check the order and show the request; send nothing')
    .action(async (flags: CreateFlags) => runCreate(await open(command), flags));
}

export async function runCreate(context: Context, flags: CreateFlags): Promise<void> {
  const { print, prompts, settings } = context;
  const draft = await buildDraft(context, flags);
  const answers = prompts && !flags.dryRun ? await askForMissing(draft, prompts, context, flags) : [];
  const tidy = tidyOrder(draft);
  checkBeforeSending(context, tidy, flags);
  const places = await readPlaces(context);
  const order = moveFields(tidy, places);

  if (flags.dryRun) {
    const body = writeOrderBody(order);
    const key = flags.idempotencyKey ?? idempotencyKey(textField(order, 'externalOrderId') ?? '', body, 0);
    context.report.requests([await context.describe(createRequest(body, key))]);
    return;
  }
  await using connection = await context.connect();
  if (!settings.yes) await confirmCreate(context, connection.label, order);
  const args = [...context.system.args, ...answers];
  if (answers.length > 0) print.note(`The same order as a command:\n  ${formatCommandLine(args)}`);
  const created = await sendOne(context, connection, { order, key: flags.idempotencyKey, places, args });
  report(context, created, connection.label);
}

/** Error: `order_invalid` when the profile sends a field where the order has another value. */
function moveFields(order: Order, places: FieldPlaces): Order {
  try {
    return createFieldMover(places)(order);
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    throw new CliError('order_invalid', `${error.message}, and the profile sends another field there.`, {
      hint: 'Leave one of the two out, or choose another place: merchant-orders profiles fields --help',
      outcome: 'not_sent',
    });
  }
}

/** Shows the warnings. Error: `order_invalid`, with all problems at once. */
function checkBeforeSending({ clock, print }: Context, order: Order, { checks }: CreateFlags): void {
  const issues = checkOrder(order, { today: clock.today(), allRules: checks });
  for (const { path, value, problem, fix } of issues.filter((issue) => !isError(issue))) {
    print.note(cleanCell(`warning: ${path} "${value ?? ''}" ${problem}; ${fix}`));
  }
  const errors = issues.filter(isError);
  if (errors.length === 0) return;
  const flags = [...new Set(errors.map(missingFlag).filter((flag) => flag !== undefined))];
  throw new CliError(
    'order_invalid',
    `The order has ${errors.length === 1 ? '1 problem' : `${errors.length} problems`}. Nothing was sent.`,
    {
      hint: flags.length > 0 ? `Add ${flags.join(', ')}.` : 'Fix the order and run the command again.',
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

/** Off a terminal only an order for the sandbox needs no confirmation. Errors: `confirmation_required`, `not_confirmed`. */
async function confirmCreate(
  { prompts, print, system }: Context,
  label: Connection['label'],
  order: Order,
): Promise<void> {
  if (!prompts && label === 'SANDBOX') return;
  if (!prompts) {
    const sentence = 'A real order needs a confirmation, but there is no terminal. Nothing was sent.';
    throw new CliError('confirmation_required', sentence, {
      hint: `To create it without confirmation, run: ${formatCommandLine([...system.args, '--yes'])}`,
      outcome: 'not_sent',
    });
  }
  print.note(formatOrderToCreate(order));
  print.note('');
  if (await prompts.confirm(`${label}: create this order?`)) return;
  throw new CliError('not_confirmed', 'Nothing was sent.', { outcome: 'not_sent' });
}

function report({ report, print }: Context, { order: created, isNew }: CreatedOrder, label: string): void {
  const name = cleanCell(textField(created.order, 'orderNumber') ?? created.id);
  print.note(
    isNew
      ? `Created ${name} (${label}).`
      : `Order ${name} already exists with the same content. Nothing was created (${label}).`,
  );
  report.order(created.order);
}
