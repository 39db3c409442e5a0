import { appendFileSync } from 'node:fs';
import process from 'node:process';

/** Checks of figures; a figure without a check is only printed. */
export type Checks<Name extends string> = Partial<Record<Name, (figure: number) => boolean>>;

/**
 * Prints figures and marks the wrong ones, for which the process exits with 1; those of `zero` must be 0. Returns whether
 * all are right.
 */
export function printFigures<Name extends string>(
  figures: Record<Name, number>,
  checks: Checks<NoInfer<Name>>,
  zero: readonly NoInfer<Name>[] = [],
): boolean {
  let areRight = true;
  for (const [name, figure] of Object.entries(figures) as [Name, number][]) {
    const isRight = zero.includes(name) ? figure === 0 : (checks[name]?.(figure) ?? true);
    console.log(`${name.padEnd(22)} ${figure}${isRight ? '' : '   WRONG'}`);
    if (isRight) continue;
    areRight = false;
    process.exitCode = 1;
  }
  return areRight;
}

/** Figures with these names, all 0. */
export function noFigures<Name extends string>(...names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

/** Adds figures to those of the same name. */
export function addFigures<Name extends string>(
  figures: Record<Name, number>,
  added: Partial<Record<NoInfer<Name>, number>>,
): void {
  for (const [name, figure] of Object.entries(added) as [Name, number][]) figures[name] += figure;
}

/** The figures of a script for one promise of the client. */
export interface PromiseReport {
  promise: number;
  figures: Record<string, number | string>;
  isKept: boolean;
}

/** Appends the report to the file of `run.ts`, which prints the promises at its end. */
export function reportPromise(report: PromiseReport): void {
  const file = process.env.STRESS_FIGURES;
  if (file) appendFileSync(file, `${JSON.stringify(report)}\n`);
}
