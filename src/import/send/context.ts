import type { ApiClient } from '../../api/client.ts';
import type { Creation } from '../../api/operations/create.ts';
import type { OrderFinder } from '../../api/pages/order-finder.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { FieldPaths, FieldProof } from '../../orders/unnamed-fields.ts';
import type { MerchantEntries } from './merchant-entries.ts';

export interface LedgerContext {
  ledger: Ledger;
  /** Absent where nothing is sent. */
  run?: string;
  entries: MerchantEntries;
  recreatesCancelled: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface SendContext extends LedgerContext {
  client: ApiClient;
  finder: OrderFinder;
  /** Absent where only one order is sent. */
  canary?: Canary;
  run: string;
  fieldPaths: FieldPaths;
  /** Sees what the service shows of the orders that it creates. */
  proof?: FieldProof;
  /** An `Idempotency-Key` given by the user, sent instead of the one made from the order. */
  key?: string;
}

export interface Canary {
  /** Errors, before anything was sent: those of `checkAddress`, and of a first create that ended the run. */
  run(create: () => Promise<Creation>): Promise<Creation>;
}
