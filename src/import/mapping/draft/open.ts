import type { Json, JsonObject } from '../../../orders/json.ts';
import { noColumn } from '../../columns/header.ts';
import { entryOf, listIn, objectIn, setIn } from '../entries.ts';

/** What only a person can decide about a mapping. */
export type Open = Place & {
  /** What may be the answer, the likeliest first. */
  choices: readonly string[];
  /** Header and values prove the first choice, so that it may be taken without a thought. */
  isProven?: boolean;
};

/** Where the answer is written. */
type Place =
  /** The column of a field; `beside`: what else the entry of the field says. */
  | { kind: 'column'; field: string; beside?: JsonObject }
  /** What stands before each cell of the column of a field, and which of several texts in a cell is meant. */
  | { kind: 'prefix' | 'pick'; field: string }
  /** One line for every order. */
  | { kind: 'items' }
  /** How a column is read as lines, with the choices as mappings; `from`: it is open whether the column holds any. */
  | { kind: 'lines'; readings: readonly JsonObject[]; from?: string }
  | { kind: 'value'; header: string; text: string }
  /** Whether the rule `key` holds for a value. */
  | { kind: 'rule'; key: string; header: string }
  | { kind: 'amount_due' | 'unpaid' }
  /** A column that may go unread. */
  | { kind: 'ignore' };

/** A mapping, and what is open in it. */
export interface Draft {
  mapping: JsonObject;
  /** In the order in which it is asked. */
  open: readonly Open[];
}

export const maxChoices = 6;

/** Which of these columns is meant, or none of them. */
export function orNone(columns: readonly string[]): string[] {
  return [...columns.slice(0, maxChoices - 1), noColumn];
}

export function withAnswer(mapping: JsonObject, open: Open, answer: Json): JsonObject {
  switch (open.kind) {
    case 'column': {
      const hasMore = open.beside !== undefined && answer !== noColumn;
      return setIn(mapping, ['columns', open.field], hasMore ? { ...open.beside, from: answer } : answer);
    }
    case 'prefix':
    case 'pick': {
      const entry = entryOf(objectIn(mapping, 'columns')[open.field] ?? '');
      return setIn(mapping, ['columns', open.field], { [open.kind]: answer, ...entry });
    }
    case 'items':
      return setIn(mapping, ['constants', 'items'], [{ name: answer }]);
    case 'value':
      return setIn(mapping, ['values', open.header, open.text], answer);
    case 'rule':
      return { ...mapping, [open.key]: [...listIn(mapping, open.key), { [open.header]: answer }] };
    case 'ignore':
      return { ...mapping, ignore: [...listIn(mapping, 'ignore'), answer] };
    default:
      return setIn(mapping, [open.kind], answer);
  }
}

export function isAnswered(mapping: JsonObject, open: Open): boolean {
  switch (open.kind) {
    case 'column':
      return Object.hasOwn(objectIn(mapping, 'columns'), open.field);
    case 'value':
      return Object.hasOwn(objectIn(mapping, 'values', open.header), open.text);
    default:
      return Object.hasOwn(mapping, open.kind);
  }
}

/** As if each question were answered by its likeliest choice; those without one stay open. */
export function withFirstChoices({ mapping, open }: Draft): JsonObject {
  return open.reduce((decided, one) => {
    const [first] = one.kind === 'lines' ? one.readings : one.choices;
    return first === undefined ? decided : withAnswer(decided, one, first);
  }, mapping);
}

/** As if no column that is offered were chosen, and each other question answered by its likeliest choice. */
export function withNoColumns({ mapping, open }: Draft): JsonObject {
  const isOffered = (one: Open) => columnsOffered([one]).length > 0 || one.kind === 'column';
  const declined = open
    .filter(isOffered)
    .reduce((decided, one) => withAnswer(decided, one, noColumn), mapping);
  return withFirstChoices({ mapping: declined, open: open.filter((one) => !isOffered(one)) });
}

/** The columns of which a person chooses one. */
export function columnsOffered(open: readonly Open[]): string[] {
  return open.flatMap((one) => {
    if (one.kind === 'lines') return one.from ?? [];
    const isOfColumns = one.kind === 'column' || one.kind === 'amount_due';
    return isOfColumns ? one.choices.filter((choice) => choice !== noColumn) : [];
  });
}
