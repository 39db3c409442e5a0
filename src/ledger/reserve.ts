import { CliError, isDiskFull } from '../errors.ts';
import { toLedgerError } from './schema.ts';

/** Takes up space on the disk of the ledger; the returned function frees it. */
export type ReserveSpace = (bytes: number) => () => void;

/** Space on the disk for the outcomes of the orders in flight: when the disk fills up, the ledger still holds what became of them. */
export interface Reserve {
  /** Error: `ledger_not_writable`. */
  take(orders: number): void;
  /** Frees the space when the disk is full. Returns whether there was any, so that the same write may succeed now. */
  free(error: unknown): boolean;
  /** Throws the error of the full disk when the space was needed: nothing else may be sent. */
  checkUnused(): void;
  release(): void;
}

/** What the rows of one order take, in pages of the database. */
const bytesPerOrder = 16 * 1024;
const maxOrdersInFlight = 128;
const bytesForRun = 64 * 1024;

export function createReserve(reserve: ReserveSpace): Reserve {
  let release: (() => void) | undefined;
  let fullDisk: unknown;
  const releaseOnce = () => {
    const taken = release;
    release = undefined;
    taken?.();
  };
  return {
    take: (orders) => {
      try {
        release ??= reserve(Math.min(orders, maxOrdersInFlight) * bytesPerOrder + bytesForRun);
      } catch (error) {
        throw toLedgerError(error instanceof CliError ? error.cause : error);
      }
    },
    free: (error) => {
      const isFull = isDiskFull(error) || (error instanceof CliError && isDiskFull(error.cause));
      if (!isFull || (release === undefined && fullDisk === undefined)) return false;
      fullDisk ??= error;
      releaseOnce();
      return true;
    },
    checkUnused: () => {
      if (fullDisk !== undefined) throw toLedgerError(fullDisk);
    },
    release: releaseOnce,
  };
}
