import {
  advice,
  again,
  command,
  commandFor,
  completeCommand,
  joinTexts,
  type Text,
  type Typed,
  t,
} from '../../advice/advice.ts';
import { probeService } from '../../api/operations/check-address.ts';
import { createRequest, idempotencyKey } from '../../api/requests.ts';
import { nameOf } from '../../api/responses/order.ts';
import { cleanCell, shorten } from '../../clean-text.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError, PromptLeft } from '../../errors.ts';
import { type FieldsToShow, fieldsToShow, readPaths, reasonToShow } from '../../fields/field-paths.ts';
import { labelTexts } from '../../identity.ts';
import { findPickup } from '../../import/words/verdict.ts';
import { orderFlags, textFlags } from '../../orders/assignment.ts';
import { formatAmount } from '../../orders/decimal.ts';
import { FieldPathError } from '../../orders/field-path.ts';
import { type Issue, isError, toErrorIssue } from '../../orders/issue.ts';
import { jsonText, member } from '../../orders/json.ts';
import { type Order, orderLines, phoneOf, textField, tidyOrder, writeOrderBody } from '../../orders/order.ts';
import { isOrdinary } from '../../orders/order-rules.ts';
import {
  createFieldMover,
  createFieldProof,
  type FieldPaths,
  isNeeded,
  tellingFields,
  type UnnamedField,
} from '../../orders/unnamed-fields.ts';
import { flattenFields } from '../../output/fields.ts';
import { addressFields, describePapers, formatOrder } from '../../output/order-view.ts';
import { describeAge } from '../../output/times.ts';
import { buildDraft, type DraftFlags } from './draft.ts';
import type { Dialogue } from './questions.ts';
import { createPhoneHistory, describeLast, type PhoneHistory, valuesAt } from './recent-orders.ts';
import { type CreatedOrder, sendOne } from './send.ts';
import { settleBefore } from './unsettled.ts';

interface CreateFlags extends DraftFlags {
  like?: string;
  idempotencyKey?: string;
  checks: boolean;
  dryRun?: boolean;
}

/** One run of the command, with what it knows before it connects. */
interface Work {
  draft: Order;
  flags: CreateFlags;
  fieldPaths: FieldPaths;
  /** A flag has a quantity without its path. */
  hasCounts: boolean;
  /** Undefined without a terminal. */
  dialogue: Dialogue | undefined;
  /** Whether anything can be asked. */
  asks: boolean;
}

export async function runCreate(context: Context, flags: CreateFlags): Promise<void> {
  const { prompts } = context;
  const like =
    flags.like === undefined
      ? undefined
      : await (await import('./like.ts')).orderLike(context, flags, flags.like);
  const built = await buildDraft(context, flags, like);
  const createWith = async (dialogue?: Dialogue) => {
    const asks = dialogue !== undefined && !(dialogue.isComplete && context.settings.yes);
    return createFrom(context, { ...built, flags, fieldPaths: await readPaths(context), dialogue, asks });
  };
  if (prompts === undefined || flags.dryRun) return createWith();
  const { createDialogue } = await import('./questions.ts');
  const dialogue = createDialogue(built.draft, prompts, context, { allRules: flags.checks });
  try {
    await createWith(dialogue);
  } catch (error) {
    // Whatever happens, the user gets what they typed, unless the order exists.
    const exists = error instanceof CliError && ['fields_dropped', 'twice'].includes(error.code);
    if (!exists) showCommand(context, built.draft, flags, dialogue);
    throw error;
  }
}

async function createFrom(context: Context, work: Work): Promise<void> {
  const { prompts, report, settings } = context;
  const { draft, flags, fieldPaths, dialogue, asks } = work;
  if (dialogue === undefined || dialogue.isComplete)
    await checkBeforeSending(context, tidyOrder(draft), flags);
  else rejectInvalid(findPickup(draft));
  if (flags.dryRun) {
    const order = moveFields(tidyOrder(draft), fieldPaths);
    const body = writeOrderBody(order);
    const key = flags.idempotencyKey ?? idempotencyKey(textField(order, 'externalOrderId') ?? '', body, 0);
    report.requests([await context.describe(createRequest(body, key))]);
    return;
  }
  await using connection = await context.connect();
  const { label } = connection;
  const history = createPhoneHistory(connection.client, context.clock);
  const phone = phoneOf(draft);
  if (prompts !== undefined && dialogue !== undefined && asks) {
    if (!dialogue.isComplete) await checkService(connection);
    const ownId = textField(draft, 'externalOrderId');
    const unsettled = await settleBefore(context, prompts, connection, ownId);
    if (unsettled === undefined) return context.print.note(t`Nothing else was sent.`);
    if (phone !== undefined) void history.recentOrders(phone);
    if (!dialogue.isComplete) {
      const { readUsedSkus } = await import('./used-skus.ts');
      const usedSkus = await readUsedSkus(context, connection);
      const lookUp = (typed: string) => lookUpCustomer(context, work, history, typed);
      await dialogue.askMissing({ usedSkus, unsettled, lookUpCustomer: lookUp });
    }
  }
  const { created, order, open } = await createUntilClear(context, connection, work, { history });
  if (dialogue !== undefined && settings.verbose) showCommand(context, draft, flags, dialogue);
  reportCreated(context, created, labelTexts[label]);
  if (dialogue !== undefined) {
    const { rememberSkus } = await import('./used-skus.ts');
    await rememberSkus(context, connection, order);
  }
  if (created.error !== undefined) throw created.error;
  if (open.length > 0) await checkCreated(context, connection, work, { created, order, open });
  if (created.isNew && context.system.terminal.stderr)
    context.print.note(describePapers(context, textField(order, 'requestedDeliveryDate')));
}

/** Error: `fields_dropped`. */
async function checkCreated(
  context: Context,
  connection: Connection,
  work: Work,
  { created, order, open }: Omit<Confirmed, 'hidden'> & { created: CreatedOrder },
): Promise<void> {
  const { checkShown, warnOfHidden } = await import('../../fields/proof.ts');
  const proof = createFieldProof(open, work.fieldPaths);
  proof.add(order, created.order.order);
  const ledger = await connection.openLedger();
  try {
    const parts = { connection, ledger, proof };
    const dropped = await checkShown(context, parts, order, created.order);
    // Its ID is taken.
    const { externalOrderId: _, ...other } = work.draft;
    if (dropped?.isCancelled && work.dialogue !== undefined)
      showCommand(context, other, work.flags, work.dialogue);
    if (dropped !== undefined) throw dropped.error;
    await warnOfHidden(context, parts);
  } finally {
    ledger.close();
  }
}

/** With the fields that it carries and that the service has not shown yet. */
interface Confirmed extends FieldsToShow {
  order: Order;
}

interface Attempt {
  history: PhoneHistory;
  /** What became of the last request, if the order was sent before. */
  failure?: CliError | undefined;
  /** Confirmed before, and now sent again as it is. */
  confirmed?: Confirmed | undefined;
}

/** At a terminal, goes on after a failure until the order exists or the user leaves it. */
async function createUntilClear(
  context: Context,
  connection: Connection,
  work: Work,
  { history, failure, confirmed }: Attempt,
): Promise<Confirmed & { created: CreatedOrder }> {
  const { prompts, settings } = context;
  const { dialogue, flags, fieldPaths, asks } = work;
  const ready =
    confirmed ?? (await orFailure(failure, confirmOrder(context, connection, work, { history, failure })));
  const { order } = ready;
  const repeated = commandOf(context, work);
  try {
    // Each sending of a dialogue has the whole time.
    const client = asks
      ? connection.client.forOneOrder({ milliseconds: settings.timeoutMilliseconds })
      : connection.client;
    const one = { order, key: flags.idempotencyKey, fieldPaths, repeated };
    const sending = sendOne(context, { ...connection, client }, one);
    return { ...ready, created: await orFailure(failure, sending) };
  } catch (error) {
    if (!(error instanceof CliError && asks) || prompts === undefined || dialogue === undefined) throw error;
    const { goOnAfter } = await import('./after-failure.ts');
    const failed = {
      prompts,
      connection,
      dialogue,
      order,
      fieldPaths,
      repeated,
      hasOwnKey: flags.idempotencyKey !== undefined,
    };
    const next = await orFailure(error, goOnAfter(error, context, failed));
    const again = { history, failure: error, confirmed: next === 'changed' ? undefined : ready };
    if (next !== 'new_key') return createUntilClear(context, connection, work, again);
    await using fresh = await orFailure(error, context.connect());
    return await createUntilClear(context, fresh, work, again);
  }
}

/** What ends the dialogue after the order was sent does not mean that nothing was. */
async function orFailure<Answer>(failure: CliError | undefined, work: Promise<Answer>): Promise<Answer> {
  return work.catch((error: unknown) => {
    const isLeft = error instanceof PromptLeft;
    if (failure === undefined || !(isLeft || error instanceof CliError)) throw error;
    if (failure.details.outcome === 'unknown' && (isLeft || !saysOutcome(error))) throw failure;
    throw isLeft ? new CliError('interrupted', t`Stopped. Nothing was created.`) : error;
  });
}

function saysOutcome({ details }: CliError): boolean {
  return details.outcome === 'unknown' || details.outcome === 'rejected';
}

/** Errors: `not_confirmed`, when the user does not want the order; those of `fieldsToShow`. */
async function confirmOrder(
  context: Context,
  connection: Connection,
  work: Work,
  { history, failure }: Attempt,
): Promise<Confirmed> {
  const { draft, flags, dialogue, fieldPaths, hasCounts, asks } = work;
  for (;;) {
    const order = moveFields(tidyOrder(draft), fieldPaths);
    const assumed = [...(hasCounts ? (['quantity'] as const) : []), ...(dialogue?.assumedFields() ?? [])];
    const telling = tellingFields(order, [...new Set(assumed)], fieldPaths);
    const ready = { order, ...(await fieldsToShow(context, connection.label, telling, asks)) };
    if (context.settings.yes || (await isConfirmed(context, ready, work, { ...connection, history }))) {
      await checkBeforeSending(context, tidyOrder(draft), flags);
      return ready;
    }
    if (!(await dialogue?.change())) {
      const sentence = failure === undefined ? t`Nothing was sent.` : t`Nothing was created.`;
      throw new CliError('not_confirmed', sentence);
    }
  }
}

/** Shows nothing if the service does not say in time what the phone ordered before. */
async function lookUpCustomer(
  { clock }: Context,
  { fieldPaths }: Work,
  { lastOrder, recentOrders }: PhoneHistory,
  phone: string,
) {
  void recentOrders(phone);
  const last = await lastOrder(phone);
  if (last === undefined) return undefined;
  const address = new Map<UnnamedField, string>();
  for (const field of addressFields) {
    const [text] = last.isNew ? [] : valuesAt(last.order, fieldPaths[field]);
    if (text !== undefined) address.set(field, text);
  }
  return { text: describeLast(last, fieldPaths, clock.now()), address };
}

/** Runs before the user types anything. Errors: those of a read, except that a key may be limited to creating orders. */
async function checkService({ client }: Connection): Promise<void> {
  const { error } = await probeService(client.forOneOrder());
  if (error !== undefined && error.code !== 'permission_missing') throw error;
}

/** After a dialogue that is not the typed command. */
function commandOf(context: Context, { draft, flags, dialogue }: Work): Typed {
  return dialogue === undefined
    ? completeCommand(context.system.args)
    : writtenCommand(context, draft, flags);
}

function writtenCommand(context: Context, draft: Order, { idempotencyKey, checks }: CreateFlags): Typed {
  return commandFor(context, [
    'create',
    ...orderFlags(tidyOrder(draft)),
    ...(idempotencyKey === undefined ? [] : ['--idempotency-key', idempotencyKey]),
    ...(checks ? [] : ['--no-checks']),
  ]);
}

/** When an answer is in it. */
function showCommand(context: Context, draft: Order, flags: CreateFlags, dialogue: Dialogue): void {
  if (dialogue.hasAnswers())
    context.print.note(t`The same order as a command:\n  ${writtenCommand(context, draft, flags)}`);
}

/** Error: `order_invalid` if a path of the profile already has another value. */
function moveFields(order: Order, fieldPaths: FieldPaths): Order {
  try {
    return createFieldMover(fieldPaths)(order);
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    throw new CliError('order_invalid', t`${error.problem}, and the profile sends another field there.`, {
      hint: t`Leave one of the two out, or choose another place: ${command('profiles', 'fields', '--help')}`,
    });
  }
}

/** Prints warnings. Error: `order_invalid` with all problems. */
async function checkBeforeSending(
  { clock, print, say }: Context,
  order: Order,
  flags: CreateFlags,
): Promise<void> {
  const options = { today: clock.today(), allRules: flags.checks };
  // zod is slow to load, and few orders need it.
  const found = isOrdinary(order, options)
    ? []
    : (await import('../../orders/order-schemas.ts')).findIssues(order, options);
  const issues = [...found, ...findPickup(order)];
  for (const { path, value, problem, fix } of issues.filter((issue) => !isError(issue))) {
    print.note(cleanCell(say(t`warning: ${path} "${value ?? ''}" ${problem}; ${fix}`)));
  }
  rejectInvalid(issues.filter(isError), flags);
}

/** Error: `order_invalid`. */
function rejectInvalid(errors: readonly Issue[], given: DraftFlags = {}): void {
  if (errors.length === 0) return;
  const missing = [...new Set(errors.flatMap(({ code }) => missingFlags[code] ?? []))];
  const wrong = [...new Set(errors.flatMap(({ path }) => flagWith(path, given) ?? []))];
  throw new CliError(
    'order_invalid',
    t`The order has ${errors.length} {problem|problems}. Nothing was sent.`,
    {
      hint:
        missing.length > 0
          ? t`Add ${joinTexts(missing, ', ')}.`
          : wrong.length > 0
            ? t`Fix ${wrong} and run the command again.`
            : t`Fix the order and run the command again.`,
      issues: errors.map((issue) => ({ ...toErrorIssue(issue), flag: flagWith(issue.path, given) })),
    },
  );
}

/** The flag that gave the value of a field. */
function flagWith(path: string, given: DraftFlags): string | undefined {
  if (path.startsWith('items') && given.item !== undefined) return '--item';
  if (path === 'collectionAmount' && given.collect !== undefined) return '--collect';
  const isIt = (one: (typeof textFlags)[number]) =>
    one.path.join('.') === path && given[one.option] !== undefined;
  return textFlags.find(isIt)?.flag;
}

const missingFlags: Partial<Record<Issue['code'], Text>> = {
  external_order_id_missing: '--external-order-id ID',
  customer_missing: '--phone PHONE',
  items_missing: '--item LINE',
  collection_mode_missing: t`--collect AMOUNT or --prepaid`,
};

/** Without a terminal, an order for the sandbox needs no confirmation. Error: `confirmation_required`. */
async function isConfirmed(
  { clock, prompts, print, say, system }: Context,
  { order, open, hidden }: Confirmed,
  { fieldPaths }: Work,
  {
    label,
    labelWithProfile,
    history,
  }: Pick<Connection, 'label' | 'labelWithProfile'> & Pick<Attempt, 'history'>,
): Promise<boolean> {
  if (!prompts && label === 'SANDBOX') return true;
  if (!prompts) {
    const sentence = t`A real order must be confirmed, and the program cannot ask questions here. Nothing was sent.`;
    throw new CliError('confirmation_required', sentence, {
      hint: t`To create it without confirmation, run:${again('--yes')}`,
    });
  }
  print.note(formatOrder(order, 'create', { fieldPaths, width: system.terminal.width, say }));
  print.note('');
  const needed = open.filter(isNeeded);
  if (needed.length > 0) {
    print.note(advice`${reasonToShow(needed, hidden)} ${t`This order will show it.`}\n`);
  }
  const phone = phoneOf(order);
  const ownId = textField(order, 'externalOrderId');
  // With the same ID it is the same order, which is never created twice.
  const recent = phone === undefined ? [] : await history.recentOrders(phone);
  const others = recent.filter((other) => textField(other, 'externalOrderId') !== ownId);
  const lacksAddress = !hasAddress(order, fieldPaths);
  const question = advice`${labelWithProfile}: ${createQuestion(order, others.length > 0, lacksAddress)}`;
  const before = formatRecent(others, clock.now());
  const whole = before === undefined ? question : advice`${before} ${question}`;
  return prompts.confirm(label === 'LIVE' ? print.alarm(say(whole)) : whole, false, 'create');
}

/** Any field with "address" in its name counts, as the interface names none. */
function hasAddress(order: Order, fieldPaths: FieldPaths): boolean {
  const isOfAddress = (path: string) => addressFields.some((field) => fieldPaths[field] === path);
  return flattenFields(order).some(
    ({ path, text }) =>
      text !== '' && path !== fieldPaths.note && (isOfAddress(path) || /address/i.test(path)),
  );
}

const maxNameLength = 60;

/** `create for 99112233, 2 items, collect 45,000 ₮, no address?` */
function createQuestion(order: Order, isAnother: boolean, lacksAddress: boolean): Text {
  const customer = member(order, 'customer');
  const who = textField(customer, 'phone') ?? textField(customer, 'externalCustomerId');
  const count = orderLines(order).length;
  const amount = textField(order, 'collectionAmount');
  const mode = textField(order, 'collectionMode');
  const facts = [
    ...(who === undefined ? [] : [shorten(who, maxNameLength)]),
    t`${count} {item|items}`,
    ...(mode === 'COLLECT' && amount !== undefined ? [t`collect ${formatAmount(amount)}`] : []),
    ...(mode === 'NONE' ? [t`prepaid`] : []),
    ...(lacksAddress ? [t`no address`] : []),
  ];
  const all = joinTexts(facts, ', ');
  if (who === undefined) return isAnother ? t`create another, ${all}?` : t`create, ${all}?`;
  return isAnother ? t`create another for ${all}?` : t`create for ${all}?`;
}

const maxRecent = 3;

/** `This customer has an order of 4 minutes ago: ORD-2026-000236, 31,000 ₮, CONFIRMED.` */
function formatRecent(recent: readonly Order[], now: number): Text | undefined {
  const [first, ...others] = recent.map((order) => {
    const amount = jsonText(member(order, 'total') ?? member(order, 'collectionAmount') ?? '');
    const name = textField(order, 'orderNumber') ?? textField(order, 'externalOrderId');
    const facts = [name, amount && formatAmount(amount), textField(order, 'status')].filter(Boolean);
    return { age: describeAge(textField(order, 'createdAt') ?? '', now), text: cleanCell(facts.join(', ')) };
  });
  if (first === undefined) return undefined;
  const { age, text } = first;
  if (others.length === 0) {
    return age === undefined
      ? t`This customer has an order of the last 24 hours: ${text}.`
      : t`This customer has an order of ${age}: ${text}.`;
  }
  const shown = [first, ...others].slice(0, maxRecent);
  const texts = shown.map((one) => (one.age === undefined ? one.text : advice`${one.text} (${one.age})`));
  const more = recent.length - maxRecent;
  const list = joinTexts([...texts, ...(more > 0 ? [t`and ${more} more`] : [])], '; ');
  return t`This customer has ${recent.length} orders of the last 24 hours: ${list}.`;
}

function reportCreated(
  { report, print, clock }: Context,
  { order: created, isNew, warning }: CreatedOrder,
  label: Text,
): void {
  const name = cleanCell(nameOf(created));
  print.note(
    isNew
      ? t`Created ${name} (${label}).`
      : t`Order ${name} already exists with the same content. Nothing was created (${label}).`,
  );
  report.order(created.order, clock.now(), isNew ? 'created' : 'already_exists');
  if (warning !== undefined) print.note(warning);
}
