import { advice, command, type Text, t } from '../advice/advice.ts';
import type { FieldPathError } from '../orders/field-path.ts';
import type { CellType } from './choices.ts';
import { clip, mappingEntry, type ProblemText, shownValue } from './problem.ts';

interface NamedColumn {
  index: number;
  header: string;
}

// Rows

export function otherWidth(row: number, own: number, width: number): ProblemText {
  return {
    code: 'row_width',
    cause: 'width',
    problem:
      own === 1
        ? t`row ${row} has 1 cell, but the header has ${width}`
        : t`row ${row} has ${own} cells, but the header has ${width}`,
    fix:
      own < width
        ? t`add the delimiter that is missing in the row, or the cells at its end`
        : t`put the cell with the extra delimiter in quotes, or remove that delimiter`,
  };
}

export function totalRow(word: string, hasCellsOfOrder: boolean): ProblemText {
  return {
    code: 'row_unclear',
    cause: 'total',
    value: word,
    problem: hasCellsOfOrder
      ? t`"${word}" stands for a total, but the row has the cells of an order`
      : t`"${word}" stands for a total, but the row may be an order`,
    fix: t`remove the row if it is a total, or else write something else in that cell`,
  };
}

export function loneCell(value: string): ProblemText {
  return {
    code: 'row_unclear',
    value,
    problem: t`the row has text in one cell only, so it may be a title or a note`,
    fix: t`remove the row, or fill the cells that an order needs`,
  };
}

export const headerRepeated: ProblemText = {
  code: 'row_unclear',
  reason: 'header',
  problem: t`this row repeats the header; it is not an order`,
  fix: t`remove the row`,
};

export const linesUnreadable: ProblemText = {
  code: 'lines_unreadable',
  path: 'items',
  problem: t`the lines in this cell are not in the expected form`,
  fix: t`fix the cell, or describe its form with "lines" in a mapping file`,
};

/** `item`: the column that names one. */
export function lineLost(item: string | undefined): ProblemText {
  return item === undefined
    ? {
        code: 'line_lost',
        problem: t`this row adds nothing to its order: it has no line, and repeats what other rows say`,
        fix: t`fill its SKU or item name, or remove the row`,
      }
    : {
        code: 'line_lost',
        problem: t`this row gives its order no line, although it names an item`,
        fix: t`fill its SKU, or map the column too: --map-column '${item}=items[].name'`,
      };
}

export function idRepeated(id: string, row: number): ProblemText {
  return {
    code: 'duplicate_row',
    reason: 'order',
    cause: 'id',
    problem: t`order ${id} is already in row ${row}`,
    fix: t`give the order an ID of its own, or remove the row`,
  };
}

export function rowRepeated(id: string, row: number): ProblemText {
  return {
    code: 'duplicate_row',
    cause: 'row',
    problem:
      id === ''
        ? t`this row is the same as row ${row}`
        : t`this row is the same as row ${row} of order ${id}`,
    fix: t`remove one of them, or set "repeated_rows": "lines" in a mapping file if both are meant: --write-map FILE writes one, --map FILE reads it`,
  };
}

const differences = {
  case: t`only upper and lower case differ`,
  width: t`one has full-width characters`,
  letters: t`one has Cyrillic letters where the other has Latin ones`,
  dashes: t`one has a space or a dash where the other has a hyphen`,
  zeros: t`only zeros or a sign before it differ`,
};
export type IdDifference = keyof typeof differences;

export function idsAlike(
  id: string,
  other: { id: string; row: number },
  difference: IdDifference,
  isSameCustomer: boolean,
): ProblemText {
  const alike = t`"${id}" looks like "${other.id}" in row ${other.row}: ${differences[difference]}`;
  return {
    code: 'ids_alike',
    cause: 'alike',
    problem: isSameCustomer ? t`${alike}. The customer is the same too, so it may be one order twice` : alike,
    fix: isSameCustomer
      ? t`remove one of them, or give them IDs that differ in more than that`
      : t`check that they are two orders; both are sent`,
  };
}

// Rows and columns that contradict each other

const giveOtherId = t`make them agree, or give one of the rows another order ID`;

export function differsFromOtherRow(text: string): ProblemText {
  return {
    code: 'field_conflict',
    cause: 'other row',
    problem: t`differs from another row of the same order, which has "${text}"`,
    fix: giveOtherId,
  };
}

export function differsFromRow(row: number, text: string, isAmount: boolean): ProblemText {
  return {
    code: 'field_conflict',
    cause: 'other row',
    problem: t`differs from row ${row} of the same order, which has "${text}"`,
    fix: isAmount
      ? t`write the total of the order in each of its rows; if each row has its own part, "sum": true in a mapping file (--map) adds them up`
      : giveOtherId,
  };
}

export function differsFromOtherColumn(text: string): ProblemText {
  return {
    code: 'field_conflict',
    cause: 'other column',
    problem: t`differs from the value of another column for the same line, "${text}"`,
    fix: t`make them agree, or remove one of the columns`,
  };
}

export function rowsPartlyLeftOut(index: number): ProblemText {
  return {
    code: 'field_conflict',
    cause: `split ${index}`,
    problem: t`some rows of this order are to be left out, and others are not`,
    fix: t`make them agree, or name the column in "leave_out_lines" of a mapping file (--map) when it is about lines`,
  };
}

export function pathConflict({ problem, fix }: FieldPathError, isOfSet: boolean): ProblemText {
  const ofOthers = isOfSet
    ? t`a column and --set contradict each other; leave one of them out`
    : t`two columns contradict each other; remove one of them`;
  return { code: 'path_conflict', problem, fix: fix ?? ofOthers };
}

export function placeTaken(problem: Text): ProblemText {
  return {
    code: 'path_conflict',
    problem: t`${problem}, and the profile sends another field there`,
    fix: t`remove one of the two columns, or choose another place: ${command('profiles', 'fields', '--help')}`,
  };
}

// Cells

export function idsDamaged(damage: ProblemText): ProblemText {
  return { ...damage, problem: t`${damage.problem}, and different orders may have become one` };
}

export function cellNotOfType(type: CellType): ProblemText {
  return {
    code: 'cell_type_invalid',
    problem: type === 'json' ? t`is not JSON, or nested too deeply` : t`is not a ${type}`,
    fix: t`fix the cell, or remove the type from the header`,
  };
}

// Payment

export function paymentUnknown(
  { index, header }: NamedColumn,
  text: string,
  isCash: boolean,
  mayBePaid: boolean,
): ProblemText {
  const line = mappingEntry({ on_delivery: { [header]: shownValue(text) } });
  return {
    code: 'payment_unknown',
    cause: `${isCash} ${mayBePaid} ${index} ${text}`,
    problem: isCash
      ? t`it is not known whether the courier collects this cash`
      : mayBePaid
        ? t`it is not known whether this means paid, not paid, or paid on delivery`
        : t`it is not known whether this means paid on delivery`,
    fix: !mayBePaid
      ? t`write what it means in a mapping file (--map): ${line}, or "open" instead of "on_delivery"`
      : isCash
        ? t`write what it means in a mapping file (--map): ${line}, or "paid" instead of "on_delivery"`
        : t`write what it means in a mapping file (--map): ${line}, or "paid" or "open" instead of "on_delivery"`,
  };
}

export function paymentOpen(isPartly: boolean, method: string | undefined): ProblemText {
  const problem = isPartly
    ? t`it is only partly paid, and the rest is not paid on delivery`
    : t`it is not paid, and it is not paid on delivery`;
  return {
    code: 'payment_open',
    cause: `open ${isPartly}`,
    problem: method === undefined ? problem : advice`${problem} (${method})`,
    fix: t`for all such orders add --unpaid collect (the courier collects), --unpaid prepaid or --unpaid leave-out`,
  };
}

export function dueContradicts(isPaid: boolean): ProblemText {
  return {
    code: 'due_contradicts_status',
    problem: isPaid
      ? t`the amount due and the status of the payment contradict each other: the status says that it is paid`
      : t`the amount due and the status of the payment contradict each other: the status says that it is not paid`,
    fix: t`look up the order in the shop, and correct the amount or the status in the file`,
  };
}

export const amountMissing: ProblemText = {
  code: 'amount_due_missing',
  problem: t`it is paid on delivery, but the amount to collect is not in the file`,
  fix: t`name the column that has it: --map-column 'Header=total', or "amount_due" in a mapping file`,
};

export function amountBlank(header: string): ProblemText {
  return {
    code: 'amount_due_missing',
    problem: t`the amount to collect is blank`,
    fix: t`fill it in, 0 for an order that is prepaid; if all orders without an amount are prepaid, add ${mappingEntry({ values: { [header]: { '': 'prepaid' } } })} to the mapping file`,
  };
}

export const amountUnclear: ProblemText = {
  code: 'amount_due_missing',
  problem: t`a part of it may be paid already, and the file does not say whether the total includes that part`,
  fix: t`look up in the shop how much is left to pay, write it as the total, and clear this cell`,
};

export function constantContradictsPayment(constant: string, mode: 'COLLECT' | 'NONE'): ProblemText {
  return {
    code: 'collection_contradicts_payment',
    path: 'collectionMode',
    problem:
      mode === 'COLLECT'
        ? t`it is paid on delivery, but --set collectionMode=${constant} says that nothing is collected`
        : t`it is paid, but --set collectionMode=${constant} says that the courier collects`,
    fix: t`leave out --set collectionMode=${constant}, so that the payment columns decide`,
  };
}

// State, delivery and notes

export function stateUnknown({ index, header }: NamedColumn, text: string): ProblemText {
  return {
    code: 'state_unknown',
    cause: `state ${index} ${text}`,
    problem: t`"${text}" is not a known status of an order`,
    fix: t`leave such orders out with --leave-out '${header}=${text}', or send them: ${mappingEntry({ to_deliver: { [header]: text } })} in a mapping file (--map)`,
  };
}

function leaveOutOrDeliver({ header }: NamedColumn, text: string): Text {
  const deliver = mappingEntry({ values: { [header]: { [text]: 'deliver' } } });
  return t`leave such orders out with --leave-out '${header}=${text}', or send them: ${deliver} in a mapping file (--map)`;
}

export const pickedUp: ProblemText = {
  code: 'pickup_not_deliverable',
  problem: t`the customer picks this order up; the service only delivers`,
  fix: t`remove its rows, or import the other orders with --on-invalid skip`,
};

export function pickedUpBy({ header }: NamedColumn, text: string): ProblemText {
  return { ...pickedUp, fix: t`leave such orders out: --leave-out '${header}=${text}'` };
}

export function mayBePickedUp(column: NamedColumn, text: string): ProblemText {
  return {
    code: 'pickup_suspected',
    cause: text,
    problem: t`its delivery method may mean that the customer picks the order up`,
    fix: leaveOutOrDeliver(column, text),
  };
}

export function noAddress(hasMethod: boolean): ProblemText {
  return {
    code: 'pickup_suspected',
    problem: hasMethod
      ? t`it has a delivery method but no address to deliver to, as orders that the customer picks up have`
      : t`it has no address to deliver to`,
    fix: t`fill in the address, or remove its rows; --on-invalid skip imports the other orders, and --allow-without-address ID this one as it is`,
  };
}

export const addressMissing: ProblemText = {
  code: 'address_missing',
  path: 'deliveryAddress.street',
  problem: t`it has no address, but other orders of the file have one`,
  fix: t`fill it in; --allow-without-address ID sends one order without it, "address": "optional" in a mapping file (--map) all of them`,
};

export const partlyFulfilled: ProblemText = {
  code: 'partly_fulfilled',
  problem: t`a part of this order was sent already, and the file does not say which lines`,
  fix: t`export it with the state of each line, or remove the lines that were sent; --include fulfilled sends all of them`,
};

export const partlyRefunded: ProblemText = {
  code: 'partly_fulfilled',
  reason: 'refunded',
  problem: t`a part of this order was refunded, and the file does not say which lines`,
  fix: t`correct the quantities in the file and clear this cell, or create the order by hand`,
};

export function noteMayEnd(column: NamedColumn, text: string): ProblemText {
  return {
    code: 'state_unknown',
    problem: t`its note "${text}" may mean that it is not to be delivered`,
    fix: leaveOutOrDeliver(column, text),
  };
}

/** A word of a state or a payment among others. */
export function noteUnclear(text: string): ProblemText {
  return {
    code: 'state_unknown',
    cause: text,
    problem: t`its note "${shownValue(text)}" may say that it is not to be delivered, or that another amount is collected`,
    fix: t`read it, and change the order or leave it out where it does`,
  };
}

export function noteContradicts({ header }: NamedColumn, text: string): ProblemText {
  return {
    code: 'collection_contradicts_payment',
    problem: t`its note says "${text}", but nothing would be collected`,
    fix: t`leave such orders out: --leave-out '${header}=${text}'; --ignore-column '${header}' makes them prepaid`,
  };
}

// Amounts, values and customers

export function currencyNotMnt(header: string): ProblemText {
  return {
    code: 'currency_not_mnt',
    problem: t`the service takes every amount as ₮`,
    fix: t`give the amounts in ₮; --ignore-column '${header}' sends them as they are, read as ₮`,
  };
}

export const amountNotMnt: ProblemText = {
  code: 'currency_not_mnt',
  problem: t`is not in MNT`,
  fix: t`give the amount in MNT, in digits: 25000; the service takes every amount as MNT`,
};

export function linesDoNotAddUp(header: string): ProblemText {
  return {
    code: 'lines_do_not_add_up',
    problem: t`the lines do not add up to the ${header}`,
    fix: t`check whether a line or a quantity is missing`,
  };
}

export function valueUnlisted(value: string, path: string): ProblemText {
  return {
    code: 'value_unknown',
    path,
    problem: t`"${value}" is not among the values that the mapping lists`,
    fix: t`add it to "values" of ${path} in the mapping file: "${value}": "..."`,
  };
}

const maxShownIds = 3;

export function customersShareId(ids: readonly string[]): ProblemText {
  const shown = `${ids.slice(0, maxShownIds).map(clip).join(', ')}${ids.length > maxShownIds ? ', …' : ''}`;
  return {
    code: 'customer_id_shared',
    problem:
      ids.length === 1
        ? t`one customer has two phones: ${shown}`
        : t`${ids.length} customers have two phones: ${shown}`,
    fix: t`check that they are the same customers; all orders are sent`,
  };
}

/** `header`: of the column of customer IDs. */
export function customerIdShared(id: string, phones: number, header: string | undefined): ProblemText {
  return {
    code: 'customer_id_shared',
    path: 'customer.externalCustomerId',
    cause: id,
    problem: t`the customer ID "${clip(id)}" stands with ${phones} or more phones, so that it is not one customer’s`,
    fix:
      header === undefined
        ? t`leave the customer ID out, or correct it`
        : t`leave the column out with --ignore-column '${header}', or correct the IDs`,
  };
}

interface ValuesColumn extends NamedColumn {
  isPayment: boolean;
}

/** `remembered`: the name of the mapping that lists the values of the column. */
export function valueNotListed(
  { index, header, isPayment }: ValuesColumn,
  text: string,
  remembered: string | undefined,
): ProblemText {
  const line = valueEntry(header, text, isPayment ? 'collect' : 'deliver');
  const choice = isPayment
    ? t`${line}, or "prepaid", "deliver" (it says nothing about the payment) or "leave_out" instead of "collect"`
    : t`${line}, or "leave_out" instead of "deliver"`;
  return {
    code: 'value_unknown',
    cause: `value ${index} ${text}`,
    problem:
      text === ''
        ? t`a blank cell is not among the values that the mapping lists`
        : t`"${shownValue(text)}" is not among the values that the mapping lists`,
    fix:
      remembered === undefined
        ? t`write what it means under "values" in the mapping file: ${choice}`
        : t`import the file at a terminal, which asks what it means, or run ${command('mappings', 'show', remembered)} > ${remembered}.map.json, add it to "values" there, and run ${command('mappings', 'add', 'FILE.csv', `${remembered}.map.json`)}: ${choice}`,
  };
}

export function valueNotSeen({ index, header }: NamedColumn, text: string, name: string): ProblemText {
  return {
    code: 'value_unknown',
    cause: `value ${index} ${text}`,
    problem:
      text === ''
        ? t`a blank cell was not in this column when the mapping "${name}" was remembered`
        : t`"${shownValue(text)}" was not in this column when the mapping "${name}" was remembered`,
    fix: t`run ${command('mappings', 'show', name)} > ${name}.map.json, list what each value of the column means in "values", such as ${valueEntry(header, text, 'collect')}, and add --map ${name}.map.json; --ignore-column '${header}' sends such orders as the others`,
  };
}

function valueEntry(header: string, text: string, decision: string): string {
  return mappingEntry({ [header]: { [shownValue(text)]: decision } });
}
