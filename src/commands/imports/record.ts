import { CliError, exitCodes } from '../../errors.ts';
import { noOutcomes } from '../../import/results/order-outcome.ts';
import type { PastRun, RunHistory } from '../../ledger/run-history.ts';
import type { PastImport } from '../../output/reporter.ts';

const endingOfExitCode: Record<number, string> = {
  [exitCodes.done]: 'done',
  [exitCodes.keyRefused]: 'key rejected',
  [exitCodes.partly]: 'some must be fixed',
  [exitCodes.unreachable]: 'stopped, not all sent',
  [exitCodes.outcomeUnknown]: 'outcomes unknown',
  [exitCodes.interrupted]: 'stopped by Ctrl-C',
  [exitCodes.terminated]: 'terminated',
};

/** The run with this id or id prefix. Error: `usage` when there is none, or more than one. */
export function findRun(history: RunHistory, reference: string): PastRun {
  const [run, ...others] = history.find(reference);
  if (run === undefined) {
    throw new CliError('usage', `There is no import with the ID ${reference} on this machine.`, {
      hint: 'To list the imports, run: merchant-orders imports',
    });
  }
  if (others.length === 0) return run;
  const ids = [run, ...others].map(({ id }) => id).join(', ');
  throw new CliError('usage', `${reference} matches several imports: ${ids}.`, {
    hint: 'Use more characters of the ID.',
  });
}

/** A run as it is displayed; `counts` by outcome. */
export function toRecord(run: PastRun, counts: Record<string, number>): PastImport {
  const { id, file, service, startedAt, endedAt, exitCode, orders } = run;
  return {
    run: id,
    file,
    service,
    sandbox: isOfSandbox(run),
    startedAt: new Date(startedAt).toISOString(),
    endedAt: endedAt === undefined ? null : new Date(endedAt).toISOString(),
    ended: endingOf(run),
    exitCode: exitCode ?? null,
    orders: { total: orders, ...noOutcomes(), ...counts },
  };
}

export function isOfSandbox({ service }: PastRun): boolean {
  return service.startsWith('sandbox ');
}

function endingOf({ progress, exitCode }: PastRun): string {
  if (progress !== 'ended') return progress;
  return endingOfExitCode[exitCode ?? -1] ?? `exit code ${exitCode}`;
}
