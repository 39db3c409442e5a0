import type { LeftOutReason } from '../choices.ts';
import { isIncluded, isLeftOut, verdict } from '../words/verdict.ts';
import { splitType } from './candidates.ts';
import type { NamedColumn } from './column.ts';
import { findColumn, foldCell, isAnyText, type Lookup, type Rule } from './conditions.ts';
import { foldHeader, knownPath } from './known-fields.ts';
import type { DecidedValues, MappingFile } from './language.ts';

export interface DecidedColumn extends NamedColumn {
  /** Whether one of its values is about the payment. Such columns are asked one after the other. */
  isPayment: boolean;
  answers: ReadonlyMap<string, Answer>;
}

type Answer =
  | { decision: 'deliver' }
  | { decision: 'collect' | 'prepaid' }
  | { decision: 'leave_out'; reason: LeftOutReason };

/** `include`: reasons for which orders are delivered nevertheless. */
export function readDecided(
  lookup: Lookup,
  values: DecidedValues = {},
  include: readonly LeftOutReason[],
): DecidedColumn[] {
  return Object.entries(values).flatMap(([name, listed]): DecidedColumn[] => {
    const index = findColumn(lookup, name, 'values');
    if (index === undefined) return [];
    const header = lookup.header.cells[index] ?? name;
    const isPayment = listsPayment({ [name]: listed });
    const answers = Object.entries(listed).map(([text, decision]): [string, Answer] => {
      if (decision !== 'leave_out') return [foldCell(text), { decision }];
      const reason = reasonOfText(header, text, isPayment ? 'unpaid' : 'rule');
      return [
        foldCell(text),
        include.includes(reason) ? { decision: 'deliver' } : { decision: 'leave_out', reason },
      ];
    });
    return [{ index, header, isPayment, answers: new Map(answers) }];
  });
}

export function listsPayment(values: DecidedValues = {}): boolean {
  const all = Object.values(values).flatMap((listed) => Object.values(listed));
  return all.some((decision) => decision === 'collect' || decision === 'prepaid');
}

function listedText({ answers }: DecidedColumn, cell: string): string | undefined {
  const text = foldCell(cell);
  if (answers.has(text)) return text;
  const any = answers.get('*');
  return any !== undefined && isAnyText(text) && isIncluded(verdict('any', text), any.decision)
    ? '*'
    : undefined;
}

/** Undefined for a text that is not listed. A blank cell may be unlisted when no value is about the payment. */
export function answerFor(column: DecidedColumn, cell: string): Answer | undefined {
  const text = listedText(column, cell);
  if (text !== undefined) return column.answers.get(text);
  return foldCell(cell) === '' && !column.isPayment ? { decision: 'deliver' } : undefined;
}

/** The answer of the first column that has one; 'unclear': a value is not listed, or the rows disagree. */
export function askDecided(
  columns: readonly DecidedColumn[],
  { cells, rows }: { cells: readonly string[]; rows: readonly { cells: readonly string[] }[] },
): Exclude<Answer, { decision: 'deliver' }> | 'unclear' | undefined {
  const answers = columns.map((column) => {
    const text = foldCell(cells[column.index] ?? '');
    const agrees = rows.every((row) => ['', text].includes(foldCell(row.cells[column.index] ?? '')));
    return agrees ? answerFor(column, text) : undefined;
  });
  if (answers.includes(undefined)) return 'unclear';
  return answers.find((answer) => answer?.decision !== 'deliver') as
    | Exclude<Answer, { decision: 'deliver' }>
    | undefined;
}

export function leaveOutRules(column: DecidedColumn): { reason: LeftOutReason; rule: Rule }[] {
  const { index, header, answers } = column;
  return [...answers].flatMap(([text, answer]) => {
    if (answer.decision !== 'leave_out') return [];
    const matches = (cell: string) => listedText(column, cell) === text;
    const values = text === '*' ? undefined : [text];
    return [{ reason: answer.reason, rule: [[{ index, header, matches, values }]] }];
  });
}

/** In the words of the text or, for a column such as `Cancelled at`, of the header. */
export function reasonOfText(header: string, text: string, otherwise: LeftOutReason): LeftOutReason {
  const found = verdict('shipping_or_state', text === '*' ? 'yes' : text, header);
  return isLeftOut(found) ? found : otherwise;
}

/** Returns the problems of `values`, each with its path. */
export function checkDecidedValues({
  values = {},
  columns,
}: Pick<MappingFile, 'values' | 'columns'>): string[] {
  const isMode = (path: string) => knownPath(splitType(path).name) === 'collectionMode';
  const mode = Object.keys(columns).find(isMode);
  const twice = findTwice(Object.keys(values), foldHeader).map((name) => `values.${name}: is listed twice`);
  const problems = Object.entries(values).flatMap(([name, listed]) => {
    if (Object.keys(listed).length === 0) return [`values.${name}: lists no value`];
    const repeated = findTwice(Object.keys(listed), foldCell);
    return repeated.map((text) => `values.${name}: "${text}" is listed twice`);
  });
  if (mode !== undefined && listsPayment(values)) {
    problems.push(`columns.${mode}: "values" already says who pays; leave one of the two out`);
  }
  return [...twice, ...problems];
}

function findTwice(names: readonly string[], fold: (name: string) => string): string[] {
  const known = new Set<string>();
  return names.filter((name) => {
    const folded = fold(name);
    const isTwice = known.has(folded);
    known.add(folded);
    return isTwice;
  });
}
