import { type Text, t } from '../../../advice/advice.ts';
import { noColumn } from '../../../import/columns/header.ts';
import type { ColumnProfile } from '../../../import/columns/profile.ts';
import { mayMatter } from '../../../import/mapping/draft/may-matter.ts';
import { columnsOffered, type Open, withAnswer } from '../../../import/mapping/draft/open.ts';
import type { ProfiledTable } from '../../../import/mapping/draft/proposal.ts';
import { labelOf } from '../../../import/mapping/draft/propose-fields.ts';
import { isOfAmounts, isOfPhones, withRule } from '../../../import/mapping/draft/write-mapping.ts';
import { entryOf, listIn, objectIn, setIn } from '../../../import/mapping/entries.ts';
import type { ShownColumn } from '../../../import/mapping/guesses.ts';
import { parcel } from '../../../import/mapping/lines.ts';
import { type Decision, decisions } from '../../../import/words/verdict.ts';
import type { Json, JsonObject } from '../../../orders/json.ts';
import {
  type Asked,
  back,
  backChoice,
  columnsOf,
  type OpenDraft,
  type Screen,
  withIgnored,
  withValues,
} from './asked.ts';
import * as text from './question-text.ts';
import { askRest } from './rest.ts';

const other = 'other column';

/** Asks the first open question of a draft. Undefined when nothing is open. Error: PromptLeft. */
export async function askNext(
  draft: OpenDraft,
  asked: Asked,
  screen: Screen,
  canGoBack: boolean,
): Promise<Asked | typeof back | undefined> {
  const [open] = draft.open;
  if (open === undefined) return undefined;
  if (open.kind === 'ignore') return askRest(draft, asked, screen, canGoBack);
  if (open.kind === 'column' && open.field === street) return askAddress(draft, asked, screen, canGoBack);
  const question = questionOf(open, draft, asked, screen);
  const { message, choices, proven = null } = question.text;
  const shown = text.fitChoices(choices, screen.width);
  const answer = await screen.prompts.choose(message, canGoBack ? [...shown, backChoice] : shown, proven);
  if (answer === back) return back;
  const ofAny = question.ofAnyColumn?.[answer];
  const seen = (next: Asked, chosen: string) => {
    const others = choices.filter(({ value }) => value.startsWith(text.columnPrefix) && value !== chosen);
    return withSeen(
      next,
      others.map(({ value }) => text.columnIn(value)),
      open,
      draft,
      screen,
    );
  };
  if (ofAny === undefined) return seen(question.answer(answer), answer);
  const all = columnsOf(screen.table);
  const columns = text.columnChoices(answer === text.byValues ? ofChoices(all, screen) : all, screen.width);
  const column = await screen.prompts.choose(ofAny.message, [...columns, backChoice], null);
  return column === back
    ? askNext(draft, asked, screen, canGoBack)
    : seen(ofAny.answer(text.columnIn(column)), column);
}

/** Columns with so few different values that a person can go through them; the fewest first. */
function ofChoices(columns: readonly ShownColumn[], { table }: Screen): ShownColumn[] {
  const differentIn = ({ index }: ShownColumn) => table.profiles[index]?.different ?? 0;
  const listed = columns.filter((column) => differentIn(column) > 0 && differentIn(column) <= maxListed);
  const found = listed.length > 0 ? listed : columns;
  return found.toSorted((left, right) => differentIn(left) - differentIn(right));
}

const maxListed = 20;
const street = 'deliveryAddress.street';

/** An address often stands in several columns: its district, building and door. */
async function askAddress(
  draft: OpenDraft,
  asked: Asked,
  { prompts, table, width }: Screen,
  canGoBack: boolean,
): Promise<Asked | typeof back> {
  const guesses = draft.proposal.fields.find(({ field }) => field === street)?.guesses ?? [];
  const isGuess = ({ index }: ShownColumn) => guesses.some((guess) => guess.index === index);
  const open = draft.open.flatMap((one) => (one.kind === 'ignore' ? one.choices : columnsOffered([one])));
  const isOpen = ({ header, index }: ShownColumn) =>
    open.includes(header) && mayBeAddress(table.profiles[index]);
  const columns = columnsOf(table).filter((column) => isGuess(column) || isOpen(column));
  const choices = [
    ...text.columnChoices(columns, width),
    { value: noColumn, name: t`none of these: no address is sent` },
    ...(canGoBack ? [backChoice] : []),
  ];
  const chosen = await prompts.chooseSeveral(
    t`Which columns hold the address? Several are joined in this order.`,
    text.fitChoices(choices, width).map((choice) => ({ ...choice, isTicked: false })),
    true,
  );
  if (chosen.includes(back)) return back;
  const [only, ...others] = chosen.filter((value) => value !== noColumn).map(text.columnIn);
  const value = others.length > 0 ? { from: [only ?? '', ...others], join: ', ' } : (only ?? noColumn);
  return { ...asked, given: setIn(asked.given, ['columns', street], value) };
}

function mayBeAddress(profile: ColumnProfile | undefined): boolean {
  return profile !== undefined && profile.shares.words >= 0.5 && profile.shares.tick < 0.5;
}

/** A person has seen the other phones that were offered, and the prices and other parts of the amount that is collected. */
function withSeen(
  asked: Asked,
  others: readonly string[],
  open: Open,
  { mapping }: OpenDraft,
  { table }: Screen,
): Asked {
  if (isOfPhones(open)) return { ...asked, declined: [...asked.declined, ...others] };
  if (!isOfAmounts(open)) return asked;
  const parts = columnsOf(table).filter(
    (column) => others.includes(column.header) && !mayMatter(column, table, mapping),
  );
  return { ...asked, unread: [...asked.unread, ...parts.map(({ header }) => header)] };
}

interface OpenQuestion {
  text: text.QuestionText;
  answer(value: string): Asked;
  /** By the choice that leads to them: questions for which any column may be chosen. */
  ofAnyColumn?: Record<string, { message: Text; answer(header: string): Asked }>;
}

function questionOf(open: Open, draft: OpenDraft, asked: Asked, screen: Screen): OpenQuestion {
  const { given } = asked;
  const { proposal } = draft;
  const { choices } = open;
  const set = (path: readonly string[], to: Json): Asked => ({ ...asked, given: setIn(given, path, to) });
  const columns = objectIn(draft.mapping, 'columns');
  // The amounts of the lines of an order are added up.
  const isOfLine = (header: string) => proposal.amounts.some((one) => one.header === header && one.isOfLine);
  const totalOf = (header: string): Json => (isOfLine(header) ? { from: header, sum: true } : header);
  switch (open.kind) {
    case 'prefix':
    case 'pick': {
      const header = String(listIn(entryOf(columns[open.field] ?? ''), 'from')[0] ?? '');
      const [sample = ''] = shownColumns([header], screen.table)[0]?.samples ?? [];
      const [twoPhones = ''] = asked.problems.flatMap(({ first }) => (first.mayPick && first.value) || []);
      const answer = (to: string): Asked => {
        const entry = columns[open.field] ?? '';
        return { ...asked, given: withAnswer(setIn(given, ['columns', open.field], entry), open, to) };
      };
      if (open.kind === 'pick') return { text: text.whichPhone(header, twoPhones, choices), answer };
      return {
        text:
          open.field === 'customer.phone'
            ? text.phonePrefix(header, sample, choices)
            : text.idPrefix(header, choices),
        answer,
      };
    }
    case 'column': {
      const { field: name } = open;
      const fill = (header: string): Asked =>
        name === 'total'
          ? set(['columns', name], totalOf(header))
          : { ...asked, given: withAnswer(given, open, header) };
      const field = proposal.fields.find((candidate) => candidate.field === name);
      const guesses = field?.guesses ?? shownColumns(choices, screen.table);
      const label = name === 'total' ? text.amountLabel : (field?.label ?? name);
      return {
        text:
          name === 'total'
            ? text.amount(proposal.amounts, screen.width)
            : text.field({ field: name, label, guesses, settled: field?.settled }, screen.width),
        answer: (to) => fill(text.columnIn(to)),
        ofAnyColumn: { [other]: { message: text.whichColumn(label), answer: fill } },
      };
    }
    case 'amount_due': {
      const withDue = (header: string, [path, value]: [string[], Json]): Asked => {
        const due = set(['amount_due'], header);
        return { ...due, given: setIn(due.given, path, value) };
      };
      // What is paid is subtracted from the total alone.
      const collectLess = (header: string) => withDue(header, [['columns', 'total'], totalOf(header)]);
      const isTotal = (header: string) => columns.total === header;
      const collect = (header: string) => {
        const { total } = columns;
        const takesNothingOff = proposal.paid.length > 0 && (total === undefined || isTotal(header));
        if (takesNothingOff) {
          const due = withDue(header, [['amount_paid'], []]);
          const paid = proposal.paid.map((column) => column.header);
          return { ...due, given: withIgnored(due.given, paid, 'ignore_anyway') };
        }
        return isOfLine(header) ? collectLess(header) : set(['amount_due'], header);
      };
      return {
        text: mayBeNone(open)
          ? text.collection(proposal, screen.width)
          : text.amount(proposal.amounts, screen.width),
        answer: (to) =>
          to.startsWith(text.lessPaid)
            ? collectLess(to.slice(text.lessPaid.length))
            : collect(text.columnIn(to)),
        ofAnyColumn: {
          [other]: { message: text.whichColumn(text.amountLabel), answer: collect },
          [text.byValues]: {
            message: t`Which column says who pays?`,
            answer: (header) => withValues(asked, header, decisions, screen.table),
          },
        },
      };
    }
    case 'items': {
      const fill = (field: string) => ({
        message: text.whichColumn(labelOf(field)),
        answer: (header: string) => set(['columns', field], header),
      });
      const fields = ['items[].sku', 'items[].name'].map((field) => [text.otherField + field, fill(field)]);
      return {
        text: text.products(parcel),
        answer: (line) => ({ ...asked, given: withAnswer(given, open, line) }),
        ofAnyColumn: Object.fromEntries(fields),
      };
    }
    case 'lines':
      return {
        text: text.lines(proposal.lines?.choices ?? []),
        answer: (to) => ({
          ...asked,
          given: withAnswer(given, open, proposal.lines?.choices[Number(to)]?.lines ?? noColumn),
        }),
      };
    case 'value':
      return askValues(open, draft, asked, screen);
    case 'rule':
      return askRule(open, draft, asked, screen);
    default:
      return { text: text.unpaid, answer: (to) => set(['unpaid'], to) };
  }
}

function mayBeNone({ choices }: Open): boolean {
  return choices.length === 0 || choices.includes(noColumn);
}

type OpenValue = Open & { kind: 'value' };

/** The first open value of a column; the guesses of one that does not say who pays are confirmed at once. */
function askValues(first: OpenValue, draft: OpenDraft, asked: Asked, { width, table }: Screen): OpenQuestion {
  const { header } = first;
  const listed = objectIn(draft.mapping, 'values', header);
  const set = (changed: JsonObject): Asked => ({
    ...asked,
    given: setIn(asked.given, ['values', header], { ...listed, ...changed }),
  });
  const proposed = draft.proposal.values.find((column) => column.header === header)?.values ?? [];
  const open = draft.open.filter((one): one is OpenValue => one.kind === 'value' && one.header === header);
  const guesses = open.map((one) => proposed.find(({ text }) => text === one.text));
  const isPayment = first.choices.includes('collect');
  const areGuessed = guesses.every((guess) => guess?.decision !== undefined);
  if (!isPayment && areGuessed && open.length > 1 && !asked.oneByOne?.includes(header)) {
    const decided = Object.fromEntries(guesses.map((guess) => [guess?.text ?? '', guess?.decision ?? '']));
    const counted = proposed.map((each) => ({ ...each, isCertain: true }));
    return {
      text: text.allValues(header, counted, width),
      answer: (to) =>
        to === 'right' ? set(decided) : { ...asked, oneByOne: [...(asked.oneByOne ?? []), header] },
    };
  }
  // The guesses are shown together, so those without one come first.
  const unguessed = guesses.findIndex((guess) => guess?.decision === undefined);
  const place = isPayment ? 0 : Math.max(0, unguessed);
  const { text: name, choices } = open[place] ?? first;
  const { leftOver, count = countOf(name, header, table) } = guesses[place] ?? {};
  return {
    text: text.value(
      { header, text: name, count, leftOver, choices: choices as readonly Decision[], isPayment },
      width,
    ),
    answer: (to) => set({ [name]: to }),
  };
}

/** A value of a shop's export that its preset does not know. */
function askRule(
  { header, key, choices: [name = ''] }: Open & { kind: 'rule' },
  { proposal }: OpenDraft,
  asked: Asked,
  { width }: Screen,
): OpenQuestion {
  const column = proposal.values.find((candidate) => candidate.header === header);
  const found = column?.values.find((candidate) => candidate.text === name);
  const isPayment = key === 'on_delivery';
  const choices: readonly Decision[] = isPayment ? decisions : ['deliver', 'leave_out'];
  return {
    text: text.value({ header, text: name, count: found?.count ?? 1, choices, isPayment }, width),
    answer: (to) => ({
      ...asked,
      given: withRule(asked.given, { header, text: name, decision: to as Decision, isPayment }),
    }),
  };
}

function shownColumns(headers: readonly string[], table: ProfiledTable): ShownColumn[] {
  return columnsOf(table).filter(({ header }) => headers.includes(header));
}

function countOf(value: string, header: string, table: ProfiledTable): number {
  const index = columnsOf(table).find((column) => column.header === header)?.index ?? -1;
  const profile = table.profiles[index];
  if (value === '') return profile?.blankOrders ?? 0;
  return profile?.values?.find(({ text }) => text === value)?.count ?? profile?.filled ?? 0;
}
