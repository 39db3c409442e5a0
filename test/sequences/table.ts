import { readFileSync } from 'node:fs';

/** One row of sequences.md. */
export interface Row {
  name: string;
  /** Such as `A created by run 1; B unknown`. */
  outcomes: string;
  /** Such as `7 ledger_not_writable`. */
  exit: string;
  /** How often each own id was committed, such as `A 1, B 2`; `none`. */
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

/** What became of one order, as its line of the results file tells it. */
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
 * What became of the orders, told in as many words as are used of them in the table, so that the two can be
 * compared: a code, a run or a field that the table does not speak of is left out.
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
