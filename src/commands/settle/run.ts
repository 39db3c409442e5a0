import { advice, again, commandFor, type Text, t } from '../../advice/advice.ts';
import { probeService } from '../../api/operations/check-address.ts';
import { createOrderFinder } from '../../api/pages/order-finder.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import {
  cureOfTwice,
  isTwice,
  notesOnCopies,
  type SameId,
  twice,
  twiceError,
} from '../../import/results/order-outcome.ts';
import { knownCopies, lookUpCopies } from '../../import/send/copies.ts';
import { findOpenOrders, type OpenOrders } from '../../import/send/merchant-entries.ts';
import { type SettledOrder, settleOpenOrders } from '../../import/send/settle-orders.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { SentOrder } from '../../ledger/order-log.ts';
import { defaultPaths } from '../../orders/unnamed-fields.ts';
import { outcomeText } from '../../output/outcomes.ts';
import { describeSettled, describeStillOpen, minutesUntil } from '../../output/unsettled-orders.ts';

/** Uses lookups only. Needs no lock: each write first reads the entry in the same transaction, and two processes that settle the same order write the same. */
export async function runSettle(context: Context, references: readonly string[]): Promise<void> {
  const { clock, connect, interruption } = context;
  await using connection = await connect({
    waitsForOutages: false,
    limits: { concurrency: 'auto', perSecond: undefined },
  });
  const { client } = connection;
  const { stopping } = interruption;
  // If all lookups would fail, this says why.
  const failure = stopping.aborted ? undefined : (await probeService(client)).error;
  // Without a response it is unknown which sandbox this is.
  const isAway = failure !== undefined && failure.details.status === undefined;
  if (isAway && connection.label === 'SANDBOX') throw failure;
  const ledger = await connection.openLedger();
  try {
    const chosen = await choose(context, connection, ledger, references);
    const settle = (orders: OpenOrders[]) =>
      settleOpenOrders(orders, {
        client,
        ledger,
        now: () => clock.now(),
        stopping: failure === undefined ? stopping : AbortSignal.abort(),
      });
    const settled = await settle(chosen);
    const known = new Set(settled.map(({ externalOrderId }) => externalOrderId));
    const due = chosen
      .filter(({ seesAll }) => seesAll)
      .flatMap(({ log }) => log.findWithCopies().map((order) => ({ ...order, log })))
      .filter(({ externalOrderId }) => references.length === 0 || known.has(externalOrderId));
    const isStopped = failure !== undefined || stopping.aborted;
    const finder = createOrderFinder(client);
    const sameIds = isStopped
      ? knownCopies(due)
      : await lookUpCopies(due, { client, ledger, finder, fieldPaths: defaultPaths });
    // The lookup may have shown a copy of a cancelled order that is not.
    const cancelled = new Set(
      settled.filter(({ outcome }) => outcome === 'cancelled').map((order) => order.externalOrderId),
    );
    const isCancelled = ({ externalOrderId }: SentOrder) => cancelled.has(externalOrderId);
    const after = await settle(chosen.map((ofKey) => ({ ...ofKey, open: ofKey.open.filter(isCancelled) })));
    const alive = new Map(
      after.filter(({ outcome }) => outcome === 'created').map((order) => [order.externalOrderId, order]),
    );
    const ended = settled.map((order) => alive.get(order.externalOrderId) ?? order);
    const others = due.filter(({ externalOrderId }) => !known.has(externalOrderId));
    reportSettled(context, [...ended, ...createdTwice(others, sameIds)], { sameIds, failure });
  } finally {
    ledger.close();
  }
}

/** Named orders are reported even if they are settled. Error: `usage`. */
async function choose(
  context: Context,
  { client }: Connection,
  ledger: Ledger,
  references: readonly string[],
): Promise<OpenOrders[]> {
  const all = await findOpenOrders(ledger, client);
  if (references.length === 0) return all;
  const chosen = all.map((ofKey) => ({ ...ofKey, named: new Map<string, SentOrder>() }));
  for (const reference of references) {
    let isKnown = false;
    for (const { log, open, named } of chosen) {
      const found = log.findNamed(reference);
      const openIds = new Set(open.map(({ externalOrderId }) => externalOrderId));
      isKnown ||= found.length > 0;
      for (const order of found) {
        const { externalOrderId: id } = order;
        if (id === reference || openIds.has(id)) named.set(id, order);
      }
    }
    if (!isKnown)
      throw new CliError('usage', t`This machine has sent no order ${reference} with this key.`, {
        hint: t`Name an external order ID or the ID of an import, or run:\n  ${commandFor(context, ['settle'])}`,
      });
  }
  return chosen.map(({ named, ...ofKey }) => ({ ...ofKey, open: [...named.values()] }));
}

const notComparedNote = t`Whether they have the content that was sent is not known: look at them, or create or import them again, which compares it.`;
const columns = ['order', 'operation', 'outcome', 'orderNumber', 'run'];
const maxShown = 20;
const maxNamed = 5;

/** Errors: `outcome_unknown` while an order is open; `twice`. */
function reportSettled(
  context: Context,
  settled: readonly SettledOrder[],
  { sameIds, failure }: { sameIds: readonly SameId[]; failure: CliError | undefined },
): void {
  const { report, print, clock, say, system } = context;
  const several = sameIds.filter(isTwice);
  const byId = new Map(several.map((sameId) => [sameId.externalOrderId, sameId]));
  const records = settled.map((order) => toRecord(order, byId.get(order.externalOrderId)));
  report.records('orders', records, columns, {
    heads: [t`own id`, t`command`, t`outcome`, t`number`, t`run`],
    rows: records.map(({ order, operation, outcome, orderNumber, run }) => {
      return [order, operation, outcomeText(outcome), orderNumber ?? '', run];
    }),
  });
  const look = { width: system.terminal.width, now: clock.now(), say };
  const found = settled.filter(({ order }) => order !== undefined);
  for (const order of found.slice(0, maxShown)) print.note(describeSettled(order, look));
  if (found.length > 0) print.note(notComparedNote);
  const open = settled.filter(({ outcome }) => outcome === 'unknown');
  if (settled.length === 0) print.note(t`There is no order whose outcome is unknown.`);
  for (const order of open.slice(0, maxShown)) print.note(describeStillOpen(order, clock.now()));
  if (open.length > maxShown) print.note(t`and ${open.length - maxShown} more`);
  const absent = settled.filter(({ outcome }) => outcome === 'not_found');
  for (const note of notesOnAbsent(context, absent)) print.note(note);
  for (const note of notesOnCopies(sameIds)) print.note(note);
  if (open.length > 0) {
    if (several.length > 0) print.note(cureOfTwice(several));
    throw stillOpen(open, clock.now(), failure);
  }
  const imports = settled.flatMap(({ operation, run }) => (operation === 'import' ? [run] : []));
  for (const run of [...new Set(imports)].slice(0, maxNamed))
    print.note(
      t`To print the results of its import, run:\n  ${commandFor(context, ['imports', 'show', run, '--format', 'csv'])}`,
    );
  if (several.length > 0) throw twiceError(several);
}

function toRecord(
  { externalOrderId, operation, outcome, orderNumber, run }: SettledOrder,
  sameId: SameId | undefined,
) {
  const number = (sameId === undefined ? orderNumber : sameId.orderNumber) ?? null;
  const record = { order: externalOrderId, operation, outcome, orderNumber: number, run };
  return sameId === undefined ? record : { ...record, code: twice };
}

/** Settled before, and the service has several of each. */
function createdTwice(due: readonly SentOrder[], sameIds: readonly SameId[]): SettledOrder[] {
  const several = new Set(sameIds.filter(isTwice).map(({ externalOrderId }) => externalOrderId));
  return due
    .filter(({ externalOrderId }) => several.has(externalOrderId))
    .map((order) => ({ ...order, outcome: 'created' }));
}

function notesOnAbsent(context: Context, absent: readonly SettledOrder[]): Text[] {
  const files = new Map<string, number>();
  const notes: Text[] = [];
  for (const { operation, file, externalOrderId } of absent) {
    if (operation === 'import') files.set(file, (files.get(file) ?? 0) + 1);
    else if (notes.length < maxShown) {
      const command = commandFor(context, ['create', '--external-order-id', externalOrderId]);
      notes.push(t`${cleanCell(externalOrderId)} was not created. To create it, run:\n  ${command}`);
    }
  }
  for (const [file, count] of files) {
    const command = commandFor(context, ['import', file]);
    notes.push(
      t`${count} {order|orders} {was|were} not created. To send {it|them}, run the same import again, with the same flags:\n  ${command}`,
    );
  }
  return notes;
}

function stillOpen(open: readonly SettledOrder[], now: number, failure: CliError | undefined): CliError {
  const named = open.slice(0, maxNamed).map(({ externalOrderId }) => externalOrderId);
  const ids = `${named.join(', ')}${open.length > maxNamed ? ', ...' : '.'}`;
  const last = Math.max(...open.map(({ provableAt }) => provableAt ?? 0));
  const sentence = t`It is not yet known whether ${open.length} {order|orders} {was|were} created: ${ids}`;
  const when =
    last > now
      ? t`Run the same command again in ${minutesUntil(last, now)}.`
      : t`Run the same command again later.${again()}`;
  const next = failure?.details.hint === undefined ? advice`${when} ` : advice`${failure.details.hint}\n`;
  const alike = t`Creating or importing the same order under the same ID settles it too, and never creates it twice.`;
  return new CliError('outcome_unknown', failure ? advice`${sentence} ${failure.sentence}` : sentence, {
    hint: advice`${next}${alike}${again()}`,
    outcome: 'unknown',
  });
}
