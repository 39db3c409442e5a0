/** What one cell of the matrix found. */
export interface Cell {
  checks: number;
  failures: string[];
  imports: ImportFigures;
}

export interface ImportFigures {
  orders: number;
  runs: number;
  kills: number;
  faults: number;
  lost: number;
  duplicated: number;
  misreported: number;
}

export const noImports: ImportFigures = {
  orders: 0,
  runs: 0,
  kills: 0,
  faults: 0,
  lost: 0,
  duplicated: 0,
  misreported: 0,
};

export type Check = (what: string, isRight: boolean, seen?: unknown) => void;

/** Collects the checks of a cell. `seen` is written down with a failure. */
export function createChecks() {
  const cell: Cell = { checks: 0, failures: [], imports: noImports };
  const check: Check = (what, isRight, seen = '') => {
    cell.checks += 1;
    if (isRight) return;
    const text = typeof seen === 'string' ? seen : JSON.stringify(seen);
    cell.failures.push([what, ...text.split('\n').map((line) => `    ${line}`)].join('\n').trimEnd());
  };
  return { cell, check };
}
