import { randomUUID } from 'node:crypto';

export interface ForeignOrder {
  id: string;
  orderNumber: string;
  externalOrderId: string | undefined;
  status: string;
  createdAt: string;
  phone: string | undefined;
  /** The body as it was sent. */
  sent: Record<string, unknown>;
}

interface Kept {
  body: string;
  order: ForeignOrder;
}

export type Orders = ReturnType<typeof createOrders>;

/** The orders of one client, in memory. */
export function createOrders() {
  const all: ForeignOrder[] = [];
  const byId = new Map<string, ForeignOrder>();
  const byOwnId = new Map<string, ForeignOrder>();
  const kept = new Map<string, Kept>();
  const commits = new Map<string, number>();
  return {
    all: (): readonly ForeignOrder[] => all,
    find: (id: string) => byId.get(id),
    isTaken: (externalOrderId: string) => byOwnId.has(externalOrderId),
    keptUnder: (key: string) => kept.get(key),
    commits: (): ReadonlyMap<string, number> => commits,
    add(sent: Record<string, unknown>, key: string, body: string): ForeignOrder {
      const number = String(all.length + 1).padStart(8, '0');
      const externalOrderId = textOf(sent.externalOrderId);
      const order = {
        id: randomUUID(),
        orderNumber: `ORD-${new Date().getUTCFullYear()}-${number}`,
        externalOrderId,
        status: 'ready_for_fulfilment',
        createdAt: new Date().toISOString(),
        phone: textOf((sent.customer as Record<string, unknown> | undefined)?.phone),
        sent,
      };
      all.push(order);
      byId.set(order.id, order);
      if (externalOrderId !== undefined) {
        byOwnId.set(externalOrderId, order);
        commits.set(externalOrderId, (commits.get(externalOrderId) ?? 0) + 1);
      }
      kept.set(key, { body, order });
      return order;
    },
  };
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
