import type { Problem, ProblemCode } from '../problem.ts';
import type { ColumnFacts } from './column-facts.ts';

const ofSpelling: ReadonlySet<ProblemCode> = new Set(['decimal_invalid', 'date_invalid']);

/** A problem of spelling with the flag that mends it, when that flag reads every cell of the column. */
export function adviseProblem(problem: Problem, facts: ColumnFacts): Problem {
  // A value that no cell has, such as one of --set, is spelled by whoever gave it.
  if (!ofSpelling.has(problem.code) || problem.path === undefined || problem.column === undefined)
    return problem;
  const flag = facts.adviceFor(problem.path);
  if (flag === undefined) return problem;
  const isSure = !flag.includes(' or ');
  return {
    ...problem,
    fix: isSure ? `add ${flag}: it reads every cell of the column` : `add ${flag}, whichever they mean`,
  };
}
