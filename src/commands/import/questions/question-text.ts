import { cleanCell, shorten } from '../../../clean-text.ts';
import { decimalMarks } from '../../../import/choices.ts';
import type {
  CollectionWay,
  FieldProposal,
  Proposal,
  ValueProposal,
} from '../../../import/mapping/draft/proposal.ts';
import type { ShownColumn } from '../../../import/mapping/guess/guesses.ts';
import { type CountedValue, isPaymentOnly } from '../../../import/mapping/meanings.ts';
import { readMoney } from '../../../import/words/money.ts';
import type { Decision } from '../../../import/words/verdict.ts';
import { formatAmount } from '../../../output/amount.ts';
import { measureColumns } from '../../../output/table.ts';
import { wrapText } from '../../../output/wrapped-text.ts';
import type { Choice } from '../../../system/prompts/prompts.ts';
import { answers, certainDecision } from './answered.ts';
import type { Question } from './next-question.ts';

interface QuestionText {
  message: string;
  choices: readonly Choice[];
  /** The choice that is marked first. */
  preset?: string;
}

export function textOf(question: Question, columns: readonly ShownColumn[], width: number): QuestionText {
  const text = unfitted(question, columns, width);
  return { ...text, choices: fitChoices(text.choices, width) };
}

function unfitted(question: Question, columns: readonly ShownColumn[], width: number): QuestionText {
  switch (question.kind) {
    case 'field': {
      const { label, guesses } = question.field;
      const few = guesses.slice(0, maxGuesses);
      const other = columns.length > few.length ? [otherColumn] : [];
      const none = { value: answers.none, name: noneText(question.field) };
      return {
        message: `Which column is ${label}?`,
        choices: [...columnChoices(few, width), ...other, none],
      };
    }
    case 'amount': {
      const few = question.guesses.slice(0, maxGuesses);
      return {
        message: 'Which amount does the courier collect?',
        choices: [...columnChoices(few, width), otherColumn],
      };
    }
    case 'any_column':
      return {
        message: `Which column is ${question.label}?`,
        choices: [...columnChoices(columns, width), { value: answers.none, name: 'none of these' }],
      };
    case 'collection':
      return {
        message: 'How does the file say what the courier collects?',
        choices: [
          ...question.ways.flatMap((way, index) => wayChoices(way, index, question.values)),
          { value: answers.none, name: 'none of these (end the questions)', short: 'none of these' },
        ],
      };
    case 'values': {
      const text = listDecisions(question.column, false);
      return {
        message: wrapText(`${text}. Right?`, messageWidth(width)).join('\n  '),
        choices: [
          { value: answers.right, name: 'yes' },
          { value: answers.oneByOne, name: 'no, decide one by one' },
        ],
      };
    }
    case 'value': {
      const { header, saysWhoPays } = question;
      const { text, count, decision } = question.value;
      const named = text === '' ? 'is blank' : text === '*' ? 'has a date or text' : `is “${shown(text)}”`;
      const rows = count === 1 ? '1 row' : `${count} rows`;
      const asked = saysWhoPays === 'no' ? 'what about them?' : 'who pays?';
      const message = `${shown(header)} ${named} (${rows}): ${asked}`;
      return {
        message: wrapText(message, messageWidth(width)).join('\n  '),
        choices: valueChoices[saysWhoPays],
        // Of the mistakes that Enter can make, only this one sends no wrong order.
        preset: decision ?? 'leave_out',
      };
    }
    case 'unpaid':
      return {
        message: 'Some orders are neither paid nor cash on delivery. What about them?',
        choices: [
          { value: 'leave-out', name: 'leave them out', short: 'leave out' },
          { value: 'collect', name: 'the courier collects', short: 'collect' },
          { value: 'prepaid', name: 'send them as prepaid', short: 'prepaid' },
        ],
      };
    case 'decimal':
      return {
        message: `Which amount is ${shown(question.amount)}?`,
        choices: readingChoices(question.amount),
      };
    case 'lines': {
      const read = question.choices.map(({ name, samples }, index) => {
        const orders = samples.map((lines) => lines.map(shown).join(' and '));
        return {
          value: `lines:${index}`,
          name: `${shown(name)}: ${orders.join(' / ')}`,
          short: shown(name),
          description: orders.join('\n'),
        };
      });
      return {
        message: 'How is this column read?',
        choices: [...read, { value: answers.none, name: 'none of these' }],
      };
    }
    case 'unread': {
      const names = question.columns.map(({ header }) => shown(header)).join(', ');
      return {
        message: wrapText(`Not sent: ${names}. Right?`, messageWidth(width)).join('\n  '),
        choices: [
          { value: answers.right, name: 'yes' },
          { value: answers.change, name: 'change an answer' },
        ],
      };
    }
    case 'change':
      return {
        message: 'Which answer should be changed?',
        choices: question.targets.map(({ id, label, now }) => ({
          value: id,
          name: now === '' ? label : `${label}: ${shown(now)}`,
          short: label,
        })),
      };
  }
}

const maxGuesses = 6;

const otherColumn: Choice = { value: answers.otherColumn, name: 'another column' };

const paymentChoices: readonly (Choice & { value: Decision })[] = [
  { value: 'collect', name: 'the courier collects', short: 'collect' },
  { value: 'prepaid', name: 'prepaid, nothing is collected', short: 'prepaid' },
  { value: 'deliver', name: 'it does not say who pays', short: 'does not say' },
  { value: 'leave_out', name: 'leave these orders out', short: 'leave out' },
];

const deliveryChoices: readonly (Choice & { value: Decision })[] = [
  { value: 'deliver', name: 'send them', short: 'send' },
  { value: 'leave_out', name: 'leave them out', short: 'leave out' },
];

/** The only column that says who pays cannot leave it to another one. */
const valueChoices = {
  no: deliveryChoices,
  alone: paymentChoices.filter(({ value }) => value !== 'deliver'),
  beside: paymentChoices,
};

function noneText({ isNeeded, field }: FieldProposal): string {
  return isNeeded && field === 'externalOrderId'
    ? 'none of these (without order IDs the file cannot be imported)'
    : 'none of these';
}

/** `the order ID ← Pedido`, `Estado: leave out Cancelado (3); send Nuevo (4)` */
export function settledText({ fields, values, lines }: Proposal, width: number): string | undefined {
  const asksLines = lines !== undefined && !lines.isSettled;
  const texts = fields.flatMap(({ field, label, settled: [column] }) =>
    column === undefined || (asksLines && field.startsWith('items['))
      ? []
      : [`${label} ← ${shown(column.header)}`],
  );
  if (lines?.isSettled) texts.push(`the lines ← ${shown(lines.choices[0]?.name ?? '')}`);
  const read = texts.length === 0 ? [] : [`Read from the header and the values: ${texts.join(', ')}.`];
  const decided = values
    .filter(({ meaning, values: all }) => !isPaymentOnly(meaning) && all.some(({ isCertain }) => isCertain))
    .map((column) => `${listDecisions(column, false)}.`);
  const wrapped = [...read, ...decided].flatMap((text) => wrapBriefly(text, width));
  return wrapped.length === 0 ? undefined : wrapped.join('\n');
}

/** `Estado: leave out Cancelado (3), Entregado (5); send Nuevo (4)` */
function listDecisions({ header, values }: ValueProposal, isPayment: boolean): string {
  const names: readonly [Decision | undefined, string][] = [
    ['collect', 'collect for '],
    ['prepaid', 'prepaid '],
    ['leave_out', 'leave out '],
    ['deliver', isPayment ? 'does not say ' : 'send '],
    [undefined, 'to be asked: '],
  ];
  const parts = names.flatMap(([decision, name]) => {
    const found = values.filter((value) => certainDecision(value) === decision);
    return found.length === 0 ? [] : [`${name}${found.map(countedText).join(', ')}`];
  });
  return `${shown(header)}: ${parts.join('; ')}`;
}

function countedText({ text, count }: CountedValue): string {
  const name = text === '' ? 'blank' : text === '*' ? 'a date or text' : shown(text);
  return `${name} (${count})`;
}

function wayChoices(way: CollectionWay, index: number, values: readonly ValueProposal[]): Choice[] {
  const value = `way:${index}`;
  switch (way.kind) {
    case 'settled':
      return [];
    case 'prepaid':
      return [{ value, name: 'all orders are prepaid', description: 'The courier collects nothing.' }];
    case 'mode':
      return [{ value, name: `${shown(way.column.header)} holds COLLECT or NONE` }];
    case 'amount':
      return [
        {
          value,
          name: `${shown(way.column.header)} is the amount to collect`,
          description: `An order without an amount there, or with 0, is prepaid: ${listSamples(way.column)}.`,
        },
      ];
    case 'collect_all':
      return [
        {
          value,
          name: `the courier collects ${way.column === undefined ? 'an amount' : shown(way.column.header)} of every order`,
        },
      ];
    case 'values': {
      const named = way.columns.map(shown).join(', then ');
      const read = values
        .filter(({ header }) => way.columns.includes(header))
        .map((column) => listDecisions(column, true));
      return [{ value, name: `by ${named}`, description: read.join('\n') }];
    }
  }
}

function messageWidth(width: number): number {
  return Math.max(20, width - 4);
}

const maxNameLength = 24;
const maxTextLength = 40;
/** The mark that the prompt puts before a choice, and a free column. */
const markWidth = 3;

/** Without decimals first, as prices in ₮ have none. */
function readingChoices(text: string): Choice[] {
  const found = decimalMarks.flatMap((mark) => {
    const amount = readMoney(text, mark);
    return amount === undefined ? [] : [{ value: mark, name: formatAmount(amount), amount }];
  });
  return found
    .toSorted((left, right) => Number(left.amount.includes('.')) - Number(right.amount.includes('.')))
    .map(({ value, name }) => ({ value, name }));
}

function columnChoices(columns: readonly ShownColumn[], width: number): Choice[] {
  const names = columns.map(({ header }) => shorten(cleanCell(header), maxNameLength));
  const widths = names.map(widthOf);
  const widest = Math.max(0, ...widths);
  return columns.map((column, index) => {
    const name = names[index] ?? '';
    const samples = listSamples(column);
    const [reason] = column.reasons ?? [];
    return {
      value: `column:${column.header}`,
      name: fitText(`${name}${' '.repeat(widest - (widths[index] ?? 0))}  ${samples}`.trimEnd(), width),
      short: name,
      ...(reason === undefined ? {} : { description: cleanCell(reason) }),
    };
  });
}

function listSamples({ samples }: ShownColumn): string {
  return samples.map((text) => shorten(cleanCell(text), maxTextLength)).join(', ');
}

function fitChoices(choices: readonly Choice[], width: number): Choice[] {
  return choices.map(({ description, ...choice }) => ({
    ...choice,
    name: fitText(choice.name, width),
    ...(description === undefined ? {} : { description: wrapBriefly(description, width).join('\n') }),
  }));
}

const maxLines = 5;

function wrapBriefly(text: string, width: number): string[] {
  const lines = text.split('\n').flatMap((line) => wrapText(line, width - 1));
  return lines.length > maxLines ? [...lines.slice(0, maxLines - 1), '…'] : lines;
}

/** A choice that wraps is drawn wrong. */
function fitText(text: string, width: number): string {
  const room = width - markWidth;
  if (widthOf(text) <= room) return text;
  const cut = shorten(text, room - 1);
  return widthOf(cut) <= room ? cut : shorten(text, Math.floor(room / 2) - 1);
}

function widthOf(text: string): number {
  return measureColumns([[text]])[0] ?? 0;
}

function shown(text: string): string {
  return shorten(cleanCell(text), maxTextLength);
}
