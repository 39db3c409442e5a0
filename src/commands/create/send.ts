import { advice, command, joinTexts, type Text, type Typed, t } from '../../advice/advice.ts';
import type { ApiClient } from '../../api/client.ts';
import { getOrder } from '../../api/operations/find.ts';
import { createOrderFinder } from '../../api/pages/order-finder.ts';
import { nameOf, type ServiceOrder } from '../../api/responses/order.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError, type ErrorCode, type ErrorDetails } from '../../errors.ts';
import {
  isTwice,
  notesOnCopies,
  type OrderOutcome,
  type OutcomeName,
  orderCancelled,
  type SameId,
  twiceError,
} from '../../import/results/order-outcome.ts';
import type { SendContext } from '../../import/send/context.ts';
import { lookUpCopies } from '../../import/send/copies.ts';
import { entriesOfMerchant } from '../../import/send/merchant-entries.ts';
import { sendOrder } from '../../import/send/send-order.ts';
import { notCompared } from '../../ledger/order-log.ts';
import { type Order, orderLines, textField } from '../../orders/order.ts';
import type { FieldPaths } from '../../orders/unnamed-fields.ts';
import { orderInShort } from '../../output/order-list.ts';

/** The order as the service has it now. */
export interface CreatedOrder {
  order: ServiceOrder;
  isNew: boolean;
  /** Why the outcome is not in the ledger. */
  warning: Text | undefined;
  /** Why it needs attention although it exists: the service has several of it, or shows it cancelled. */
  error?: CliError;
}

interface OneOrder {
  order: Order;
  /** Of `--idempotency-key`. */
  key: string | undefined;
  fieldPaths: FieldPaths;
  /** The command that sends it again. */
  repeated: Typed;
}

/** Errors: those that say why the order was not created; `ledger_not_writable`. */
export async function sendOne(
  context: Context,
  connection: Connection,
  { order, key, fieldPaths, repeated }: OneOrder,
): Promise<CreatedOrder> {
  const { client } = connection;
  const ledger = await connection.openLedger();
  const run = context.system.randomUuid().slice(0, 8);
  const { record, warning } = createRecorder();
  try {
    await ledger.runs.begin({ id: run, kind: 'create', file: '', results: '', orders: 1 });
    const end = (exitCode: number) => record(() => ledger.runs.end(run, exitCode));
    const send = async () => {
      const sendContext: SendContext = {
        client,
        finder: createOrderFinder(client),
        ledger,
        run,
        entries: await entriesOfMerchant(ledger, client),
        recreatesCancelled: false,
        fieldPaths,
        ...(key === undefined ? {} : { key }),
        now: () => context.clock.now(),
      };
      return sendThrough(order, sendContext, record, context.print);
    };
    const created = await send().catch(async (error) => {
      await end(error instanceof CliError ? error.exitCode : 1);
      const problem = warning();
      if (problem !== undefined) context.print.note(problem);
      if (error instanceof CliError && error.code === 'order_refused')
        throw await namingUsedSkus(error, order, context, connection);
      throw withNextStep(error, order, repeated, context);
    });
    await end(created.error?.exitCode ?? 0);
    return { ...created, warning: warning() };
  } finally {
    ledger.close();
  }
}

type Recorder = (write: () => void | Promise<void>) => Promise<void>;

/** A ledger error must not hide the outcome of the order, so it becomes a warning. */
function createRecorder(): { record: Recorder; warning(): Text | undefined } {
  let failure: CliError | undefined;
  const record: Recorder = async (write) => {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      failure ??= error;
    }
  };
  return { record, warning: () => failure && t`warning: ${failure.sentence}` };
}

/** Running the command again settles an unknown outcome. Of an order that is there already no other one is created. */
function withNextStep(
  error: unknown,
  order: Order,
  repeated: Typed,
  { prompts }: Pick<Context, 'prompts'>,
): unknown {
  if (!(error instanceof CliError)) return error;
  const { cause, code, details } = error;
  const withHint = (hint: Text) => new CliError(code, error.sentence, { ...details, hint });
  const id = textField(order, 'externalOrderId') ?? '';
  const like = prompts === undefined ? undefined : command('create', '--like', id);
  switch (code) {
    case 'in_other_run':
      return withHint(t`Wait until that run has ended, then run:\n  ${repeated}`);
    case 'order_cancelled':
      return withHint(
        like === undefined ? t`Create it under a new ID.` : t`Create it under a new ID: ${like}`,
      );
    case 'outcome_unknown': {
      const cure = cause instanceof CliError && cause.details.hint ? advice`${cause.details.hint}\n` : '';
      const hint = advice`${cure}${t`To settle it, run this command, which never creates the order twice:\n  ${repeated}`}`;
      const sentence =
        prompts === undefined
          ? error.sentence
          : t`${error.sentence} It is the order for ${orderInShort(order)}.`;
      return new CliError(code, sentence, { ...details, hint });
    }
    default:
      return error;
  }
}

/** An unknown SKU may be one that was used before, typed with letters of the other alphabet. */
async function namingUsedSkus(
  { code, sentence, details }: CliError,
  order: Order,
  context: Context,
  connection: Connection,
): Promise<CliError> {
  const { otherAlphabet, readUsedSkus, usedLookAlike } = await import('./used-skus.ts');
  const usedSkus = await readUsedSkus(context, connection);
  const named = orderLines(order).flatMap((line) => {
    const sku = textField(line, 'sku') ?? '';
    const used = usedLookAlike(sku, usedSkus);
    return used === undefined ? [] : otherAlphabet(sku, used);
  });
  const hint = joinTexts([...named, details.hint ?? ''], '\n');
  return new CliError(code, sentence, { ...details, hint });
}

async function sendThrough(
  order: Order,
  sendContext: SendContext,
  record: Recorder,
  print: Context['print'],
): Promise<Omit<CreatedOrder, 'warning'>> {
  const { client, ledger, run } = sendContext;
  const externalOrderId = textField(order, 'externalOrderId') ?? '';
  const {
    outcome,
    order: shown,
    error,
    stop,
    mayBeSeveral,
  } = await sendOrder({ externalOrderId, order, row: 0 }, sendContext);
  await record(() => ledger.transaction(() => ledger.runs.recordOrder(run, outcome)));
  const exists = outcome.outcome === 'created' || outcome.outcome === 'already_exists';
  const why = error ?? stop;
  if (!exists) throw outcome.outcome === 'unknown' ? toUnknown(outcome, why) : (why ?? toError(outcome));
  if (outcome.code === notCompared) print.note(t`warning: ${outcome.message ?? ''}`);
  for (const { path, message } of outcome.warnings ?? []) {
    print.note(t`warning: ${cleanCell(path ?? '')}: ${message}`);
  }
  const there = shown ?? (await readKnown(client, outcome));
  const isNew = outcome.outcome === 'created';
  if (outcome.code === orderCancelled) {
    const sentence = t`Order ${nameOf(there)} was created, and the service shows it cancelled.`;
    const hint = t`Ask the operator of the service why, before you create it under a new ID.`;
    return { order: there, isNew, error: new CliError('order_cancelled', sentence, { hint }) };
  }
  if (!mayBeSeveral) return { order: there, isNew };
  let found: SameId | undefined;
  await record(async () => {
    [found] = await lookUpCopies([{ log: ledger.orders, externalOrderId }], sendContext);
  });
  if (found === undefined) return { order: there, isNew };
  print.note(notesOnCopies([found])[0] ?? '');
  return { order: found.kept ?? there, isNew, ...(isTwice(found) ? { error: twiceError([found]) } : {}) };
}

/** An error of this attempt does not settle an earlier one. */
function toUnknown(outcome: OrderOutcome, why: CliError | undefined): CliError {
  if (why === undefined) return toError(outcome);
  if (why.details.outcome === 'unknown') return why;
  const { externalOrderId, idempotencyKey } = outcome;
  const sentence = t`Order ${externalOrderId} was sent before, and it is not known yet whether it was created. ${why.sentence}`;
  return new CliError('outcome_unknown', sentence, {
    ...why.details,
    outcome: 'unknown',
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    cause: why,
  });
}

/** For an order in the ledger; if the key may not read, only what the ledger has. */
async function readKnown(client: ApiClient, outcome: OrderOutcome): Promise<ServiceOrder> {
  const { orderId: id = '', orderNumber, externalOrderId } = outcome;
  try {
    return await getOrder(client, id, externalOrderId);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'permission_missing') throw error;
    return { id, order: { id, ...(orderNumber === undefined ? {} : { orderNumber }), externalOrderId } };
  }
}

const ledgerErrors: Record<string, { code: ErrorCode; hint(name: string): Text }> = {
  content_changed: {
    code: 'order_conflict',
    hint: (name) => t`Compare it: ${command('get', name)}`,
  },
  order_cancelled: { code: 'order_cancelled', hint: () => t`Create it under a new ID.` },
  in_other_run: { code: 'in_other_run', hint: () => '' },
};

/** For an outcome from the ledger, without a response. */
function toError({ outcome, code = '', message = '', ...order }: OrderOutcome): CliError {
  const { externalOrderId, orderNumber, orderId, fix = '', idempotencyKey } = order;
  const { code: errorCode, hint } = ledgerErrors[code] ?? {
    code: 'outcome_unknown',
    hint: () => t`To continue: ${fix}.`,
  };
  const errorOutcomes: Partial<Record<OutcomeName, ErrorDetails['outcome']>> = {
    unknown: 'unknown',
    not_sent: 'not_sent',
  };
  return new CliError(errorCode, t`Order ${externalOrderId}: ${message}.`, {
    hint: hint(orderNumber ?? orderId ?? externalOrderId),
    outcome: errorOutcomes[outcome] ?? 'rejected',
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
}
