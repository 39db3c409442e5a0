import { command, type Text, t } from '../advice/advice.ts';
import type { FieldPathError } from '../orders/field-path.ts';
import type { CellType } from './choices.ts';
import type { ProblemText } from './problem.ts';

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
    cause: 'one cell',
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

/** `item`: the column that names one. */
export function lineLost(item: string | undefined): ProblemText {
  return item === undefined
    ? {
        code: 'line_lost',
        cause: 'nothing',
        problem: t`this row adds nothing to its order: it has no line, and repeats what other rows say`,
        fix: t`fill its SKU or item name, or remove the row`,
      }
    : {
        code: 'line_lost',
        cause: 'item',
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
  const common = { code: 'ids_alike', cause: 'alike' } as const;
  return isSameCustomer
    ? {
        ...common,
        problem: t`${alike}. The customer is the same too, so it may be one order twice`,
        fix: t`remove one of them, or give them IDs that differ in more than that`,
      }
    : {
        ...common,
        problem: alike,
        fix: t`check that they are two orders; both are sent`,
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
