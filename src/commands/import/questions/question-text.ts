import { advice, joinTexts, type Say, type Text, t } from '../../../advice/advice.ts';
import { cleanCell, shorten } from '../../../clean-text.ts';
import { noColumn } from '../../../import/columns/header.ts';
import type { ColumnProfile } from '../../../import/columns/profile.ts';
import { holdsAmounts } from '../../../import/columns/reading.ts';
import { type Role, roles } from '../../../import/columns/roles.ts';
import type {
  AmountProposal,
  LinesChoice,
  Proposal,
  ProposedValue,
} from '../../../import/mapping/draft/proposal.ts';
import type { ShownColumn } from '../../../import/mapping/guesses.ts';
import type { CountedValue } from '../../../import/problem.ts';
import type { Decision } from '../../../import/words/verdict.ts';
import { formatAmount } from '../../../orders/decimal.ts';
import { wrapText } from '../../../output/wrapped-text.ts';
import type { Choice } from '../../../system/prompts/prompts.ts';
import { cutTo, padTo, widthOf } from '../../../text-width.ts';
import type { OpenDraft, Screen } from './asked.ts';

export interface QuestionText {
  message: Text;
  choices: readonly Choice[];
  /** Where header and values prove one: Enter takes it. */
  proven?: string;
}

export const amountLabel = t`the amount to collect`;

export function whichColumn(label: Text): Text {
  return t`Which column is ${label}?`;
}

const otherColumn: Choice = { value: 'other column', name: t`another column` };

interface AskedField {
  field: string;
  label: Text;
  guesses: readonly ShownColumn[];
  settled?: readonly ShownColumn[] | undefined;
}

export function field(
  { field: name, label, guesses, settled = [] }: AskedField,
  width: number,
): QuestionText {
  const columns = columnChoices(guesses.slice(0, maxGuesses), width);
  const none: Choice =
    name === 'externalOrderId'
      ? {
          value: noColumn,
          name: t`none of these: a copy of the file with order IDs is written`,
          short: t`none of these`,
        }
      : { value: noColumn, name: t`none of these` };
  // A file with IDs needs no others.
  const hasIds = name === 'externalOrderId' && settled.length > 0;
  // A column that does not look like IDs, such as that of the phones, would join orders.
  const hasNoGuess = name === 'externalOrderId' && columns.length === 0;
  const others = hasNoGuess ? [none, otherColumn] : [otherColumn, ...(hasIds ? [] : [none])];
  return { message: whichColumn(label), choices: [...columns, ...others] };
}

function describeAmount(choice: Choice, amount: AmountProposal | undefined): Choice {
  if (amount === undefined) return choice;
  const name = amount.isOfLine ? addedUp(choice.name) : choice.name;
  return { ...choice, name, description: inAll(amount.inAll) };
}

function inAll(sum: number): Text {
  return t`${formatAmount(String(Math.round(sum)))} in all rows of the file`;
}

/** When the order IDs only count the rows. */
export function idPrefix(header: string, choices: readonly string[]): QuestionText {
  const [proven = ''] = choices;
  return {
    proven,
    message: t`${shown(header)} only counts the rows, and the next file counts from 1 again. What are the IDs of these orders?`,
    choices: choices.map((prefix): Choice => {
      const isNone = prefix === noColumn;
      const ids = [1, 2].map((number) => `${isNone ? '' : shown(prefix)}${number}`).join(', ');
      return { value: prefix, name: isNone ? t`${ids}, …: they are the shop’s own order IDs` : `${ids}, …` };
    }),
  };
}

/** When each phone of a column lacks the + of its country. */
export function phonePrefix(header: string, sample: string, choices: readonly string[]): QuestionText {
  const names: Record<string, Text> = {
    '+': t`yes, as +${shown(sample)}`,
    [noColumn]: t`no: their orders are to be fixed`,
  };
  return {
    message: t`${shown(header)} has phones such as ${shown(sample)}. Are they of another country, with the + left out?`,
    choices: choices.map((value) => ({ value, name: names[value] ?? value })),
  };
}

/** When cells of a column hold two phones. */
export function whichPhone(header: string, sample: string, choices: readonly string[]): QuestionText {
  const names: Record<string, Text> = {
    first: t`the first`,
    last: t`the last`,
    [noColumn]: t`neither: their orders are to be fixed`,
  };
  return {
    message: t`${shown(header)} has two phones in a cell, such as ${shown(sample)}. Which one is the customer’s?`,
    choices: choices.map((value) => ({ value, name: names[value] ?? value })),
  };
}

/** Of an amount of each line. */
function addedUp(amount: Text): Text {
  return t`${amount}, added up over the lines of an order`;
}

export function amount(amounts: readonly AmountProposal[], width: number): QuestionText {
  return {
    message: t`Which amount does the courier collect?`,
    choices: [
      ...columnChoices(amounts.slice(0, maxGuesses), width).map((choice, index) =>
        describeAmount(choice, amounts[index]),
      ),
      otherColumn,
    ],
  };
}

/** Before the field of a line that any column may fill. */
export const otherField = 'other column: ';

/** When no column is known to hold what is delivered. */
export function products(line: string): QuestionText {
  return {
    message: t`No column is known to hold the products. What is in each order?`,
    choices: [
      { value: `${otherField}items[].sku`, name: t`the SKU in a column` },
      { value: `${otherField}items[].name`, name: t`the name of the product in a column` },
      { value: line, name: t`the same line for every order: ${line}`, short: line },
    ],
  };
}

export const byValues = 'by values';
/** Before the header of an amount from which what is paid is subtracted. */
export const lessPaid = 'less paid:';

/** When no column says who pays. */
export function collection(proposal: Proposal, width: number): QuestionText {
  const { amounts, paid } = proposal;
  const columns = columnChoices(amounts.slice(0, maxGuesses), width);
  const less = paid.map(({ header }) => shown(header)).join(' and ');
  return {
    message: t`No column is known to say who pays. What does the courier collect?`,
    choices: [
      ...amounts.slice(0, maxGuesses).flatMap((column, index): Choice[] => {
        const { short: label = '', value } = columns[index] ?? { value: '' };
        const short = column.isOfLine ? advice`${addedUp(label)},` : label;
        const suchAs = t`such as ${listSamples(column)}; 0 is prepaid`;
        const description = advice`${suchAs}; ${inAll(column.inAll)}`;
        const plain = { value, name: t`${short} of every order`, short, description };
        if (less === '') return [plain];
        const rest = {
          value: `${lessPaid}${column.header}`,
          name: t`${short} less ${less} of every order`,
          short: t`${short} less ${less}`,
          description: suchAs,
        };
        return column.isDue ? [plain, rest] : [rest, plain];
      }),
      { value: otherColumn.value, name: t`the amount in another column` },
      { value: byValues, name: t`it depends on the values of a column`, short: t`by values` },
      { value: noColumn, name: t`nothing: all orders are prepaid`, short: t`nothing` },
    ],
  };
}

export function lines(choices: readonly LinesChoice[]): QuestionText {
  const read = choices.map(({ name, samples }, index) => {
    const orders = samples.map((all) => all.map(shown).join(' and '));
    return {
      value: String(index),
      name: `${shown(name)}: ${orders.join(' / ')}`,
      short: shown(name),
      description: orders.join('\n'),
    };
  });
  return {
    message: t`How is this column read?`,
    choices: [...read, { value: noColumn, name: t`none of these` }],
  };
}

interface AskedValue extends CountedValue {
  header: string;
  /** In so many orders nothing else says who pays. */
  leftOver?: number | undefined;
  choices: readonly Decision[];
  isPayment: boolean;
}

export function value(
  { header, text, count, leftOver, choices, isPayment }: AskedValue,
  width: number,
): QuestionText {
  const rows = count === 1 ? t`1 row` : t`${count} rows`;
  const about =
    leftOver === undefined
      ? rows
      : leftOver === 1
        ? t`${rows}; in 1 order nothing else says who pays`
        : t`${rows}; in ${leftOver} orders nothing else says who pays`;
  const message = isPayment ? whoPays(shown(header), text, about) : whatAboutThem(shown(header), text, about);
  const names = isPayment ? paymentNames : deliveryNames;
  return {
    message: wrapped(message, width),
    choices: choices.map((choice) => ({ value: choice, ...names[choice] })),
  };
}

function whoPays(header: string, text: string, about: Text): Text {
  if (text === '') return t`${header} is blank (${about}): who pays?`;
  if (text === '*') return t`${header} has a date or text (${about}): who pays?`;
  return t`${header} is “${shown(text)}” (${about}): who pays?`;
}

function whatAboutThem(header: string, text: string, about: Text): Text {
  if (text === '') return t`${header} is blank (${about}): what about them?`;
  if (text === '*') return t`${header} has a date or text (${about}): what about them?`;
  return t`${header} is “${shown(text)}” (${about}): what about them?`;
}

const paymentNames: Record<Decision, Omit<Choice, 'value'>> = {
  collect: { name: t`the courier collects`, short: t`collect` },
  prepaid: { name: t`prepaid, nothing is collected`, short: t`prepaid` },
  deliver: { name: t`it does not say who pays`, short: t`does not say` },
  leave_out: { name: t`leave these orders out`, short: t`leave out` },
};
const deliveryNames: Record<Decision, Omit<Choice, 'value'>> = {
  ...paymentNames,
  deliver: { name: t`send them`, short: t`send` },
  leave_out: { name: t`leave them out`, short: t`leave out` },
};

export function allValues(header: string, values: readonly ProposedValue[], width: number): QuestionText {
  return {
    message: wrapped(t`${listDecisions(header, values, false)}. Right?`, width),
    choices: [
      { value: 'right', name: t`yes` },
      { value: 'one by one', name: t`no, decide one by one` },
    ],
  };
}

export const unpaid: QuestionText = {
  message: t`Some orders are neither paid nor cash on delivery. What about them?`,
  choices: [
    { value: 'leave-out', name: t`leave them out`, short: t`leave out` },
    { value: 'collect', name: t`the courier collects`, short: t`collect` },
    { value: 'prepaid', name: t`send them as prepaid`, short: t`prepaid` },
  ],
};

export function notRead(columns: readonly ShownColumn[], width: number): Text {
  return wrapped(t`Not read: ${columns.map(({ header }) => shown(header)).join(', ')}. Right?`, width);
}

export function whatHolds(
  { header, samples }: ShownColumn,
  profile: ColumnProfile | undefined,
  ifIgnored: Text | undefined,
  width: number,
): Text {
  const counted = profile?.values?.slice(0, maxGuesses).map(countedText) ?? samples.map(shown);
  const blank = profile !== undefined && profile.blankOrders > 0 ? [t`blank (${profile.blankOrders})`] : [];
  const samplesOf = joinTexts([...counted, ...blank], ', ');
  const question = holdsAmounts(profile)
    ? t`What does ${shown(header)} hold? ${samplesOf}; ${inAll(profile.sums.orders)}`
    : t`What does ${shown(header)} hold? ${samplesOf}`;
  if (ifIgnored === undefined) return wrapped(question, width);
  return wrapped(t`${question}; if it is not read, ${ifIgnored}`, width);
}

/** Of a column beside one that fills the field already. */
export function besideFilled(role: Role, isFilled: (field: string) => boolean): Text | undefined {
  if (role === 'product' && isFilled('items[].name'))
    return t`more of the name of the product, such as its size`;
  return role === 'phone' && isFilled('customer.phone')
    ? t`the phone to call where it is filled; otherwise the other one`
    : undefined;
}

const maxGuesses = 6;

/** `the order ID ← Pedido`, `Estado: leave out Cancelado (3); send Nuevo (4)` */
export function settledText(
  { proposal, mapping }: OpenDraft,
  { width }: Pick<Screen, 'width'>,
): Text | undefined {
  const { fields, values, lines: found } = proposal;
  const readsLines = found?.isSettled ?? false;
  const texts = fields.flatMap(({ field: name, label, settled: [column] }) =>
    column === undefined || (mapping.lines !== undefined && name.startsWith('items['))
      ? []
      : [advice`${label} ← ${shown(column.header)}`],
  );
  if (readsLines) texts.push(t`the lines ← ${shown(found?.choices[0]?.name ?? '')}`);
  const read = texts.length === 0 ? [] : [t`Read from the header and the values: ${joinTexts(texts, ', ')}.`];
  const decided = values
    .filter(({ values: all }) => all.some(({ isCertain }) => isCertain))
    .map(
      ({ header, role, values: all }) =>
        advice`${listDecisions(header, all, roles[role].decides === 'payment')}.`,
    );
  const all = [...read, ...decided].map((text) =>
    drawn(text, (words) => wrapBriefly(words, width).join('\n')),
  );
  return all.length === 0 ? undefined : joinTexts(all, '\n');
}

/** `Estado: leave out Cancelado (3), Entregado (5); send Nuevo (4)` */
function listDecisions(header: string, values: readonly ProposedValue[], isPayment: boolean): Text {
  const names: readonly [Decision | undefined, (values: Text) => Text][] = [
    ['collect', (all) => t`collect for ${all}`],
    ['prepaid', (all) => t`prepaid ${all}`],
    ['leave_out', (all) => t`leave out ${all}`],
    ['deliver', (all) => (isPayment ? t`does not say ${all}` : t`send ${all}`)],
    [undefined, (all) => t`to be asked: ${all}`],
  ];
  const parts = names.flatMap(([decision, say]) => {
    const found = values.filter((each) => (each.isCertain ? each.decision : undefined) === decision);
    return found.length === 0 ? [] : [say(joinTexts(found.map(countedText), ', '))];
  });
  return advice`${shown(header)}: ${joinTexts(parts, '; ')}`;
}

function countedText({ text, count }: CountedValue): Text {
  if (text === '') return t`blank (${count})`;
  return text === '*' ? t`a date or text (${count})` : `${shown(text)} (${count})`;
}

/** In the language in which it is shown. */
function drawn(text: Text, draw: (words: string) => string): Text {
  return typeof text === 'string' ? draw(text) : advice`${(say: Say) => draw(say(text))}`;
}

function wrapped(message: Text, width: number): Text {
  return drawn(message, (words) => wrapText(words, Math.max(20, width - 4)).join('\n  '));
}

const maxNameLength = 24;
const maxTextLength = 40;
/** The mark that the prompt puts before a choice, and a free column. */
const markWidth = 3;

export const columnPrefix = 'column:';

/** The header that an answer stands for. */
export function columnIn(answer: string): string {
  return answer.startsWith(columnPrefix) ? answer.slice(columnPrefix.length) : noColumn;
}

export function columnChoices(columns: readonly ShownColumn[], width: number): Choice[] {
  const names = columns.map(({ header }) => shorten(cleanCell(header), maxNameLength));
  const widest = Math.max(0, ...names.map(widthOf));
  return columns.map((column, index) => {
    const name = names[index] ?? '';
    const samples = listSamples(column);
    const [reason] = column.reasons ?? [];
    return {
      value: columnPrefix + column.header,
      name: fitText(`${padTo(name, widest)}  ${samples}`.trimEnd(), width),
      short: name,
      ...(reason === undefined ? {} : { description: reason }),
    };
  });
}

function listSamples({ samples }: ShownColumn): string {
  return samples.map((text) => shorten(cleanCell(text), maxTextLength)).join(', ');
}

export function fitChoices<Kind extends Choice>(choices: readonly Kind[], width: number): Kind[] {
  return choices.map((choice) => {
    const { name, description } = choice;
    const lines =
      description === undefined
        ? {}
        : { description: drawn(description, (words) => wrapBriefly(words, width).join('\n')) };
    return { ...choice, name: drawn(name, (words) => fitText(words, width)), ...lines };
  });
}

const maxLines = 5;

function wrapBriefly(text: string, width: number): string[] {
  const lines = text.split('\n').flatMap((line) => wrapText(line, width - 1));
  return lines.length > maxLines ? [...lines.slice(0, maxLines - 1), '…'] : lines;
}

/** A choice that wraps is drawn wrong. */
function fitText(text: string, width: number): string {
  return cutTo(text, width - markWidth);
}

export function shown(text: string): string {
  return shorten(cleanCell(text), maxTextLength);
}
