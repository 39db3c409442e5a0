import { isJsonObject, type Json, type JsonObject } from '../../../orders/json.ts';
import { markOf, objectIn } from '../entries.ts';
import { type Draft, type Open, withAnswer } from './open.ts';
import type { Proposal, ValueProposal } from './proposal.ts';

/** The mapping as it is written into a file, with a mark in each open place. */
export function printDraft({ mapping, open, proposal }: Draft & { proposal: Proposal }): JsonObject {
  const printed = open.reduce(
    (before, one) => withAnswer(before, one, one.kind === 'lines' ? printLines(one) : markOf(one)),
    mapping,
  );
  const { values } = printed;
  return values === undefined
    ? printed
    : { ...printed, values: inOrderOf(proposal.values, objectIn(printed, 'values')) };
}

/** What the first column says of an order holds, so that columns keep their order whichever is answered first. */
export function inOrderOf(columns: readonly ValueProposal[], values: JsonObject): JsonObject {
  const headers = columns.map(({ header }) => header);
  const inColumn = ([header, listed = {}]: [string, Json | undefined]): [string, Json] => {
    const texts = columns.find((column) => column.header === header)?.values.map(({ text }) => text) ?? [];
    return [header, isJsonObject(listed) ? sorted(listed, texts) : listed];
  };
  return Object.fromEntries(Object.entries(sorted(values, headers)).map(inColumn));
}

function sorted(object: JsonObject, names: readonly string[]): JsonObject {
  const rank = (name: string) => (names.indexOf(name) + names.length + 1) % (names.length + 1);
  return Object.fromEntries(Object.entries(object).toSorted(([left], [right]) => rank(left) - rank(right)));
}

/** How lines in one row are read; the form, or what differs, is a mark. */
function printLines({ readings, from, choices }: Open & { kind: 'lines' }): JsonObject {
  const [first = {}] = readings;
  if (from !== undefined) return { ...first, from: markOf({ choices }) };
  const { wide, form } = first;
  if (wide === undefined) {
    // A list of forms has no other choice in one text.
    return {
      ...first,
      form: Array.isArray(form) ? [markOf({ choices }), ...form.slice(1)] : markOf({ choices }),
    };
  }
  const all = readings.map((lines) => objectIn(lines, 'wide'));
  const targetsOf = (pattern: string) => [...new Set(all.map((one) => String(one[pattern] ?? '')))];
  const patterns = Object.keys(objectIn(first, 'wide'));
  const hasOpen = patterns.some((pattern) => targetsOf(pattern).length > 1);
  return {
    wide: Object.fromEntries(
      patterns.map((pattern) => {
        const targets = targetsOf(pattern);
        const isAlike = hasOpen && targets.length === 1;
        return [
          pattern,
          isAlike ? String(targets[0]) : markOf({ choices: targets.filter((text) => text !== '') }),
        ];
      }),
    ),
  };
}
