import type { FileOrder } from '../stress/import/order-file.ts';
import { isOurs, type Result } from '../stress/import/results.ts';
import type { StoredOrder } from './services.ts';

export interface Differences {
  /** Orders of the file that the service does not have. */
  lost: string[];
  /** Orders that the service has more than once, and those that are in no file. */
  duplicated: string[];
  /** Results that differ from what the service has, and orders that differ from the file. */
  misreported: string[];
}

/** Compares the orders of a file and the results of its import with the service's own store. */
export function compareWithStore(
  orders: readonly FileOrder[],
  results: readonly Result[],
  stored: readonly StoredOrder[],
): Differences {
  const differences: Differences = { lost: [], duplicated: [], misreported: [] };
  const byId = groupBy(stored, ({ externalOrderId }) => externalOrderId);
  const resultsById = groupBy(results, (result) => result.external_order_id);
  for (const order of orders) {
    const { externalOrderId: id } = order;
    const [there, ...more] = byId.get(id) ?? [];
    const [result, ...moreResults] = resultsById.get(id) ?? [];
    if (there === undefined) differences.lost.push(id);
    if (more.length > 0) differences.duplicated.push(`${id}: ${more.length + 1} times`);
    if (there !== undefined && contentOf(there) !== expectedContent(order)) {
      differences.misreported.push(`${id}: the service has ${contentOf(there)}`);
    }
    const isAgreed = result !== undefined && isOurs(result) && result.order_id === there?.id;
    if (!isAgreed || moreResults.length > 0) {
      const said = result ? `${result.outcome} ${result.code} ${result.order_id}` : 'nothing';
      differences.misreported.push(`${id}: the results say ${said}, the service has ${there?.id}`);
    }
  }
  const known = new Set(orders.map(({ externalOrderId }) => externalOrderId));
  differences.duplicated.push(
    ...[...byId.keys()].filter((id) => !known.has(id)).map((id) => `${id}: in no file`),
  );
  return differences;
}

function groupBy<T>(values: readonly T[], nameOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(nameOf(value), [...(groups.get(nameOf(value)) ?? []), value]);
  return groups;
}

function contentOf({ body }: StoredOrder): string {
  const { customer, items, collectionMode, collectionAmount, requestedDeliveryDate } = body;
  const skus = items.map(({ sku }) => sku);
  return [customer.phone, ...skus, collectionMode, collectionAmount, requestedDeliveryDate].join(' ');
}

/** What `writeOrderFile` writes. */
function expectedContent({ phone, sku, lines, amount }: FileOrder): string {
  return [phone, sku, ...(lines === 2 ? ['MUG-001'] : []), 'COLLECT', amount, '2030-01-15'].join(' ');
}
