import { CliError } from '../errors.ts';

/** Does something with the ledger's database. Error: `ledger_not_writable`, whatever the database says. */
export function guard<Result>(act: () => Result): Result {
  try {
    return act();
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
