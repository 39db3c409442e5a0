import { appendFileSync } from 'node:fs';
import process from 'node:process';

/** What a figure must be; a figure without a rule is only printed. */
export type Rules<Name extends string> = Partial<Record<Name, (figure: number) => boolean>>;

export const isZero = (figure: number): boolean => figure === 0;

/**
 * Prints figures and marks the wrong ones; the process exits with 1 when there are any. Returns whether all are right.
 */
export function tellFigures<Name extends string>(figures: Record<Name, number>, rules: Rules<Name>): boolean {
  let areRight = true;
  for (const [name, figure] of Object.entries(figures) as [Name, number][]) {
    const isRight = rules[name]?.(figure) ?? true;
    console.log(`${name.padEnd(22)} ${figure}${isRight ? '' : '   WRONG'}`);
    if (isRight) continue;
    areRight = false;
    process.exitCode = 1;
  }
  return areRight;
}

/** Adds figures to those of the same name. */
export function addFigures<Name extends string>(
  figures: Record<Name, number>,
  more: Partial<Record<NoInfer<Name>, number>>,
): void {
  for (const [name, figure] of Object.entries(more) as [Name, number][]) figures[name] += figure;
}

/** The figures of a script for one promise of the client. */
export interface Shown {
  promise: number;
  figures: Record<string, number | string>;
  isKept: boolean;
}

/** Appends it to the file that the run of all scripts named, which prints the promises at its end. */
export function showPromise(shown: Shown): void {
  const file = process.env.STRESS_FIGURES;
  if (file) appendFileSync(file, `${JSON.stringify(shown)}\n`);
}
