import { type Text, t } from '../advice/advice.ts';
import { mappingEntry, type Problem, type ProblemText } from './problem.ts';

/** A column that may hold a field. */
interface Guess {
  header: string;
}

// The header

export function unsafeName(part: string): ProblemText {
  return {
    code: 'header_invalid',
    reason: 'unsafe',
    problem: t`"${part}" cannot be part of a field path`,
    fix: renameOrRemove,
  };
}

const renameOrRemove = t`rename the column or remove it`;

export const blankName: ProblemText = {
  code: 'header_invalid',
  reason: 'blank',
  problem: t`has no name, but some of its cells have text`,
  fix: t`name the column or remove it`,
};

/** `option`: what names the field, when it is not the header itself. */
export function misspeltField(near: string, option?: string): ProblemText {
  return {
    code: 'header_invalid',
    reason: 'near_miss',
    ...(option === undefined
      ? { problem: t`is not a field of an order`, fix: t`did you mean ${near}? rename the column` }
      : { problem: t`${option} does not name a field of an order`, fix: t`did you mean ${near}?` }),
  };
}

export function noField(problem: Text, option?: string): ProblemText {
  return {
    code: 'header_invalid',
    ...(option === undefined
      ? { problem, fix: renameOrRemove }
      : {
          problem: t`${option} does not name a field: ${problem}`,
          fix: t`use a field such as customer.phone or deliveryAddress.city`,
        }),
  };
}

/** `other`: the letters of the column. */
export function fieldFilledTwice(name: string, path: string, other: string): ProblemText {
  return {
    code: 'header_duplicate',
    problem: t`fills ${path}, which column ${other} also fills`,
    fix: t`keep one of the two, or choose one: --map-column '${name}=${path}'`,
  };
}

export function quantityOrdered(path: string, net: string): ProblemText {
  return {
    code: 'partly_fulfilled',
    reason: 'refunded',
    problem: t`holds the quantities that were ordered; those that are left to deliver are in "${net}"`,
    fix: t`leave out its mapping to ${path}`,
  };
}

export function lineNumberTooLarge(max: number): ProblemText {
  return {
    code: 'header_invalid',
    problem: t`its line number is too large; the largest is ${max}`,
    fix: t`number the lines from 1`,
  };
}

export function lineNumberRepeated(other: string): ProblemText {
  return {
    code: 'header_duplicate',
    problem: t`has the same line number as column ${other}`,
    fix: t`rename one of them, so that each line has a number of its own`,
  };
}

// Names of columns in flags and mappings

export function columnUnknown(header: string, option: string, near: string | undefined): ProblemText {
  return {
    code: 'column_unknown',
    header,
    problem: t`${option} names a column that the file does not have`,
    fix: near === undefined ? t`use the name of one of its columns` : t`did you mean "${near}"?`,
  };
}

export function columnAmbiguous(header: string, option: string, count: number): ProblemText {
  return {
    code: 'header_duplicate',
    header,
    problem: t`${option} names a column that appears ${count} times in the file`,
    fix: t`choose one: "${header}#1" is the first, "${header}#2" the second`,
  };
}

export function columnsUnknown(patterns: readonly string[], option: string): ProblemText {
  return {
    code: 'column_unknown',
    problem: t`${option} names columns that the file does not have: ${patterns.join(', ')}`,
    fix: t`use the names of its columns, with {n} in place of the number`,
  };
}

// Fields that no column fills

const idMissing = {
  code: 'column_missing',
  path: 'externalOrderId',
  problem: t`no column holds your order IDs, which prevent an order from being created twice`,
} as const;

export const namesMissing: ProblemText = {
  ...idMissing,
  fix: t`add a header line with the names of the columns`,
};

export function headerIsLower(row: number): ProblemText {
  const cure = ['--header-row', String(row)];
  return { ...idMissing, fix: t`row ${row} looks like the header: add ${cure.join(' ')}`, cures: [cure] };
}

export function readAsOneColumn(delimiter: string): ProblemText {
  const isTab = delimiter === '\t';
  return {
    ...idMissing,
    fix: isTab
      ? t`it was read as one column; if that is wrong, add --delimiter tab`
      : t`it was read as one column; if that is wrong, add --delimiter '${delimiter}'`,
    cures: [['--delimiter', isTab ? 'tab' : delimiter]],
  };
}

const maxListed = 40;

export function noColumnOfIds(names: readonly string[], guesses: readonly Guess[]): ProblemText {
  const suggestions = guesses.map(
    ({ header: name }) => t`if "${name}" is that column, add ${mapFlag(name, 'externalOrderId')}`,
  );
  const ways =
    joinWays(suggestions) ??
    t`run the import at a terminal, which offers to write a copy of the file with order IDs`;
  const listed = names.slice(0, maxListed).join(', ');
  const more = names.length - maxListed;
  const columns = more > 0 ? t`${listed} and ${more} more` : listed;
  return {
    ...idMissing,
    fix: t`name that column externalOrderId, or ${ways}; the columns are: ${columns}`,
  };
}

export function phonesMissing(guesses: readonly Guess[]): ProblemText {
  const path = 'customer.phone';
  const suggestions = guesses.map(
    ({ header: name }) => t`"${name}" looks like phones: ${mapFlag(name, path)}`,
  );
  const phone = joinWays(suggestions) ?? mapFlag('Header', path);
  return {
    code: 'customer_missing',
    path,
    problem: t`no column holds the customer’s phone`,
    fix: t`${phone}, or the column of your own customer IDs: ${mapFlag('Header', 'customer.externalCustomerId')}, or the same phone for every order: ${'--set customer.phone=PHONE'}`,
  };
}

/** `product`: what a line of every order may be called. */
export function linesMissing(guesses: readonly Guess[], product: string): ProblemText {
  const path = 'items[].sku';
  return {
    code: 'items_missing',
    path: 'items',
    problem: t`no column holds the lines of the orders`,
    fix:
      joinWays(guesses.map(({ header: name }) => t`"${name}" looks like SKUs: ${mapFlag(name, path)}`)) ??
      t`${mapFlag('Header', path)}, or items[].name for products without a SKU, or the same line for every order: ${`--set 'items:=[{"name":"${product}"}]'`}`,
  };
}

/** `payment`: the header of a column that seems to say it. */
export function collectionMissing(payment: string | undefined): ProblemText {
  const path = 'collectionMode';
  return {
    code: 'collection_mode_missing',
    path,
    problem: t`nothing says whether the courier collects money (NONE or COLLECT)`,
    fix:
      payment === undefined
        ? t`add --set collectionMode=NONE when every order is prepaid, or name the column that says NONE or COLLECT: ${mapFlag('Header', path)}`
        : t`"${payment}" seems to say who pays: say what its values mean in a mapping, which --write-map FILE drafts, or add --set collectionMode=NONE when every order is prepaid`,
  };
}

function joinWays(ways: readonly Text[]): Text | undefined {
  return ways.length === 0 ? undefined : ways.reduce((before, next) => t`${before}, or ${next}`);
}

function mapFlag(header: string, path: string): string {
  return `--map-column '${header}=${path}'`;
}

// Exports without orders to deliver

export function exportNotDeliverable(title: Text, why: Text): ProblemText {
  return {
    code: 'export_not_deliverable',
    problem: t`it is the ${title}, from which no orders can be read`,
    fix: why,
  };
}

export function listOfOrders(lacking: string): ProblemText {
  return {
    code: 'export_not_deliverable',
    problem: t`it is a list of orders that exist already, and lacks ${lacking}`,
    fix: t`import the file that the orders came from; to create them again under new IDs, add what is lacking`,
  };
}

// Damaged texts and files

export const fromExport = t`take it from the original export, or import that column into the spreadsheet as text`;

export const damages = {
  error: {
    code: 'value_lost',
    reason: 'error',
    problem: t`a spreadsheet replaced the value by an error`,
    fix: t`fix the formula, or take the value from the original export`,
  },
  hidden: {
    code: 'value_lost',
    reason: 'hidden',
    problem: t`the shop hides this value`,
    fix: t`export the orders again while the shop still shows the value, or type it in`,
  },
  formula: {
    code: 'value_lost',
    reason: 'formula',
    problem: t`the workbook has a formula here, but not its value`,
    fix: t`open the workbook in a spreadsheet program and save it there, or write the value into the cell`,
  },
  manyDigits: {
    code: 'number_damaged',
    reason: 'digits',
    problem: t`a number of more than 15 digits; a spreadsheet keeps only 15 of them`,
    fix: fromExport,
  },
  exponent: {
    code: 'number_damaged',
    problem: t`a spreadsheet replaced this number; its last digits are gone`,
    fix: fromExport,
  },
  letters: {
    code: 'text_damaged',
    problem: t`letters were lost when the file was saved: older encodings have no Ө and Ү`,
    fix: t`save the original again as "CSV UTF-8"`,
  },
  encoding: {
    code: 'text_damaged',
    problem: t`the file was opened with the wrong encoding and saved again`,
    fix: t`open the original as UTF-8 (Data, From Text/CSV) and save it as "CSV UTF-8"`,
  },
} satisfies Record<string, ProblemText>;

const columnFromExport = t`take the column from the original export, or import it into the spreadsheet as text`;

export const idsRounded: ProblemText = {
  code: 'number_damaged',
  reason: 'rounded',
  problem: t`most of its numbers end in zeros: a spreadsheet has rounded them, and different IDs may have become the same`,
  fix: columnFromExport,
};

export const phonesRounded: ProblemText = {
  code: 'phones_rounded',
  problem: t`most of its phone numbers end in zeros: a spreadsheet has rounded them, and their last digits are lost`,
  fix: columnFromExport,
};

const cutOff = {
  about: 'file',
  severity: 'error',
  code: 'file_truncated',
  fix: t`export or copy the file again; if it really ends there, add --ends-here`,
  cures: [['--ends-here']],
} as const;

export function cutOffInRow(cells: number, width: number): Problem {
  return {
    ...cutOff,
    problem:
      cells === 1
        ? t`the file ends without a line end in a row of 1 cell, but the header has ${width}: it seems to be cut off`
        : t`the file ends without a line end in a row of ${cells} cells, but the header has ${width}: it seems to be cut off`,
  };
}

export const cutOffInBlank: Problem = {
  ...cutOff,
  problem: t`the file ends without a line end in this cell, which is blank in no other row: it seems to be cut off`,
};

export const cutOffInDigits: Problem = {
  ...cutOff,
  problem: t`the file ends without a line end in this cell, and all other rows have more digits there: it seems to be cut off`,
};

// The orders of a file

export const noOrders: Problem = {
  about: 'file',
  severity: 'error',
  code: 'file_without_orders',
  problem: t`it has no orders`,
  fix: t`export it again with orders in it`,
};

export function orderUnknown(id: string): Problem {
  return {
    about: 'file',
    severity: 'error',
    code: 'order_unknown',
    problem: t`no order has the ID "${id}", which --allow-without-address names`,
    fix: t`write the order ID as it would be sent, or leave the flag out`,
  };
}

const maxShown = 12;

/** `columns`: the name of each, with a value of it. */
export function columnsUndecided(columns: readonly string[]): ProblemText {
  const count = columns.length;
  const named = columns.slice(0, maxShown).join(', ');
  return {
    code: 'columns_undecided',
    problem:
      count === 1
        ? t`nothing says what this column holds: ${named}`
        : count > maxShown
          ? t`nothing says what these ${count} columns hold: ${named} and ${count - maxShown} more`
          : t`nothing says what these ${count} columns hold: ${named}`,
    fix:
      count === 1
        ? t`if it does not matter, add --ignore-rest; otherwise name the field of a column with --map-column 'Header=path', or describe it in a mapping file (--map)`
        : t`if they do not matter, add --ignore-rest; otherwise name the field of a column with --map-column 'Header=path', or describe it in a mapping file (--map)`,
    cures: [['--ignore-rest']],
  };
}

export function idsCountUp(first: number, last: number, prefix: string): ProblemText {
  const ids = first === last ? String(first) : t`${first} to ${last}`;
  return {
    code: 'ids_count_up',
    problem: t`only counts the rows: ${ids}. The next file counts from 1 again, and its orders would be taken for these`,
    fix: t`add --id-prefix ${prefix}, so that the first order is ${prefix}${first}; --id-prefix none if these are the shop’s own order IDs`,
    cures: [['--id-prefix', prefix]],
  };
}

// Formats of a column

export const yearMissing: ProblemText = {
  code: 'date_unclear',
  problem: t`has no year, and is more than 60 days ahead or 30 days ago, so the year is not clear`,
  fix: t`write the day with its year, as YYYY-MM-DD`,
};

/** What reads dates that are no days as they are. */
export function dateOrderMissing(cures: NonNullable<Problem['cures']>): Pick<Problem, 'fix' | 'cures'> {
  const flags = cures.map((words) => words.join(' ')).join(' or ');
  return {
    fix:
      cures.length === 1
        ? t`add ${flags}, which reads every cell of the column`
        : t`add ${flags}, whichever is meant`,
    cures,
  };
}

export function plusMissing(fix: Text): Pick<Problem, 'fix' | 'prefix'> {
  return { fix: t`${fix}, or have a mapping file put it before each cell: "prefix": "+"`, prefix: '+' };
}

export function severalPhones(fix: Text): Pick<Problem, 'fix' | 'mayPick'> {
  return {
    fix: t`${fix}, or have a mapping file take one of each cell: "pick": "first", or "pick": "last"`,
    mayPick: true,
  };
}

export function totalOfEachLine(header: string, isProduct: boolean): ProblemText {
  return {
    code: 'total_is_of_line',
    problem: isProduct
      ? t`is taken as an amount of the order, but it is quantity × price in every row`
      : t`is taken as an amount of the order, but the rows of most orders differ in it`,
    fix: t`to add up the rows of an order, write ${sumOfRows(header)} into "columns" of a mapping file (--map); otherwise name another column`,
  };
}

export function totalOfOnePiece(header: string): ProblemText {
  return {
    code: 'total_is_of_line',
    problem: t`is taken as an amount of the order, but may be the price of one piece, and some orders have several`,
    fix: t`if it is of all pieces, write ${sumOfRows(header)} into "columns" of a mapping file (--map); otherwise add a column with the amount of the order`,
  };
}

function sumOfRows(header: string): string {
  return mappingEntry({ total: { from: header, sum: true } });
}

export function skusAsNames(sku: string, name: string, shown: string): ProblemText {
  const entry = mappingEntry({ 'items[].sku': { from: [sku, name] } });
  return {
    code: 'sku_as_name',
    problem: t`holds names that are SKUs of other lines, in lines without a SKU: ${shown}`,
    fix: t`fill in the SKUs, or write ${entry} into "columns" of a mapping file (--map)`,
  };
}
