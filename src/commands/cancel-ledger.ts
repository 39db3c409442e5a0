import type { Connection } from '../context.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** The cancelled orders that this machine knows of. Error of every method: `ledger_not_writable`. */
export interface CancelLedger extends Disposable {
  knows(orderId: string): Promise<boolean>;
  /** Resolved when it is on the disk. */
  add(order: { orderId: string; externalOrderId: string | undefined }): Promise<void>;
  /** Finds out whether anything can be added. */
  check(): Promise<void>;
}

/** The ledger is opened when it is needed first. */
export function createCancelLedger({ openLedger }: Connection): CancelLedger {
  let opening: Promise<Ledger> | undefined;
  let ledger: Ledger | undefined;
  const open = async () => {
    opening ??= openLedger();
    ledger = await opening;
    return ledger;
  };
  return {
    knows: async (orderId) => (await open()).cancellations.has(orderId),
    add: async (order) => {
      const { together, keep, cancellations } = await open();
      await together(() => {
        cancellations.add(order);
        keep();
      });
    },
    check: async () => {
      const { together, keep } = await open();
      await together(keep);
    },
    [Symbol.dispose]: () => ledger?.close(),
  };
}
