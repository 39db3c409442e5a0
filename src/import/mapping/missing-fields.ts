import { type FieldPath, formatFieldPath } from '../../orders/field-path.ts';
import { type Header, knownPath, mappingProblem, pathOfAlias } from '../columns/header.ts';
import type { UnreadColumn } from '../columns/header-roles.ts';
import { isAboutPayment } from '../columns/roles.ts';
import {
  collectionMissing,
  headerIsLower,
  linesMissing,
  namesMissing,
  noColumnOfIds,
  phonesMissing,
  readAsOneColumn,
} from '../file-texts.ts';
import type { Problem, ProblemText } from '../problem.ts';
import type { ColumnGuess, FieldGuesses } from './guesses.ts';
import { parcel } from './lines.ts';
import { type MappedFlags, type Mapping, unreadColumns } from './mapping.ts';

/** Called only when something is missing. */
type GuessFields = () => readonly FieldGuesses[];

const idPath = 'externalOrderId';
const maxSuggested = 3;
/** IDs of many things look alike, so the header must fit as well. */
const minIdScore = 0.5;
/** Characters that separate cells in files for which another delimiter was detected. */
const separators = /[,;\t|^~]/g;

export function missingId(header: Header, guess: GuessFields): ProblemText {
  const names = header.cells.filter((name) => name !== '');
  if (names.length === 0) return namesMissing;
  const isId = (cell: string) => (knownPath(cell) ?? pathOfAlias(cell)) === idPath;
  const lower = (header.below ?? []).find(({ cells }) => cells.some(isId));
  if (lower !== undefined) return headerIsLower(lower.row);
  const [only = '', ...others] = names;
  const delimiter = others.length === 0 ? mostFrequentSeparator(only) : undefined;
  if (delimiter !== undefined) return readAsOneColumn(delimiter);
  return noColumnOfIds(
    names,
    guessesOf(guess, idPath).filter(({ score }) => score >= minIdScore),
  );
}

function mostFrequentSeparator(name: string): string | undefined {
  const counts = new Map<string, number>();
  for (const [character] of name.matchAll(separators)) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0];
}

/** What no column, constant or rule gives to any order: said once, with the columns that may hold it. */
export function missingNeeds(
  mapping: Mapping,
  guess: GuessFields,
  { constants = [], checks = true }: MappedFlags,
): Problem[] {
  if (!checks) return [];
  const { columns, lines, rules } = mapping;
  const paths = [...columns, ...constants].map(({ path }) => path);
  const fills = (...wanted: string[]) => paths.some((path) => wanted.includes(formatFieldPath(path)));
  const problems: Problem[] = [];
  const add = (text: ProblemText) => problems.push(mappingProblem(text));
  if (!fills('customer', 'customer.phone', 'customer.externalCustomerId'))
    add(phonesMissing(guessesOf(guess, 'customer.phone')));
  if (!paths.some(saysWhat) && lines === undefined)
    add(linesMissing(guessesOf(guess, 'items[].sku'), parcel));
  if (!fills('collectionMode') && rules.payment === undefined)
    add(collectionMissing(paymentColumns(unreadColumns(mapping))[0]?.header));
  return problems;
}

/** Whether a field says what is delivered, rather than how many or for how much. */
function saysWhat([first, , last]: FieldPath): boolean {
  return first === 'items' && !['quantity', 'unitPrice', 'price'].includes(String(last));
}

/** Those that say who pays, value by value or by an amount. */
export function paymentColumns<Column extends UnreadColumn>(unread: readonly Column[]): Column[] {
  return unread.filter(({ role }) => isAboutPayment(role));
}

function guessesOf(guess: GuessFields, field: string): readonly ColumnGuess[] {
  return (guess().find((found) => found.field === field)?.guesses ?? []).slice(0, maxSuggested);
}
