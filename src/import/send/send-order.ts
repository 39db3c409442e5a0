import type { ApiClient } from '../../api/client.ts';
import { type Creation, createOrder } from '../../api/operations/create.ts';
import { getOrder } from '../../api/operations/find.ts';
import { nextStep } from '../../api/pacing/next-step.ts';
import type { OrderFinder } from '../../api/pages/order-finder.ts';
import { idempotencyKey } from '../../api/requests.ts';
import type { ServiceOrder } from '../../api/responses/order.ts';
import { CliError } from '../../errors.ts';
import { isOpen, type LedgerEntry, notCompared } from '../../ledger/entry.ts';
import { hashBody } from '../../ledger/ledger.ts';
import { writeOrderBody } from '../../orders/order.ts';
import type { OrderOutcome } from '../results/order-outcome.ts';
import { type Decision, decide, type Sending } from './decide.ts';
import type { OrderToSend } from './order-to-send.ts';
import { contentChanged, createdOutcome, creationOutcome, orderCancelled } from './outcomes.ts';
import { gatherFacts, notSent, outcomeOf, type RecallParts, unsent } from './recall-outcome.ts';
import { createdRow, createIntent, recordCreation } from './record-creation.ts';
import { judgeFinding, judgeOrder, type Seen } from './seen.ts';

export interface Sender extends RecallParts {
  client: ApiClient;
  finder: OrderFinder;
  run: string;
  /** Sends under this key, whatever the order is. */
  key?: string;
}

export interface Sent {
  outcome: OrderOutcome;
  /** The order as the service showed it, when it did. */
  order?: ServiceOrder;
  error?: CliError;
  /** Why no other order should be begun; after a 403, why none should if the next answer is one too. */
  stop?: CliError | undefined;
  isForbidden?: boolean;
}

type Turn =
  | { next: 'ask'; what: 'look_up' | 'read'; row: LedgerEntry | undefined }
  | {
      next: 'send';
      sending: Sending;
      intent: LedgerEntry;
      before: LedgerEntry | undefined;
      replaced: string[];
    }
  | { next: 'end'; sent: Sent };

/**
 * Brings one order to its end: asks the service where the ledger alone cannot say, writes the intent before the
 * request leaves, and after it what came of it.
 */
export async function sendOrder(order: OrderToSend, sender: Sender): Promise<Sent> {
  const body = writeOrderBody(order.order);
  let seen: Seen | undefined;
  try {
    for (let asked = 0; ; asked += 1) {
      const turn = await sender.ledger.transaction(() => takeTurn(order, body, seen, sender));
      if (turn.next === 'end') return turn.sent;
      if (turn.next === 'ask') {
        seen = await ask(turn, order, sender);
        const { row } = turn;
        if (turn.what === 'read' && seen.kind === 'cancelled' && sender.recreates && row?.orderId != null) {
          // That one order is cancelled says nothing of others with its own id, so they are looked up next.
          const known = { orderId: row.orderId, externalOrderId: order.externalOrderId };
          await sender.ledger.transaction(() => sender.ledger.cancellations.add(known));
          seen = undefined;
        }
        continue;
      }
      const sent = await send(order, body, turn, sender);
      // What turned out to be cancelled only now is created again as if that had been known.
      const isCancelled = sent.outcome.outcome === 'conflict' && sent.outcome.code === 'order_cancelled';
      const goesOn = sender.recreates && isCancelled && asked < mostTurns;
      if (!goesOn) return sent;
      seen = undefined;
    }
  } catch (error) {
    // The sending ends before anything of this order leaves: the ledger cannot be written, or the key is refused.
    if (error instanceof CliError) return { outcome: unsent(order, sender), error, stop: error };
    throw error;
  }
}

const mostTurns = 4;

/** What comes next, written down in the same transaction: from an intent on, other runs leave the order alone. */
function takeTurn(order: OrderToSend, body: string, seen: Seen | undefined, sender: Sender): Turn {
  const { ledger, run } = sender;
  const { externalOrderId } = order;
  const bodyHash = hashBody(body);
  const { facts, found, isNews } = gatherFacts(order, bodyHash, sender);
  const before = found?.row;
  if (isNews) found?.log.record(found.row);
  if (seen?.kind === 'cancelled') {
    for (const { id } of seen.orders) ledger.cancellations.add({ orderId: id, externalOrderId });
  }
  const isOtherKey = sender.key !== undefined && before !== undefined && before.idempotencyKey !== sender.key;
  const decision: Decision =
    isOtherKey && isOpen(before)
      ? { do: 'leave', code: 'earlier_attempt_open' }
      : decide({ ...facts, seen: seen?.kind });
  switch (decision.do) {
    case 'look_up':
    case 'read':
      return { next: 'ask', what: decision.do, row: before };
    case 'send': {
      if (decision.replacesCancelled) ledger.cancellations.replace(externalOrderId);
      // A key that must not be forgotten: the one that is made from the order alone is an earlier one.
      if (decision.generation > 0) ledger.sync();
      const { generation, hasOpenAttempt } = decision;
      const key = sender.key ?? idempotencyKey(externalOrderId, body, generation);
      const sentAs = { externalOrderId, bodyHash, idempotencyKey: key, generation };
      const intent = createIntent(sentAs, run, before, hasOpenAttempt);
      const ownBefore = found?.sentWith === 'own' ? before : undefined;
      ledger.orders.record(intent);
      const replaced = ledger.cancellations.replaced(externalOrderId);
      return { next: 'send', sending: decision, intent, before: ownBefore, replaced };
    }
    case 'take': {
      const { order: there, notCompared: unseen } = seen as Extract<Seen, { kind: 'equal' }>;
      const base = before as LedgerEntry;
      // What a look-up settled before keeps its run, now that its content is known to be ours.
      const isOurs = decision.as === 'created' || base.code === notCompared;
      const createdBy = isOurs ? base.run : '';
      const row = createdRow({ ...base, bodyHash }, there, createdBy);
      ledger.orders.record(row);
      const told = {
        order: there,
        outcome: decision.as,
        run: createdBy,
        key: base.idempotencyKey,
        notCompared: unseen,
      };
      return { next: 'end', sent: { outcome: createdOutcome(order, told), order: there } };
    }
    case 'conflict':
      return { next: 'end', sent: endInConflict(order, decision.code, before, seen, sender) };
    default:
      return { next: 'end', sent: { outcome: outcomeOf(order, decision, found) ?? notSent(order) } };
  }
}

/** An order that is there with other content settles what was open under its id. */
function endInConflict(
  order: OrderToSend,
  code: 'content_changed' | 'order_cancelled',
  before: LedgerEntry | undefined,
  seen: Seen | undefined,
  { ledger }: Sender,
): Sent {
  const there = seen !== undefined && 'order' in seen ? seen.order : undefined;
  const [cancelled] = seen?.kind === 'cancelled' ? seen.orders : [];
  const found = there ?? cancelled;
  const isNews = before !== undefined && before.state !== 'created' && found !== undefined;
  const row = isNews ? foundRow(before, found) : before;
  if (isNews && row !== undefined) ledger.orders.record(row);
  const differing = seen?.kind === 'other' ? seen.differing : undefined;
  const outcome =
    code === 'content_changed' ? contentChanged(order, row, differing) : orderCancelled(order, row);
  return { outcome, ...(found === undefined ? {} : { order: found }) };
}

/** Whose order it is a later comparison tells; what was sent before may come late all the same. */
function foundRow(before: LedgerEntry, found: ServiceOrder): LedgerEntry {
  const { unknownAt, disputedAt } = before;
  const run = isOpen(before) ? before.run : '';
  return { ...createdRow(before, found, run), code: notCompared, unknownAt, disputedAt };
}

/** What fails to be seen proves nothing; whether the service is there at all shows when the order is sent. */
async function ask(
  { what, row }: Extract<Turn, { next: 'ask' }>,
  { externalOrderId, order }: OrderToSend,
  { client, finder, ledger }: Sender,
): Promise<Seen> {
  if (what === 'look_up') {
    const replaced = new Set(ledger.cancellations.replaced(externalOrderId));
    const lookupResult = await finder.find(externalOrderId);
    // No other order would fare better with this key.
    if (lookupResult.kind === 'not_allowed' && lookupResult.error.code === 'key_refused')
      throw lookupResult.error;
    return judgeFinding(lookupResult, order, replaced);
  }
  try {
    return judgeOrder(await getOrder(client, row?.orderId ?? ''), order);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { kind: error.code === 'order_not_found' ? 'absent' : 'nothing' };
  }
}

async function send(
  order: OrderToSend,
  body: string,
  { sending, intent, before, replaced }: Extract<Turn, { next: 'send' }>,
  { client, finder, ledger, now }: Sender,
): Promise<Sent> {
  const { hasOpenAttempt, mayComeLate, looksUpRefusals, isOverdue } = sending;
  const creation = await createOrder(client, finder, {
    externalOrderId: order.externalOrderId,
    ...{ order: order.order, body, key: intent.idempotencyKey, hasOpenAttempt, mayComeLate },
    ...{ looksUpRefusals, isOverdue },
    replaced: new Set(replaced),
  });
  const outcome: OrderOutcome = {
    ...creationOutcome(order, creation, intent),
    // What was not processed now says nothing of the attempt before it.
    ...(hasOpenAttempt && wasNotProcessed(creation) ? { outcome: 'unknown' } : {}),
  };
  const sent: Sent = {
    outcome,
    ...('order' in creation ? { order: creation.order } : {}),
    ...('error' in creation ? { error: creation.error } : {}),
    isForbidden: 'ending' in creation && creation.ending.outcome === 'forbidden',
  };
  try {
    await ledger.transaction(() => recordCreation(ledger, intent, creation, before, now()));
    return { ...sent, stop: stopOf(creation) };
  } catch (error) {
    // It is no reason to lose what is known.
    if (error instanceof CliError) return { ...sent, stop: error };
    throw error;
  }
}

function wasNotProcessed(creation: Creation): boolean {
  return 'ending' in creation && (creation.outcome === 'not_sent' || creation.ending.outcome === 'forbidden');
}

function stopOf(creation: Creation): CliError | undefined {
  if (!('ending' in creation)) return undefined;
  const { outcome, stop } = creation.ending;
  const concernsAll =
    creation.outcome === 'not_sent' || outcome === 'forbidden' || nextStep(outcome) === 'stop';
  return concernsAll || stop !== undefined ? creation.last : undefined;
}
