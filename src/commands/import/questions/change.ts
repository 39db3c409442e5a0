import { columnMark, isMark, markOf } from '../../../import/mapping/marks.ts';
import { decisions } from '../../../import/words/verdict.ts';
import type { JsonObject } from '../../../orders/json.ts';
import type { Asked, OpenDraft } from './asked.ts';
import { objectIn, setIn } from './asked.ts';
import { shown } from './question-text.ts';

/** An answer, or what was settled without one, that can be asked about again. */
interface Entry {
  path: readonly string[];
  name: string;
}

export function changesOf({ mapping, proposal }: OpenDraft): Entry[] {
  const labelOf = (field: string) => proposal.fields.find((known) => known.field === field)?.label ?? field;
  const named = (label: string, value: unknown) =>
    typeof value === 'string' ? `${label}: ${shown(value)}` : label;
  const { amount_due: due, lines, unpaid, decimal, ignore } = mapping;
  return [
    ...Object.entries(objectIn(mapping, 'columns')).map(([field, column]) => ({
      path: ['columns', field],
      name: named(labelOf(field), column),
    })),
    ...(lines === undefined ? [] : [{ path: ['lines'], name: 'the lines of an order' }]),
    ...Object.keys(objectIn(mapping, 'values')).map((header) => ({
      path: ['values', header],
      name: `the values of ${shown(header)}`,
    })),
    ...(due === undefined ? [] : [{ path: ['amount_due'], name: named('what the courier collects', due) }]),
    ...(unpaid === undefined ? [] : [{ path: ['unpaid'], name: named('orders that are not paid', unpaid) }]),
    ...(decimal === undefined ? [] : [{ path: ['decimal'], name: named('how amounts are read', decimal) }]),
    ...(ignore === undefined ? [] : [{ path: ['ignore'], name: 'the columns that are not read' }]),
  ];
}

/** The answers with an open question in the place of one. */
export function withQuestion(
  { mapping }: OpenDraft,
  asked: Asked,
  { path }: Entry,
  draftOf: (asked: Asked) => OpenDraft,
): Asked {
  const [key = '', name = ''] = path;
  const without = (given: JsonObject): JsonObject => {
    if (path.length === 1) {
      const { [key]: _, ...others } = given;
      return others;
    }
    const { [name]: _, ...others } = objectIn(given, key);
    return { ...given, [key]: others };
  };
  const open = { ...asked, given: without(asked.given) };
  const { proposal } = draftOf(open);
  const set = (value: string | JsonObject): Asked => ({ ...open, given: setIn(open.given, path, value) });
  switch (key) {
    case 'columns': {
      const field = proposal.fields.find((known) => known.field === name);
      const guesses = (field?.guesses ?? []).map(({ header }) => header);
      return set(name === 'externalOrderId' ? markOf(guesses) : columnMark(guesses));
    }
    case 'values': {
      const listed = objectIn(mapping, 'values', name);
      const isPayment = Object.values(listed).some((value) => value === 'collect' || value === 'prepaid');
      const choices = isPayment ? decisions : (['deliver', 'leave_out'] as const);
      const marks = Object.entries(listed).map(([text, value]) => [
        text,
        isMark(value) ? value : markOf(choices),
      ]);
      return { ...set(Object.fromEntries(marks)), oneByOne: [...(asked.oneByOne ?? []), name] };
    }
    case 'amount_due':
      return set(columnMark(proposal.amounts.map(({ header }) => header)));
    case 'ignore':
      return { ...open, ticked: undefined };
    default:
      return set(markOf([]));
  }
}
