import type { FileOrder } from './order-file.ts';
import { isOpen, readResults } from './results.ts';
import { type ImportPlace, startImport } from './run-import.ts';
import type { ServedSandbox } from './sandbox.ts';

const mostRuns = 6;

/** Exit codes after which the import is run again: some orders are open or were not sent. */
const goesOn = [7, 8];

/**
 * Runs an import until nothing is open, the first time with the current faults, then without any. Orders to be rejected
 * may stay open. Throws when a run ends with an unexpected exit code; returns the exit codes of all runs.
 */
export async function settle(
  place: ImportPlace,
  service: ServedSandbox,
  orders: readonly FileOrder[],
): Promise<number[]> {
  const refused = new Set(orders.filter(({ isRefused }) => isRefused).map((order) => order.externalOrderId));
  const codes: number[] = [];
  while (codes.length < mostRuns) {
    codes.push(await runImport(place));
    await service.setFaults({});
    const open = readResults(place.results).filter(isOpen);
    if (open.every((result) => result.outcome === 'unknown' && refused.has(result.external_order_id))) break;
  }
  return codes;
}

/** Whether the last of these runs left no valid order open. */
export function isSettled(codes: readonly number[], hasRefused: boolean, open: number): boolean {
  return codes.at(-1) === (open > 0 ? 8 : hasRefused ? 6 : 0);
}

/** Runs one import to its end and returns its exit code. */
export async function runImport(place: ImportPlace): Promise<number> {
  const { exitCode, told } = await startImport(place).ended;
  checkExit(exitCode, told);
  return exitCode;
}

/** The exit codes of an import that is not killed. */
export function checkExit(exitCode: number | null, told: string): asserts exitCode is number {
  if (exitCode === 0 || exitCode === 6 || goesOn.includes(exitCode ?? -1)) return;
  throw new Error(`an import ended with ${exitCode}: ${told}`);
}
