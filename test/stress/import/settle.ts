import type { FileOrder } from './order-file.ts';
import { isOpen, readResults } from './results.ts';
import { type ImportSetup, startImport } from './run-import.ts';
import type { ServedSandbox } from './sandbox.ts';

const maxRuns = 6;

/** Exit codes for orders that are open or were not sent: the import is run again. */
const rerunCodes = [7, 8];

/**
 * Runs an import until nothing is open, the first time with the current faults, then without any. Orders that should be
 * rejected may stay open. Throws when a run ends with an unexpected exit code; returns the exit codes of all runs.
 */
export async function settle(
  setup: ImportSetup,
  service: ServedSandbox,
  orders: readonly FileOrder[],
): Promise<number[]> {
  const rejectedIds = new Set(
    orders.filter(({ isRejected }) => isRejected).map((order) => order.externalOrderId),
  );
  const codes: number[] = [];
  while (codes.length < maxRuns) {
    codes.push(await runImport(setup));
    await service.setFaults({});
    const open = readResults(setup.results).filter(isOpen);
    if (open.every((result) => result.outcome === 'unknown' && rejectedIds.has(result.external_order_id)))
      break;
  }
  return codes;
}

/** Whether the last of these runs left no valid order open. */
export function isSettled(codes: readonly number[], hasRejected: boolean, open: number): boolean {
  return codes.at(-1) === (open > 0 ? 8 : hasRejected ? 6 : 0);
}

/** Runs one import to its end and returns its exit code. */
export async function runImport(setup: ImportSetup): Promise<number> {
  const { exitCode, stderr } = await startImport(setup).ended;
  checkExit(exitCode, stderr);
  return exitCode;
}

/** The exit codes of an import that is not killed. */
export function checkExit(exitCode: number | null, stderr: string): asserts exitCode is number {
  if (exitCode === 0 || exitCode === 6 || rerunCodes.includes(exitCode ?? -1)) return;
  throw new Error(`an import ended with ${exitCode}: ${stderr}`);
}
