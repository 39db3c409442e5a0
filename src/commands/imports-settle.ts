import { listPage } from '../api/list-orders.ts';
import { createOrderFinder } from '../api/order-finder.ts';
import { mostConcurrency } from '../api/pace.ts';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import type { Settled } from '../import/settle/settle-order.ts';
import { settleOrders } from '../import/settle/settle-orders.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PastRun } from '../ledger/run-history.ts';
import { findRun, isOfSandbox } from './imports-record.ts';
import { reportSettled } from './imports-settled.ts';

/**
 * Settles by look-ups alone. It holds no lock: whoever writes an entry looks at it first in the same transaction,
 * and two that settle the same order at once write the same.
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
    sitsOutOutages: false,
    pace: { concurrency: 'auto', perSecond: undefined },
  });
  const ledger = await connection.openLedger();
  try {
    checkIsSameClient(run, ledger);
    const { client } = connection;
    // A look-up that fails says no more than that; this says why none would succeed.
    await listPage(client, { pageSize: '1' });
    return await settleOrders(open, {
      ...{ finder: createOrderFinder(client), ledger, now: () => clock.now() },
      ...{ concurrency: mostConcurrency, stopping: interruption.stopping },
    });
  } finally {
    ledger.close();
  }
}

/** What one key does not see says nothing of what was sent with another. */
function checkIsSameClient(run: PastRun, { client, service }: Ledger): void {
  if (run.client === client) return;
  if (run.service === service) {
    throw new CliError('usage', `Import ${run.id} was sent to ${service} with another API key.`, {
      hint: 'Use that key: name its profile with --profile, or set MERCHANT_ORDERS_API_KEY.',
    });
  }
  const hint = isOfSandbox(run)
    ? 'Use that sandbox. One that was reset or has stopped cannot say anything: merchant-orders sandbox info'
    : 'Name that service with --profile or --base-url.';
  const sentTo = run.service === '' ? 'a service that was not written down' : run.service;
  throw new CliError('usage', `Import ${run.id} was sent to ${sentTo}, and this is ${service}.`, { hint });
}
