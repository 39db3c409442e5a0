import { CliError } from '../errors.ts';

/** Runs `work` on the ledger's database. Error: `ledger_not_writable` in place of any error of the database. */
export function guard<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toLedgerError(error);
  }
}

export function toLedgerError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  return new CliError(
    'ledger_not_writable',
    `The ledger of past imports cannot be used: ${(error as Error).message}.`,
    {
      hint: 'Check the free space and who owns ledger.db in the configuration folder. If it is damaged, move it away: orders keep their keys, so none is created twice.',
      cause: error,
    },
  );
}
