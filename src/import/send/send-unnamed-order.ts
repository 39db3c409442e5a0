import { type Creation, createOrder } from '../../api/operations/create.ts';
import { CliError } from '../../errors.ts';
import { isOpen } from '../../ledger/entry.ts';
import { hashBody } from '../../ledger/ledger.ts';
import type { UnnamedOrder } from '../../ledger/unnamed-orders.ts';
import { type Order, textField, writeOrderBody } from '../../orders/order.ts';
import type { Sender } from './send-order.ts';

/** `unwritten`: the ledger could not be told what came of it. */
export type UnnamedSent =
  | { outcome: 'sent'; creation: Creation; unwritten?: CliError }
  | { outcome: 'there'; orderId: string };

export interface UnnamedSender extends Pick<Sender, 'client' | 'finder' | 'ledger' | 'run' | 'now'> {
  key: string;
  /** Somebody gave the key, and so means the order that was sent under it when there is one. */
  isKeyGiven: boolean;
}

/**
 * Creates an order that has no own id, so that its key alone tells a repeat (interface section 4.1). An attempt that
 * nobody knows the end of is sent again only by a person who gives its key.
 * Errors: `outcome_unknown` while such an attempt with the same content is open, `usage` for a key of another order,
 * `in_other_run`, `ledger_not_writable`.
 */
export async function sendUnnamedOrder(order: Order, sender: UnnamedSender): Promise<UnnamedSent> {
  const { client, finder, ledger, key } = sender;
  const body = writeOrderBody(order);
  const begun = await ledger.transaction(() => begin(hashBody(body), sender));
  if (begun instanceof CliError) throw begun;
  if ('orderId' in begun) return { outcome: 'there', orderId: begun.orderId };
  const { intent, before } = begun;
  const creation = await createOrder(client, finder, {
    ...{ order, body, key, hasOpenAttempt: before !== undefined && isOpen(before) },
    ...{ mayComeLate: false, looksUpRefusals: false, isOverdue: false, replaced: new Set() },
  });
  try {
    await ledger.transaction(() => record(intent, before, creation, sender));
    return { outcome: 'sent', creation };
  } catch (error) {
    // It is no reason to lose what is known.
    if (error instanceof CliError) return { outcome: 'sent', creation, unwritten: error };
    throw error;
  }
}

type Begun = { intent: UnnamedOrder; before: UnnamedOrder | undefined } | { orderId: string } | CliError;

function begin(bodyHash: string, { ledger, key, isKeyGiven, run, now }: UnnamedSender): Begun {
  const before = ledger.unnamed.recall(key);
  if (before !== undefined && before.bodyHash !== bodyHash) {
    return new CliError('usage', `The key ${key} belongs to an order with other content.`, {
      hint: 'Give the order as it was, or leave --idempotency-key out. Nothing was sent.',
      outcome: 'not_sent',
    });
  }
  const [open] = isKeyGiven ? [] : ledger.unnamed.open(bodyHash);
  const underWay = open ?? before;
  if (underWay?.state === 'intent' && ledger.runs.isAlive(underWay.holder)) {
    return new CliError('in_other_run', 'The same order is being sent now by another run.', {
      hint: 'Wait until that has ended, then run the same command again.',
      outcome: 'not_sent',
    });
  }
  if (open !== undefined) return stillOpen(open);
  if (before?.state === 'created' && before.orderId !== null) return { orderId: before.orderId };
  const intent: UnnamedOrder = {
    ...{ idempotencyKey: key, bodyHash, state: 'intent', orderId: null, orderNumber: null, code: null },
    ...{ holder: run, begunAt: before?.begunAt ?? now() },
  };
  ledger.unnamed.record(intent);
  return { intent, before };
}

function stillOpen({ idempotencyKey }: UnnamedOrder): CliError {
  const sentence = 'The same order was sent before, and nobody knows what came of that: it may exist.';
  return new CliError('outcome_unknown', sentence, {
    hint: `Run the same command with --idempotency-key ${idempotencyKey}: it sends that order again under its key.`,
    outcome: 'unknown',
    idempotencyKey,
  });
}

function record(
  intent: UnnamedOrder,
  before: UnnamedOrder | undefined,
  creation: Creation,
  { ledger }: UnnamedSender,
): void {
  const { unnamed } = ledger;
  if (creation.outcome === 'created' || creation.outcome === 'already_exists') {
    const { id, order } = creation.order;
    const orderNumber = textField(order, 'orderNumber') ?? null;
    unnamed.record({ ...intent, state: 'created', orderId: id, orderNumber });
    return;
  }
  const wasProcessed =
    creation.outcome === 'conflict' ||
    (creation.outcome === 'rejected' && creation.ending.outcome !== 'forbidden');
  const isStillOpen = before !== undefined && isOpen(before);
  if (creation.outcome === 'unknown') unnamed.record({ ...intent, state: 'unknown' });
  else if (wasProcessed && !isStillOpen) {
    unnamed.record({ ...intent, state: 'refused', code: creation.error.details.serviceCode ?? null });
  } else
    unnamed.withdraw(
      intent.idempotencyKey,
      before && { ...before, state: isStillOpen ? 'unknown' : before.state },
    );
}
