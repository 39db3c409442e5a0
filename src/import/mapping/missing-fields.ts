import { type Text, t } from '../../advice/advice.ts';
import { type FieldPath, formatFieldPath } from '../../orders/field-path.ts';
import { type Header, knownPath, mappingProblem, pathOfAlias } from '../columns/header.ts';
import type { UnreadColumn } from '../columns/header-roles.ts';
import { isAboutPayment } from '../columns/roles.ts';
import type { Problem } from '../problem.ts';
import type { ColumnGuess, FieldGuesses } from './guesses.ts';
import { parcel } from './lines.ts';
import { type MappedFlags, type Mapping, unreadColumns } from './mapping.ts';

/** Called only when something is missing. */
type GuessFields = () => readonly FieldGuesses[];

const idPath = 'externalOrderId';
const maxListed = 40;
const maxSuggested = 3;
/** IDs of many things look alike, so the header must fit as well. */
const minIdScore = 0.5;
/** Characters that separate cells in files for which another delimiter was detected. */
const separators = /[,;\t|^~]/g;

export function missingId(header: Header, guess: GuessFields): Problem {
  return mappingProblem({
    code: 'column_missing',
    path: idPath,
    problem: t`no column holds your order IDs, which prevent an order from being created twice`,
    ...fixForMissingId(header, guess),
  });
}

function fixForMissingId(header: Header, guess: GuessFields): Pick<Problem, 'fix' | 'cures'> {
  const names = header.cells.filter((name) => name !== '');
  if (names.length === 0) return { fix: t`add a header line with the names of the columns` };
  const isId = (cell: string) => (knownPath(cell) ?? pathOfAlias(cell)) === idPath;
  const lower = (header.below ?? []).find(({ cells }) => cells.some(isId));
  if (lower !== undefined) {
    const cure = ['--header-row', String(lower.row)];
    return { fix: t`row ${lower.row} looks like the header: add ${cure.join(' ')}`, cures: [cure] };
  }
  const [only = '', ...others] = names;
  const delimiter = others.length === 0 ? mostFrequentSeparator(only) : undefined;
  if (delimiter !== undefined) {
    const isTab = delimiter === '\t';
    const fix = isTab
      ? t`it was read as one column; if that is wrong, add --delimiter tab`
      : t`it was read as one column; if that is wrong, add --delimiter '${delimiter}'`;
    return { fix, cures: [['--delimiter', isTab ? 'tab' : delimiter]] };
  }
  const suggestions = guessesOf(guess, idPath)
    .filter(({ score }) => score >= minIdScore)
    .map(({ header: name }) => t`if "${name}" is that column, add ${mapFlag(name, idPath)}`);
  const listed = names.slice(0, maxListed).join(', ');
  const more = names.length - maxListed;
  const columns = more > 0 ? t`${listed} and ${more} more` : listed;
  const [first, ...rest] =
    suggestions.length > 0
      ? suggestions
      : [t`run the import at a terminal, which offers to write a copy of the file with order IDs`];
  const ways = rest.reduce((before: Text, next) => t`${before}, or ${next}`, first ?? '');
  return { fix: t`name that column externalOrderId, or ${ways}; the columns are: ${columns}` };
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
  if (!fills('customer', 'customer.phone', 'customer.externalCustomerId')) {
    const phone = suggestionsFor(guess, 'customer.phone') ?? mapFlag('Header', 'customer.phone');
    const fix = t`${phone}, or the column of your own customer IDs: ${mapFlag('Header', 'customer.externalCustomerId')}, or the same phone for every order: ${'--set customer.phone=PHONE'}`;
    problems.push(
      mappingProblem({
        code: 'customer_missing',
        path: 'customer.phone',
        problem: t`no column holds the customer’s phone`,
        fix,
      }),
    );
  }
  if (!paths.some(saysWhat) && lines === undefined) {
    const fix =
      suggestionsFor(guess, 'items[].sku') ??
      t`${mapFlag('Header', 'items[].sku')}, or items[].name for products without a SKU, or the same line for every order: ${`--set 'items:=[{"name":"${parcel}"}]'`}`;
    problems.push(
      mappingProblem({
        code: 'items_missing',
        path: 'items',
        problem: t`no column holds the lines of the orders`,
        fix,
      }),
    );
  }
  if (!fills('collectionMode') && rules.payment === undefined) problems.push(missingCollection(mapping));
  return problems;
}

/** Whether a field says what is delivered, rather than how many or for how much. */
function saysWhat([first, , last]: FieldPath): boolean {
  return first === 'items' && !['quantity', 'unitPrice', 'price'].includes(String(last));
}

function missingCollection(mapping: Mapping): Problem {
  const [payment] = paymentColumns(unreadColumns(mapping));
  const fix =
    payment === undefined
      ? t`add --set collectionMode=NONE when every order is prepaid, or name the column that says NONE or COLLECT: ${mapFlag('Header', 'collectionMode')}`
      : t`"${payment.header}" seems to say who pays: say what its values mean in a mapping, which --write-map FILE drafts, or add --set collectionMode=NONE when every order is prepaid`;
  const problem = t`nothing says whether the courier collects money (NONE or COLLECT)`;
  return mappingProblem({ code: 'collection_mode_missing', path: 'collectionMode', problem, fix });
}

/** Those that say who pays, value by value or by an amount. */
export function paymentColumns<Column extends UnreadColumn>(unread: readonly Column[]): Column[] {
  return unread.filter(({ role }) => isAboutPayment(role));
}

function suggestionsFor(guess: GuessFields, field: 'customer.phone' | 'items[].sku'): Text | undefined {
  const flags = guessesOf(guess, field).map(
    ({ header: name }): Text =>
      field === 'customer.phone'
        ? t`"${name}" looks like phones: ${mapFlag(name, field)}`
        : t`"${name}" looks like SKUs: ${mapFlag(name, field)}`,
  );
  return flags.length === 0 ? undefined : flags.reduce((before, next) => t`${before}, or ${next}`);
}

function guessesOf(guess: GuessFields, field: string): readonly ColumnGuess[] {
  return (guess().find((found) => found.field === field)?.guesses ?? []).slice(0, maxSuggested);
}

function mapFlag(header: string, path: string): string {
  return `--map-column '${header}=${path}'`;
}
