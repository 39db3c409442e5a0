import process from 'node:process';

/** What a figure must be; a figure without a rule is only told. */
export type Rules<Name extends string> = Partial<Record<Name, (figure: number) => boolean>>;

export const isZero = (figure: number): boolean => figure === 0;

/** Prints figures, each that is not as it must be marked; the process ends with 1 when there is one. */
export function tellFigures<Name extends string>(figures: Record<Name, number>, rules: Rules<Name>): void {
  for (const [name, figure] of Object.entries(figures) as [Name, number][]) {
    const isRight = rules[name]?.(figure) ?? true;
    console.log(`${name.padEnd(22)} ${figure}${isRight ? '' : '   WRONG'}`);
    if (!isRight) process.exitCode = 1;
  }
}

/** Adds figures to those of the same name. */
export function addFigures<Name extends string>(
  figures: Record<Name, number>,
  more: Partial<Record<NoInfer<Name>, number>>,
): void {
  for (const [name, figure] of Object.entries(more) as [Name, number][]) figures[name] += figure;
}
