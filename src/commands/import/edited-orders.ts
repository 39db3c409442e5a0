import { commandFor, type Text, type Typed, t } from '../../advice/advice.ts';
import { lookUp } from '../../api/operations/find.ts';
import { isCancelled } from '../../api/responses/order.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { isSendable, type PlannedOrder } from '../../import/orders/plan.ts';
import { entriesOfKey } from '../../import/send/merchant-entries.ts';
import { hashOrder } from '../../ledger/order-log.ts';
import { orderFlags } from '../../orders/assignment.ts';
import { createFieldMover, type FieldPaths } from '../../orders/unnamed-fields.ts';
import { describeChanges, type MatchedOrders, type NumberedOrder } from './edited-rows.ts';

type Edited = MatchedOrders['edited'][number];

/** What is known of the order of a row that was edited. */
export interface EditedOrder extends Edited {
  changes: Text;
  /** Of the order, also when one was created in its place. */
  id: string;
  /** Whether there is an order under that ID that is not as the row is now. */
  exists: boolean;
  /** The commands that change the order which exists. */
  commands: Typed[];
  /** Why there is no command that creates it anew. */
  problem: Text | undefined;
}

interface EditedOptions {
  header: readonly string[];
  fieldPaths: FieldPaths;
  isDryRun: boolean;
  /** Plans rows under IDs, at the default paths. */
  plan(orders: readonly NumberedOrder[]): Promise<ReadonlyMap<string, PlannedOrder>>;
}

/** Those of which the order would be another one; an edit of what is not sent changes nothing. Errors: those of planning. */
export async function findEdited(
  context: Context,
  edited: readonly Edited[],
  { header, fieldPaths, isDryRun, plan }: EditedOptions,
): Promise<EditedOrder[]> {
  const under = edited.map(({ now, before }) => ({ ...now, id: before.id }));
  const [nows, befores] = [await plan(under), await plan(edited.map(({ before }) => before))];
  const move = createFieldMover(fieldPaths);
  const bodyOf = (planned: PlannedOrder | undefined, id: string) =>
    planned && hashOrder(move({ ...planned.order, externalOrderId: id }));
  const changed = edited.filter(({ before: { id } }) => {
    const [now, before] = [nows.get(id), befores.get(id)];
    return (
      now?.leftOut !== before?.leftOut ||
      bodyOf(now, id) === undefined ||
      bodyOf(now, id) !== bodyOf(before, id)
    );
  });
  if (changed.length === 0) return [];
  await using orders = await openOrders(context, isDryRun);
  const found: EditedOrder[] = [];
  for (const each of changed) {
    const planned = nows.get(each.before.id);
    let { id } = each.before;
    let state = await orders.find(id);
    while (state.kind === 'cancelled') {
      id = nextId(id);
      state = await orders.find(id);
    }
    const exists = state.kind === 'exists' && state.bodyHash !== bodyOf(planned, id);
    const next = nextId(id);
    const canCreate = planned !== undefined && isSendable(planned);
    const create = canCreate ? [['create', ...orderFlags({ ...planned.order, externalOrderId: next })]] : [];
    const commands = [['cancel', id, '--reason', 'changed in the sheet'], ...create];
    found.push({
      ...each,
      changes: describeChanges(each, header),
      id,
      exists,
      commands: commands.map((words) => commandFor(context, words)),
      problem: canCreate ? undefined : whyNot(planned),
    });
  }
  return found;
}

function whyNot(planned: PlannedOrder | undefined): Text {
  if (planned?.leftOut !== undefined) return t`as it is now, the row is left out`;
  const problem = planned?.problems.find(({ severity }) => severity === 'error');
  return problem === undefined ? t`the row cannot be read` : t`the row needs fixing: ${problem.problem}`;
}

/** `n3b4c75f3-002` → `n3b4c75f3-002-r2`: orders are never created twice under one ID. */
function nextId(id: string): string {
  const [, base = id, number = '1'] = /^(.+)-r(\d{1,6})$/.exec(id) ?? [];
  return `${base}-r${Number(number) + 1}`;
}

type OrderState = { kind: 'none' | 'cancelled' } | { kind: 'exists'; bodyHash?: string };

interface Orders extends AsyncDisposable {
  find(id: string): Promise<OrderState>;
}

/** By the ledger, else by the service, since a colleague may have sent it. What cannot be told exists. */
async function openOrders({ connect }: Context, isDryRun: boolean): Promise<Orders> {
  const connection = await connect({ waitsForOutages: false });
  const ledger = await connection.openLedger({ isDryRun: true });
  const entries = entriesOfKey(ledger);
  return {
    find: async (id) => {
      const known = entries.find(id);
      if (known?.isCancelled) return { kind: 'cancelled' };
      if (known !== undefined && known.entry.state !== 'rejected')
        return { kind: 'exists', bodyHash: known.entry.bodyHash };
      if (known !== undefined || isDryRun) return { kind: 'none' };
      try {
        const found = await lookUp(connection.client, 'externalOrderId', id);
        if (found.length === 0) return { kind: 'none' };
        return { kind: found.every(isCancelled) ? 'cancelled' : 'exists' };
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        return { kind: 'exists' };
      }
    },
    [Symbol.asyncDispose]: async () => {
      ledger.close();
      await connection[Symbol.asyncDispose]();
    },
  };
}
