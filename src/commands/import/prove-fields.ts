import { t } from '../../advice/advice.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import type { Dropped } from '../../fields/proof.ts';
import { isSendable, type PlannedOrder } from '../../import/orders/plan.ts';
import type { OrderOutcome } from '../../import/results/order-outcome.ts';
import type { SendContext } from '../../import/send/context.ts';
import { outcomeFromLedger } from '../../import/send/outcomes.ts';
import {
  createFieldProof,
  type FieldProof,
  isNeeded,
  tellingFields,
  type UnnamedField,
} from '../../orders/unnamed-fields.ts';
import type { ImportJob } from './read.ts';

/** `fields`: the needed ones that it carries and no order has shown. */
export interface ProofOrder {
  planned: PlannedOrder;
  fields: UnnamedField[];
}

/** Shows, before the others are sent, where the service takes fields that the interface does not name. */
export interface FieldProving {
  proof: FieldProof;
  /** The order to send next, alone; undefined when nothing needed is open. */
  next(): ProofOrder | undefined;
  /** After it was sent. Returns why nothing more may be sent. */
  check(order: ProofOrder, outcome: OrderOutcome | undefined): Promise<Dropped | undefined>;
  /** What cannot be recorded is shown by the next run. */
  end(stoppedBy: CliError | undefined): Promise<void>;
}

/** Enough, as some may be rejected. */
const maxOrdersPerFields = 5;

interface ProvingParts {
  connection: Connection;
  sendContext: SendContext;
  job: Pick<ImportJob, 'plan' | 'fieldPaths'>;
  /** Not empty. */
  open: readonly UnnamedField[];
}

export function proveFields(
  context: Context,
  { connection, sendContext, job: { plan, fieldPaths }, open }: ProvingParts,
): FieldProving {
  const proof = createFieldProof(open, fieldPaths);
  const needed = open.filter(isNeeded);
  const isUnsent = (planned: PlannedOrder) => outcomeFromLedger(planned, sendContext) === undefined;
  const candidates = needed.length === 0 ? [] : findCandidates(plan.orders(), open, proof, isUnsent);
  const parts = { connection, ledger: sendContext.ledger, proof };
  const next = (): ProofOrder | undefined => {
    for (const planned of candidates) {
      const fields = proof.openIn(planned.order).filter(isNeeded);
      if (fields.length > 0) return { planned, fields };
    }
    return undefined;
  };
  return {
    proof,
    next,
    check: async ({ planned }, outcome) => {
      candidates.splice(candidates.indexOf(planned), 1);
      const exists = outcome?.outcome === 'created' || outcome?.outcome === 'already_exists';
      if (exists && outcome.orderId !== undefined) {
        const { externalOrderId, orderId: id, orderNumber } = outcome;
        const order = { id, externalOrderId, ...(orderNumber === undefined ? {} : { orderNumber }) };
        const { checkShown } = await import('../../fields/proof.ts');
        return checkShown(context, parts, planned.order, { id, order }).catch((error: unknown) => ({
          error: toCliError(error),
          isCancelled: false,
        }));
      }
      const isOpen = proof.openIn(planned.order).some(isNeeded) && next() === undefined;
      return isOpen ? { error: notProved(), isCancelled: false } : undefined;
    },
    end: async (stoppedBy) => {
      const { recordShown, warnOfHidden } = await import('../../fields/proof.ts');
      await recordShown(parts).catch(toCliError);
      if (stoppedBy === undefined) await warnOfHidden(context, parts).catch(toCliError);
    },
  };
}

function toCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  throw error;
}

function notProved(): CliError {
  return new CliError(
    'fields_dropped',
    t`None of the orders that were sent first was created, so nothing shows yet where the service takes the quantity and the address.`,
  );
}

/** Those with the most fields first; of orders with the same fields a few. */
function findCandidates(
  orders: Iterable<PlannedOrder>,
  fields: readonly UnnamedField[],
  { fieldPaths }: FieldProof,
  isUnsent: (planned: PlannedOrder) => boolean,
): PlannedOrder[] {
  const byFields = new Map<string, { carried: UnnamedField[]; orders: PlannedOrder[] }>();
  for (const planned of orders) {
    if (!planned.isSelected || !isSendable(planned)) continue;
    const carried = tellingFields(planned.order, fields, fieldPaths);
    if (!carried.some(isNeeded)) continue;
    const key = carried.join();
    const found = byFields.get(key) ?? { carried, orders: [] };
    if (found.orders.length < maxOrdersPerFields && isUnsent(planned)) found.orders.push(planned);
    byFields.set(key, found);
  }
  return [...byFields.values()]
    .sort((one, other) => other.carried.length - one.carried.length)
    .flatMap((found) => found.orders);
}
