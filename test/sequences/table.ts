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

/** The rows of the table, by the heading they stand under. */
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

/** The outcome of one order, from its line of the results file. */
export interface Became {
  ownId: string;
  outcome: string;
  code: string;
  message: string;
  /** `run N`, `the killed run`, or `no run` where the column is empty. */
  by: string;
}

const wording =
  /^(?<ownId>\S+) (?<outcomes>[\w/]+)(?: (?!by |naming )(?<code>\w+))?(?: by (?<by>run \d+|no run|the killed run))?(?: naming (?<naming>\S+))?$/;

/**
 * The outcomes of the orders in the words of the table, so that the two can be compared. A code, a run or a field that
 * the row of the table does not mention is left out.
 */
export function tellAs(told: string, became: readonly Became[]): string {
  const words = new Map(
    (told === 'none' ? [] : told.split('; ')).map((part) => {
      const groups = wording.exec(part)?.groups;
      if (!groups) throw new Error(`"${part}" is no ending`);
      return [groups.ownId, groups] as const;
    }),
  );
  const all = became.map(({ ownId, outcome, code, message, by }) => {
    const { outcomes = '', ...others } = words.get(ownId) ?? {};
    const isNamed = message.includes(others.naming ?? '');
    return [
      ...[ownId, outcomes.split('/').includes(outcome) ? outcomes : outcome],
      ...(others.code === undefined ? [] : [code]),
      ...(others.by === undefined ? [] : [`by ${by}`]),
      ...(others.naming === undefined ? [] : [`naming ${isNamed ? others.naming : `"${message}"`}`]),
    ].join(' ');
  });
  return all.length === 0 ? 'none' : all.join('; ');
}
