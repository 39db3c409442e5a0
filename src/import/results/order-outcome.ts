/** The outcomes of an import; every order of the file has exactly one. */
export const outcomes = [
  'created',
  'already_exists',
  'rejected',
  'invalid',
  'conflict',
  'unknown',
  'not_sent',
] as const;
export type OutcomeName = (typeof outcomes)[number];

export interface OrderOutcome {
  /** The first row of the order. */
  row: number;
  externalOrderId: string;
  outcome: OutcomeName;
  orderId?: string;
  orderNumber?: string;
  /** As the service sent it, as text. */
  delivery?: string;
  code?: string;
  message?: string;
  fix?: string;
  attempts: number;
  idempotencyKey?: string;
  /** The run that created the order, when the ledger knows it. */
  createdByRun?: string;
}

/** Counts for every outcome, also those that do not occur. */
export function countOutcomes(all: Iterable<OrderOutcome>): Record<OutcomeName, number> {
  const counts = Object.fromEntries(outcomes.map((name) => [name, 0])) as Record<OutcomeName, number>;
  for (const { outcome } of all) counts[outcome] += 1;
  return counts;
}
