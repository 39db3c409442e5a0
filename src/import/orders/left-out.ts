import { t } from '../../advice/advice.ts';
import type { LeftOutReason } from '../choices.ts';
import { fieldText, orderProblem } from '../mapping/column.ts';
import { type Condition, meetsRule } from '../mapping/conditions.ts';
import { linesUnreadable } from '../mapping/lines.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { Problem } from '../problem.ts';
import type { Row } from '../read/read-table.ts';
import { isLeftOut, verdict } from '../words/verdict.ts';
import { type OrderRows, problemIn } from './group/group-rows.ts';

/** Why an order is left out: by a rule of the mapping, or by the usual word for its state. Undefined for an order to deliver. */
export function leftOutReason(
  { leaveOut, states }: Pick<Mapping['rules'], 'leaveOut' | 'states'>,
  { cells }: OrderRows,
): LeftOutReason | undefined {
  const found = leaveOut.find(({ rule }) => meetsRule(rule, cells))?.reason;
  if (found !== undefined) return found;
  for (const column of states) {
    const text = cells[column.index] ?? '';
    if (text === '' || column.matches(text)) continue;
    const state = verdict('state', text, column.header);
    if (isLeftOut(state)) return state;
  }
  return undefined;
}

type LineReader = (
  order: OrderRows,
  problems: Problem[],
) => { all: readonly Row[]; lineRows: readonly Row[]; leftOut?: LeftOutReason | undefined };

/** Reads which lines of an order are to be delivered. `leftOut` when all are left out. */
export function createLineReader({ rules, lines, columns }: Mapping): LineReader {
  const counted = [...columns, ...(lines?.columns ?? [])].filter(({ rule }) => rule?.minus !== undefined);
  const readsRows = [rules.summaryRow, rules.leaveOutLines, counted].some(({ length }) => length > 0);
  if (!readsRows && lines === undefined) return ({ rows }) => ({ all: rows, lineRows: rows });
  return ({ externalOrderId, rows }, problems) => {
    const all: Row[] = [];
    const reasonOfRow = ({ cells }: Row) =>
      rules.leaveOutLines.find(({ rule }) => meetsRule(rule, cells))?.reason;
    let reasonOfAll: LeftOutReason | undefined;
    for (const row of rows) {
      if (meetsRule(rules.summaryRow, row.cells)) {
        reasonOfAll ??= reasonOfRow(row);
        continue;
      }
      const read = lines?.read(row);
      all.push(...(read?.rows ?? [row]));
      problems.push(
        ...(read?.unread ?? []).map((column) => orderProblem(externalOrderId, row, column, linesUnreadable)),
      );
    }
    const reasons = all.map((row) => {
      const empty = counted.find((column) => fieldText(column, row.cells) === '0');
      return reasonOfRow(row) ?? reasonOfAll ?? empty?.rule?.minus?.reason;
    });
    const lineRows = all.filter((_, index) => reasons[index] === undefined);
    // Rows without any line are kept: the checks of the order say that its lines are missing.
    const [leftOut] = lineRows.length > 0 ? [] : reasons.toSorted().filter((reason) => reason !== undefined);
    return { all, lineRows, leftOut };
  };
}

/** The texts of a state that are no known status, as the mapping or the usual words have it. */
export function checkStates(states: readonly Condition[], order: OrderRows): Problem[] {
  return states.flatMap((column) => {
    const text = order.cells[column.index] ?? '';
    if (text === '' || column.matches(text)) return [];
    const state = verdict('state', text, column.header);
    if (state === 'deliver' || isLeftOut(state)) return [];
    return problemIn(order, column, {
      code: 'state_unknown',
      problem: t`"${text}" is not a known status of an order`,
      fix: t`leave such orders out with --leave-out '${column.header}=${text}', or send them: "to_deliver": {"${column.header}": "${text}"} in a mapping file (--map)`,
      cause: `state ${column.index} ${text}`,
    });
  });
}
