import { t } from '../../advice/advice.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { isSendable, type PlannedOrder } from '../../import/orders/plan.ts';
import type { OrderOutcome } from '../../import/results/order-outcome.ts';
import type { Ledger } from '../../ledger/ledger.ts';
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
  check(order: ProofOrder, outcome: OrderOutcome | undefined): Promise<CliError | undefined>;
  /** What cannot be recorded is shown by the next run. */
  end(stoppedBy: CliError | undefined): Promise<void>;
}

/** Enough, as some may be rejected. */
const maxOrdersPerFields = 5;

interface ProvingParts {
  connection: Connection;
  ledger: Ledger;
  job: Pick<ImportJob, 'plan' | 'places'>;
  /** Not empty. */
  open: readonly UnnamedField[];
}

export function proveFields(
  context: Context,
  { connection, ledger, job: { plan, places }, open }: ProvingParts,
): FieldProving {
  const proof = createFieldProof(open, places);
  const needed = open.filter(isNeeded);
  const candidates = needed.length === 0 ? [] : findCandidates(plan.orders(), open, proof);
  const parts = { connection, ledger, proof };
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
        const check = checkShown(context, parts, planned.order, { id, order });
        return check.then((dropped) => dropped?.error, toCliError);
      }
      return proof.openIn(planned.order).some(isNeeded) && next() === undefined ? notProved() : undefined;
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
  { places }: FieldProof,
): PlannedOrder[] {
  const byFields = new Map<string, { carried: UnnamedField[]; orders: PlannedOrder[] }>();
  for (const planned of orders) {
    if (!planned.isSelected || !isSendable(planned)) continue;
    const carried = tellingFields(planned.order, fields, places);
    if (!carried.some(isNeeded)) continue;
    const key = carried.join();
    const found = byFields.get(key) ?? { carried, orders: [] };
    if (found.orders.length < maxOrdersPerFields) found.orders.push(planned);
    byFields.set(key, found);
  }
  return [...byFields.values()]
    .sort((one, other) => other.carried.length - one.carried.length)
    .flatMap((found) => found.orders);
}
