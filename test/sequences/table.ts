import { readFileSync } from 'node:fs';

/** One row of README.md. */
export interface Row {
  name: string;
  /** For example `A created by run 1; B unknown`. */
  outcomes: string;
  /** For example `7 ledger_not_writable`. */
  exit: string;
  /** How often each order was committed, for example `A 1, B 2`, or `none`. */
  orders: string;
}

/** The rows of the tables by their headings. */
export function readTable(): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  let rows: Row[] = [];
  for (const line of readFileSync(new URL('README.md', import.meta.url), 'utf8').split('\n')) {
    const heading = /^## (.+)$/.exec(line)?.[1];
    if (heading !== undefined) {
      rows = [];
      groups.set(heading, rows);
    }
    const [name = '', , outcomes = '', exit = '', orders = ''] = cellsOf(line);
    if (/^\d/.test(exit)) rows.push({ name, outcomes, exit, orders });
  }
  return groups;
}

function cellsOf(line: string): string[] {
  if (!line.startsWith('| ')) return [];
  return line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}

/** The result of one order, from the results file. */
export interface OrderResult {
  externalOrderId: string;
  outcome: string;
  code: string;
  message: string;
  /** `run N`, `the killed run`, or `no run` where the column is empty. */
  by: string;
}

const outcomePattern =
  /^(?<externalOrderId>\S+) (?<outcomes>[\w/]+)(?: (?!by |naming )(?<code>\w+))?(?: by (?<by>run \d+|no run|the killed run))?(?: naming (?<naming>\S+))?$/;

/**
 * Describes the results in the form of the expected outcomes, so that the two can be compared. A code, a run or a field
 * that is not in the expected outcomes is left out.
 */
export function describeAs(expected: string, orders: readonly OrderResult[]): string {
  const expectations = new Map(
    (expected === 'none' ? [] : expected.split('; ')).map((part) => {
      const groups = outcomePattern.exec(part)?.groups;
      if (!groups) throw new Error(`"${part}" is not an outcome`);
      return [groups.externalOrderId, groups] as const;
    }),
  );
  const all = orders.map(({ externalOrderId, outcome, code, message, by }) => {
    const { outcomes = '', ...others } = expectations.get(externalOrderId) ?? {};
    const isNamed = message.includes(others.naming ?? '');
    return [
      externalOrderId,
      outcomes.split('/').includes(outcome) ? outcomes : outcome,
      ...(others.code === undefined ? [] : [code]),
      ...(others.by === undefined ? [] : [`by ${by}`]),
      ...(others.naming === undefined ? [] : [`naming ${isNamed ? others.naming : `"${message}"`}`]),
    ].join(' ');
  });
  return all.length === 0 ? 'none' : all.join('; ');
}
