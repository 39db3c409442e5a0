/** What lookups showed of one order so far: nothing, or the several orders that the service has of it. */
export interface Copies {
  /** Their numbers, the oldest first. */
  numbers: string[];
  /** Those to cancel; empty when the service does not show which are the younger ones. */
  younger: string[];
}

export const notLookedUp: Copies = { numbers: [], younger: [] };

/** Null where no lookup is due. */
export interface EntryWithCopies {
  externalOrderId: string;
  copies: Copies | null;
  orderId: string | null;
  orderNumber: string | null;
}
