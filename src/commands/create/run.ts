import { advice, again, command, completeCommand } from '../../advice/advice.ts';
import { idempotencyKey } from '../../api/idempotency-key.ts';
import { probeService } from '../../api/operations/check-address.ts';
import { createRequest } from '../../api/requests.ts';
import { cleanCell, shorten } from '../../clean-text.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { confirmPlaces, readOwnPlaces, readPlaces } from '../../field-places.ts';
import { isForSandbox } from '../../identity.ts';
import { findPickup } from '../../import/words/verdict.ts';
import { checkOrder, loadChecks } from '../../orders/check-order.ts';
import { FieldPathError } from '../../orders/field-path.ts';
import { type Issue, isError, toErrorIssue } from '../../orders/issue.ts';
import { jsonText, member } from '../../orders/json.ts';
import { type Order, orderLines, textField, tidyOrder, writeOrderBody } from '../../orders/order.ts';
import {
  createFieldMover,
  type FieldPlaces,
  type UnnamedField,
  unnamedFields,
} from '../../orders/unnamed-fields.ts';
import { formatAmount } from '../../output/amount.ts';
import { formatOrder } from '../../output/order-view.ts';
import { describeAge } from '../../output/times.ts';
import { buildDraft, type DraftFlags } from './draft.ts';
import type { Dialogue } from './questions.ts';
import { createRecentOrders, type RecentOrders } from './recent-orders.ts';
import { type CreatedOrder, sendOne } from './send.ts';
import { settleBefore } from './unsettled.ts';

export interface CreateFlags extends DraftFlags {
  idempotencyKey?: string;
  checks: boolean;
  dryRun?: boolean;
}

export async function runCreate(context: Context, flags: CreateFlags): Promise<void> {
  const { prompts } = context;
  const draft = await buildDraft(context, flags);
  if (prompts === undefined || flags.dryRun) return createFrom(context, draft, flags, undefined);
  const dialogue = await openDialogue(context, prompts, draft, flags);
  try {
    await createFrom(context, draft, flags, dialogue);
  } catch (error) {
    // Whatever happens, the user gets what they typed.
    showCommand(context, dialogue);
    throw error;
  }
}

/** `dialogue`: undefined without a terminal. */
async function createFrom(
  context: Context,
  draft: Order,
  flags: CreateFlags,
  dialogue: Dialogue | undefined,
): Promise<void> {
  const { prompts, report, settings } = context;
  const places = await readPlaces(context);
  if (dialogue === undefined || dialogue.isComplete)
    await checkBeforeSending(context, tidyOrder(draft), flags);
  else rejectInvalid(findPickup(draft));
  if (flags.dryRun) {
    const order = moveFields(tidyOrder(draft), places);
    const body = writeOrderBody(order);
    const key = flags.idempotencyKey ?? idempotencyKey(textField(order, 'externalOrderId') ?? '', body, 0);
    report.requests([await context.describe(createRequest(body, key))]);
    return;
  }
  await using connection = await context.connect();
  const { label, labelWithProfile } = connection;
  const recentOrders = createRecentOrders(connection.client, context.clock);
  if (prompts !== undefined && dialogue !== undefined && !(dialogue.isComplete && settings.yes)) {
    if (!dialogue.isComplete) await checkService(connection);
    const ownId = textField(draft, 'externalOrderId');
    const unsettled = await settleBefore(context, prompts, connection, ownId);
    if (unsettled === undefined) return context.print.note('Nothing else was sent.');
    const phone = textField(member(draft, 'customer'), 'phone');
    if (phone !== undefined) void recentOrders(phone);
    if (!dialogue.isComplete) {
      const { readUsedSkus } = await import('./used-skus.ts');
      const usedSkus = await readUsedSkus(context, connection);
      await dialogue.askMissing({ usedSkus, unsettled, onPhone: (typed) => void recentOrders(typed) });
    }
  }
  let order = moveFields(tidyOrder(draft), places);
  // The user typed a quantity, but the interface does not name its field.
  if (dialogue?.hasCounts()) await confirmPlaces(context, connection, ['quantity']);
  while (
    !settings.yes &&
    !(await isConfirmed(context, order, { label, labelWithProfile, places, recentOrders }))
  ) {
    if (!(await dialogue?.change()))
      throw new CliError('not_confirmed', 'Nothing was sent.', { outcome: 'not_sent' });
    if (dialogue?.hasCounts()) await confirmPlaces(context, connection, ['quantity']);
    order = moveFields(tidyOrder(draft), places);
  }
  await checkBeforeSending(context, tidyOrder(draft), flags);
  const args = dialogue === undefined ? [...context.system.args] : commandOf(context, dialogue);
  const created = await sendOne(context, connection, { order, key: flags.idempotencyKey, places, args });
  if (dialogue !== undefined && settings.verbose) showCommand(context, dialogue);
  reportCreated(context, created, label);
  if (dialogue !== undefined) {
    const { rememberSkus } = await import('./used-skus.ts');
    await rememberSkus(context, connection, order);
  }
}

/** Runs before the user types anything. Errors: those of a read, except that a key may be limited to creating orders. */
async function checkService({ client }: Connection): Promise<void> {
  const { error } = await probeService(client.forOneOrder());
  if (error !== undefined && error.code !== 'permission_missing') throw error;
}

/** Asks for unnamed fields if the profile says where they are sent, and in the sandbox. */
async function openDialogue(
  context: Context,
  prompts: NonNullable<Context['prompts']>,
  draft: Order,
  { checks }: CreateFlags,
): Promise<Dialogue> {
  const { identity, profiles } = context;
  const { profile } = await identity();
  const own = (await isForSandbox(context))
    ? unnamedFields
    : Object.keys(await readOwnPlaces(profiles, profile));
  const { createDialogue } = await import('./questions.ts');
  return createDialogue(draft, prompts, context, {
    fields: new Set(own as UnnamedField[]),
    allRules: checks,
  });
}

const draftFlags = new Set([
  '--file',
  '--external-order-id',
  '--phone',
  '--external-customer-id',
  '--item',
  '--collect',
  '--prepaid',
  '--total',
  '--delivery-date',
  '--set',
]);

function nameOf(word = ''): string {
  return word.split('=', 1)[0] ?? '';
}

function withoutFlags(args: readonly string[], names: ReadonlySet<string>): string[] {
  return args.filter((word, index) => {
    const before = args[index - 1] ?? '';
    const isValue = names.has(before) && before !== '--prepaid';
    return !names.has(nameOf(word)) && !isValue;
  });
}

function commandOf({ system }: Context, dialogue: Dialogue): string[] {
  const { words, replaced } = dialogue.flags();
  const { args } = system;
  const isFile = args.some((word) => nameOf(word) === '--file');
  // No flag removes a field of the file.
  if (isFile && dialogue.needsWholeOrder())
    return [...withoutFlags(args, draftFlags), ...dialogue.wholeOrder()];
  const kept = args.filter((word, index) => {
    const [before, after] = [args[index - 1], args[index + 1]];
    const isValue = replaced.has(nameOf(before)) && before !== '--prepaid' && !before?.includes('=');
    // `--set` is replaced by path.
    const isSet = word === '--set' && replaced.has(nameOf(after));
    const isSetValue = before === '--set' && replaced.has(nameOf(word));
    return !replaced.has(nameOf(word)) && !isValue && !isSet && !isSetValue;
  });
  return [...kept, ...words];
}

function showCommand(context: Context, dialogue: Dialogue): void {
  if (dialogue.flags().replaced.size === 0) return;
  context.print.note(
    advice`The same order as a command:\n  ${completeCommand(commandOf(context, dialogue))}`,
  );
}

/** Error: `order_invalid` if a place of the profile already has another value. */
function moveFields(order: Order, places: FieldPlaces): Order {
  try {
    return createFieldMover(places)(order);
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    throw new CliError('order_invalid', `${error.message}, and the profile sends another field there.`, {
      hint: advice`Leave one of the two out, or choose another place: ${command('profiles', 'fields', '--help')}`,
      outcome: 'not_sent',
    });
  }
}

/** Prints warnings. Error: `order_invalid` with all problems. */
async function checkBeforeSending(
  { clock, print }: Context,
  order: Order,
  { checks }: CreateFlags,
): Promise<void> {
  const options = { today: clock.today(), allRules: checks };
  const found = checkOrder(order, options) ?? (await loadChecks())(order, options);
  const issues = [...found, ...findPickup(order)];
  for (const { path, value, problem, fix } of issues.filter((issue) => !isError(issue))) {
    print.note(cleanCell(`warning: ${path} "${value ?? ''}" ${problem}; ${fix}`));
  }
  rejectInvalid(issues.filter(isError));
}

/** Error: `order_invalid`. */
function rejectInvalid(errors: readonly Issue[]): void {
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

interface Confirmation extends Pick<Connection, 'label' | 'labelWithProfile'> {
  places: FieldPlaces;
  recentOrders: RecentOrders;
}

/** Without a terminal, an order for the sandbox needs no confirmation. Error: `confirmation_required`. */
async function isConfirmed(
  { clock, prompts, print, system }: Context,
  order: Order,
  { label, labelWithProfile, places, recentOrders }: Confirmation,
): Promise<boolean> {
  if (!prompts && label === 'SANDBOX') return true;
  if (!prompts) {
    const sentence =
      'A real order must be confirmed, and the program cannot ask questions here. Nothing was sent.';
    throw new CliError('confirmation_required', sentence, {
      hint: advice`To create it without confirmation, run:${again('--yes')}`,
      outcome: 'not_sent',
    });
  }
  print.note(formatOrder(order, 'create', { places, width: system.terminal.width }));
  print.note('');
  const phone = textField(member(order, 'customer'), 'phone');
  const ownId = textField(order, 'externalOrderId');
  // With the same ID it is the same order, which is never created twice.
  const recent = phone === undefined ? [] : await recentOrders(phone);
  const others = recent.filter((other) => textField(other, 'externalOrderId') !== ownId);
  const question = formatCreateQuestion(labelWithProfile, order, others, clock.now());
  return prompts.confirm(label === 'LIVE' ? print.alarm(question) : question, false, 'create');
}

const maxNameLength = 60;

/** After the customer's recent orders: `LIVE: create for 99112233, 2 items, collect 45,000 ₮?` */
function formatCreateQuestion(label: string, order: Order, recent: readonly Order[], now: number): string {
  const customer = member(order, 'customer');
  const who = textField(customer, 'phone') ?? textField(customer, 'externalCustomerId');
  const count = orderLines(order).length;
  const amount = textField(order, 'collectionAmount');
  const mode = textField(order, 'collectionMode');
  const parts = [
    `create${recent.length === 0 ? '' : ' another'}${who === undefined ? '' : ` for ${shorten(who, maxNameLength)}`}`,
    count === 1 ? '1 item' : `${count} items`,
    ...(mode === 'COLLECT' && amount !== undefined ? [`collect ${formatAmount(amount)}`] : []),
    ...(mode === 'NONE' ? ['prepaid'] : []),
  ];
  return `${formatRecent(recent, now)}${label}: ${parts.join(', ')}?`;
}

const maxRecent = 3;

/** `This customer has an order of 4 minutes ago: ORD-2026-000236, 31,000 ₮, CONFIRMED. ` */
function formatRecent(recent: readonly Order[], now: number): string {
  const [first, ...others] = recent.map((order) => {
    const amount = jsonText(member(order, 'total') ?? member(order, 'collectionAmount') ?? '');
    const name = textField(order, 'orderNumber') ?? textField(order, 'externalOrderId');
    const facts = [name, amount && formatAmount(amount), textField(order, 'status')].filter(Boolean);
    return { age: describeAge(textField(order, 'createdAt') ?? '', now), text: cleanCell(facts.join(', ')) };
  });
  if (first === undefined) return '';
  if (others.length === 0)
    return `This customer has an order ${first.age === undefined ? 'of the last 24 hours' : `of ${first.age}`}: ${first.text}. `;
  const shown = [first, ...others].slice(0, maxRecent);
  const texts = shown.map(({ age, text }) => `${text}${age === undefined ? '' : ` (${age})`}`);
  const more = recent.length > maxRecent ? `; and ${recent.length - maxRecent} more` : '';
  return `This customer has ${recent.length} orders of the last 24 hours: ${texts.join('; ')}${more}. `;
}

function reportCreated(
  { report, print, clock }: Context,
  { order: created, isNew, warning }: CreatedOrder,
  label: string,
): void {
  const name = cleanCell(textField(created.order, 'orderNumber') ?? created.id);
  print.note(
    isNew
      ? `Created ${name} (${label}).`
      : `Order ${name} already exists with the same content. Nothing was created (${label}).`,
  );
  report.order(created.order, clock.now(), isNew ? 'created' : 'already_exists');
  if (warning !== undefined) print.note(warning);
}
