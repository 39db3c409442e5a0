import { type Text, t } from '../../../advice/advice.ts';
import { noColumn } from '../../../import/columns/header.ts';
import type { ColumnProfile } from '../../../import/columns/profile.ts';
import { mayMatter } from '../../../import/mapping/draft/may-matter.ts';
import type { LinesChoice, ProfiledTable } from '../../../import/mapping/draft/proposal.ts';
import { labelOf } from '../../../import/mapping/draft/propose-fields.ts';
import { isOfAmounts, isOfPhones, withRule } from '../../../import/mapping/draft/write-mapping.ts';
import type { ShownColumn } from '../../../import/mapping/guesses.ts';
import { parcel } from '../../../import/mapping/lines.ts';
import { columnsOffered, listIn, type Mark, objectIn, openColumns } from '../../../import/mapping/marks.ts';
import { type Decision, decisions } from '../../../import/words/verdict.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../orders/json.ts';
import {
  type Asked,
  back,
  backChoice,
  columnsOf,
  type OpenDraft,
  type Screen,
  setIn,
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
  const [mark] = draft.marks;
  if (mark === undefined) return undefined;
  if (mark.path[0] === 'ignore') return askRest(draft, asked, screen, canGoBack);
  if (mark.path[1] === street) return askAddress(draft, asked, screen, canGoBack);
  const question = questionOf(mark, draft, asked, screen);
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
      mark,
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
  const open = [...openColumns(draft.mapping), ...columnsOffered(draft.marks)];
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
  mark: Mark,
  { mapping }: OpenDraft,
  { table }: Screen,
): Asked {
  if (isOfPhones(mark)) return { ...asked, declined: [...asked.declined, ...others] };
  if (!isOfAmounts(mark)) return asked;
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

function questionOf(mark: Mark, draft: OpenDraft, asked: Asked, screen: Screen): OpenQuestion {
  const { given } = asked;
  const { proposal } = draft;
  const [key = '', name = '', value = ''] = mark.path;
  const set = (path: readonly string[], to: Json): Asked => ({ ...asked, given: setIn(given, path, to) });
  // The amounts of the lines of an order are added up.
  const isOfLine = (header: string) => proposal.amounts.some((one) => one.header === header && one.isOfLine);
  const totalOf = (header: string): Json => (isOfLine(header) ? { from: header, sum: true } : header);
  switch (key) {
    case 'columns': {
      if (value === 'prefix') {
        const entry = objectIn(draft.mapping, key, name);
        const header = String(listIn(entry, 'from')[0] ?? '');
        const [sample = ''] = shownColumns([header], screen.table)[0]?.samples ?? [];
        return {
          text:
            name === 'customer.phone'
              ? text.phonePrefix(header, sample, mark.choices)
              : text.idPrefix(header, mark.choices),
          answer: (prefix) => set([key, name], { ...entry, prefix }),
        };
      }
      if (value === 'pick') {
        const entry = objectIn(draft.mapping, key, name);
        const [sample = ''] = asked.problems.flatMap(({ first }) => (first.mayPick && first.value) || []);
        return {
          text: text.whichPhone(String(listIn(entry, 'from')[0] ?? ''), sample, mark.choices),
          answer: (pick) => set([key, name], { ...entry, pick }),
        };
      }
      // Of a quantity, `from` beside the pieces that are taken off.
      const fill = (header: string) =>
        set(
          [key, name],
          name === 'total' ? totalOf(header) : withFrom(objectIn(draft.mapping, key)[name], header),
        );
      const field = proposal.fields.find((candidate) => candidate.field === name);
      const guesses = field?.guesses ?? shownColumns(mark.choices, screen.table);
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
        const due = set([key], header);
        return { ...due, given: setIn(due.given, path, value) };
      };
      // What is paid is subtracted from the total alone.
      const collectLess = (header: string) => withDue(header, [['columns', 'total'], totalOf(header)]);
      const isTotal = (header: string) => objectIn(draft.mapping, 'columns').total === header;
      const collect = (header: string) => {
        const { total } = objectIn(draft.mapping, 'columns');
        const takesNothingOff = proposal.paid.length > 0 && (total === undefined || isTotal(header));
        if (takesNothingOff) {
          const due = withDue(header, [['amount_paid'], []]);
          const paid = proposal.paid.map((column) => column.header);
          return { ...due, given: withIgnored(due.given, paid, 'ignore_anyway') };
        }
        return isOfLine(header) ? collectLess(header) : set([key], header);
      };
      return {
        text: mayBeNone(mark)
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
            answer: (header) => ({ ...asked, given: withValues(given, header, decisions, screen.table) }),
          },
        },
      };
    }
    case 'constants': {
      const fill = (field: string) => ({
        message: text.whichColumn(labelOf(field)),
        answer: (header: string) => set(['columns', field], header),
      });
      const fields = ['items[].sku', 'items[].name'].map((field) => [text.otherField + field, fill(field)]);
      return {
        text: text.products(parcel),
        answer: (line) => set([key, name], [{ name: line }]),
        ofAnyColumn: Object.fromEntries(fields),
      };
    }
    case 'lines': {
      const choices = proposal.lines?.choices ?? [];
      return {
        text: text.lines(choices),
        answer: (to) => set([key], (choices[Number(to)] as LinesChoice | undefined)?.lines ?? noColumn),
      };
    }
    case 'values':
      return askValues(name, value, mark, draft, asked, screen);
    case 'unpaid':
      return { text: text.unpaid, answer: (to) => set([key], to) };
    default:
      return askRule(mark, draft, asked, screen);
  }
}

function mayBeNone({ choices }: Mark): boolean {
  return choices.length === 0 || choices.includes(noColumn);
}

/** The first open value of a column; the guesses of one that does not say who pays are confirmed at once. */
function askValues(
  header: string,
  value: string,
  mark: Mark,
  draft: OpenDraft,
  asked: Asked,
  { width, table }: Screen,
): OpenQuestion {
  const listed = objectIn(draft.mapping, 'values', header);
  const set = (changed: JsonObject): Asked => ({
    ...asked,
    given: setIn(asked.given, ['values', header], { ...listed, ...changed }),
  });
  const proposed = draft.proposal.values.find((column) => column.header === header)?.values ?? [];
  const open = draft.marks.filter(({ path }) => path[0] === 'values' && path[1] === header);
  const guesses = open.map(({ path }) => proposed.find(({ text }) => text === path[2]));
  const isPayment = mark.choices.includes('collect');
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
  const place = isPayment
    ? 0
    : Math.max(
        0,
        guesses.findIndex((guess) => guess?.decision === undefined),
      );
  const name = open[place]?.path[2] ?? value;
  const found = guesses[place];
  const { leftOver, count = countOf(name, header, table) } = found ?? {};
  const choices = (open[place] ?? mark).choices as readonly Decision[];
  return {
    text: text.value({ header, text: name, count, leftOver, choices, isPayment }, width),
    answer: (to) => set({ [name]: to }),
  };
}

/** A value of a shop's export that its preset does not know. */
function askRule(mark: Mark, { proposal }: OpenDraft, asked: Asked, { width }: Screen): OpenQuestion {
  const header = mark.path.at(-1) ?? '';
  const [name = ''] = mark.choices;
  const column = proposal.values.find((candidate) => candidate.header === header);
  const found = column?.values.find((candidate) => candidate.text === name);
  const isPayment = mark.path[0] === 'on_delivery';
  const choices: readonly Decision[] = isPayment ? decisions : ['deliver', 'leave_out'];
  return {
    text: text.value({ header, text: name, count: found?.count ?? 1, choices, isPayment }, width),
    answer: (to) => ({
      ...asked,
      given: withRule(asked.given, { header, text: name, decision: to as Decision, isPayment }),
    }),
  };
}

function withFrom(entry: Json | undefined, from: string): Json {
  return isJsonObject(entry ?? null) && from !== noColumn ? { ...(entry as JsonObject), from } : from;
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
