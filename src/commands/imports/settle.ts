import { maxConcurrency } from '../../api/pacing/concurrency.ts';
import { listPage } from '../../api/pages/list-orders.ts';
import { createOrderFinder } from '../../api/pages/order-finder.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { type Settled, settledOutcomes, settleOrders } from '../../import/send/settle-orders.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PastRun } from '../../ledger/run-history.ts';
import { commandFor } from '../../output/error-text.ts';
import { findRun, isOfSandbox } from './show.ts';

/**
 * Settles open orders by lookups alone. It takes no lock: each write reads the entry first in the same transaction,
 * and two processes that settle the same order write the same.
 */
export async function runSettle(context: Context, reference: string): Promise<void> {
  const { run, open } = await readOpen(context, reference);
  reportSettled(context, run, open.length === 0 ? [] : await settle(context, run, open));
}

async function readOpen({ history }: Context, reference: string): Promise<{ run: PastRun; open: string[] }> {
  const past = await history();
  try {
    const run = findRun(past, reference);
    return { run, open: past.open(run) };
  } finally {
    past.close();
  }
}

async function settle(context: Context, run: PastRun, open: string[]): Promise<Settled[]> {
  const { clock, interruption } = context;
  await using connection = await context.connect({
    waitsForOutages: false,
    limits: { concurrency: 'auto', perSecond: undefined },
  });
  const ledger = await connection.openLedger();
  try {
    checkIsSameClient(run, ledger);
    const { client } = connection;
    // Reports why lookups fail, when all of them would; a single lookup only says that it failed.
    if (!interruption.stopping.aborted) await listPage(client, { pageSize: '1' });
    return await settleOrders(
      open,
      { finder: createOrderFinder(client), ledger, now: () => clock.now() },
      { concurrency: maxConcurrency, stopping: interruption.stopping },
    );
  } finally {
    ledger.close();
  }
}

/** A lookup with one key proves nothing about orders that were sent with another. */
function checkIsSameClient(run: PastRun, { client, service }: Ledger): void {
  if (run.client === client) return;
  if (run.service === service) {
    throw new CliError('usage', `Import ${run.id} was sent to ${service} with another API key.`, {
      hint: 'Use that key: name its profile with --profile, or set MERCHANT_ORDERS_API_KEY and MERCHANT_ORDERS_BASE_URL.',
    });
  }
  const hint = isOfSandbox(run)
    ? 'Use that sandbox. If it was reset or is not running, its orders cannot be looked up. See: merchant-orders sandbox info'
    : 'Name that service with --profile or --base-url.';
  throw new CliError('usage', `Import ${run.id} was sent to ${run.service}, but this is ${service}.`, {
    hint,
  });
}

const maxShown = 20;
const maxNamed = 5;

/** Reports the outcomes of the orders that were open. Error: `outcome_unknown` while any of them still is. */
function reportSettled(context: Context, run: PastRun, settled: Settled[]): void {
  const { report, print, clock } = context;
  const counts = countSettled(settled);
  const open = settled.filter(({ outcome }) => outcome === 'unknown');
  for (const order of settled) report.outcome(toRecord(order));
  report.imported({ run: run.id, orders: counts, open: open.map(toRecord) });
  if (settled.length === 0) print.note('No order of this import has an unknown outcome.');
  for (const order of open.slice(0, maxShown)) print.note(cleanCell(describe(order, clock.now())));
  if (open.length > maxShown) print.note(`and ${open.length - maxShown} more`);
  if (counts.absent > 0) print.note(aboutAbsent(context, run, counts.absent));
  if (open.length > 0) throw stillOpen(open, clock.now());
  if (settled.length > 0) {
    print.note(`To write its results, run: ${commandFor(context, ['imports', 'results', run.id])}`);
  }
}

function countSettled(settled: Settled[]): Record<Settled['outcome'] | 'total', number> {
  const none = Object.fromEntries(settledOutcomes.map((name) => [name, 0]));
  const counts = { total: settled.length, ...(none as Record<Settled['outcome'], number>) };
  for (const { outcome } of settled) counts[outcome] += 1;
  return counts;
}

function toRecord({ provableAt, ...order }: Settled) {
  return {
    ...order,
    ...(provableAt === undefined ? {} : { provableAt: new Date(provableAt).toISOString() }),
  };
}

function describe({ externalOrderId, code, provableAt }: Settled, now: number): string {
  switch (code) {
    case 'in_other_run':
      return `${externalOrderId}: it is being sent right now`;
    case 'too_early':
      return `${externalOrderId}: it does not exist yet, and the last request may still create it for ${minutesUntil(provableAt, now)}`;
    case 'stopped':
      return `${externalOrderId}: it was not looked up`;
    default:
      return `${externalOrderId}: the service does not show whether it exists`;
  }
}

function aboutAbsent(context: Context, { file }: PastRun, count: number): string {
  const orders = count === 1 ? '1 order was' : `${count} orders were`;
  const command = commandFor(context, ['import', file]);
  return `${orders} definitely not created. To send ${count === 1 ? 'it' : 'them'}, run the same import again, with the same flags: ${command}`;
}

function stillOpen(open: Settled[], now: number): CliError {
  const orders = open.length === 1 ? '1 order was' : `${open.length} orders were`;
  const named = open.slice(0, maxNamed).map(({ externalOrderId }) => externalOrderId);
  const ids = `${named.join(', ')}${open.length > maxNamed ? ', ...' : '.'}`;
  const last = Math.max(...open.map(({ provableAt }) => provableAt ?? 0));
  const when = last > now ? `in ${minutesUntil(last, now)}` : 'later';
  return new CliError('outcome_unknown', `It is not yet known whether ${orders} created: ${ids}`, {
    hint: `Run the same command again ${when}. Importing the same file settles them too, and creates none twice.`,
    outcome: 'unknown',
  });
}

function minutesUntil(moment = 0, now: number): string {
  const minutes = Math.max(1, Math.ceil((moment - now) / 60_000));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
