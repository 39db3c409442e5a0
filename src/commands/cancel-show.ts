import type { ServiceOrder } from '../api/read-order.ts';
import type { Context } from '../context.ts';
import { formatOrdersToCancel } from '../output/orders-to-cancel.ts';
import type { Entry } from './cancel-read.ts';

const mostMissingShown = 20;

export function ordersToCancel(entries: readonly Entry[]): ServiceOrder[] {
  return entries.flatMap((entry) => (entry.state === 'to_cancel' ? [entry.order] : []));
}

/** What a person must see before the question. */
export function showEntries({ print }: Context, entries: readonly Entry[]): void {
  const found = ordersToCancel(entries);
  if (found.length > 0) print.note(formatOrdersToCancel(found.map(({ order }) => order)));
  const missing = entries.flatMap((entry) => (entry.state === 'missing' ? [entry.cancellation] : []));
  for (const { message } of missing.slice(0, mostMissingShown)) print.note(message ?? '');
  const more = missing.length - mostMissingShown;
  if (more > 0) print.note(`... and ${more} more that are not there.`);
  const before = entries.filter(({ state }) => state === 'cancelled_before').length;
  if (before > 0) print.note(sayBefore(before, entries.length));
}

function sayBefore(count: number, total: number): string {
  if (count === total && total > 1) return `All ${total} were cancelled before.`;
  return `${count} ${count === 1 ? 'was' : 'were'} cancelled before.`;
}
