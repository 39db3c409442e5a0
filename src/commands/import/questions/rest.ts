import { t } from '../../../advice/advice.ts';
import { areTicks } from '../../../import/columns/cell-kinds.ts';
import { createHeader, noColumn } from '../../../import/columns/header.ts';
import { addressRole, roleOfHeader } from '../../../import/columns/header-roles.ts';
import type { ColumnProfile } from '../../../import/columns/profile.ts';
import { mayHold, type Role, roles } from '../../../import/columns/roles.ts';
import { mayMatter } from '../../../import/mapping/draft/may-matter.ts';
import type { ProfiledTable } from '../../../import/mapping/draft/proposal.ts';
import { refusedColumns } from '../../../import/mapping/draft/write-mapping.ts';
import { entryOf, listIn, objectIn, setIn } from '../../../import/mapping/entries.ts';
import type { ShownColumn } from '../../../import/mapping/guesses.ts';
import { quantityTarget } from '../../../import/mapping/lines.ts';
import { decisions, isLeftOut, isPaymentVerdict, verdict } from '../../../import/words/verdict.ts';
import type { Json, JsonObject } from '../../../orders/json.ts';
import type { Choice } from '../../../system/prompts/prompts.ts';
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

/**
 * The columns that nothing reads: one list of those that may matter, then what each of them holds, then all others at
 * once. Error: PromptLeft.
 */
export async function askRest(
  { mapping, open }: OpenDraft,
  asked: Asked,
  screen: Screen,
  canGoBack: boolean,
): Promise<Asked | typeof back> {
  const { prompts, table, width } = screen;
  const unread = new Set(open.flatMap(({ kind, choices }) => (kind === 'ignore' ? choices : [])));
  const columns = columnsOf(table).filter(({ header }) => unread.has(header));
  const refused = refusedColumns(createHeader(table.header), asked);
  const ignored = listIn(asked.given, 'ignore');
  const ticked = columns.find(
    ({ header }) => asked.ticked?.includes(header) || (refused.has(header) && ignored.includes(header)),
  );
  if (ticked !== undefined) return askColumn(ticked, mapping, asked, screen, canGoBack);
  const isNew = ({ header }: ShownColumn) => !asked.declined.includes(header);
  const backChoices: Choice[] = canGoBack ? [backChoice] : [];
  const important =
    asked.ticked === undefined
      ? columns.filter((column) => isNew(column) && mayMatter(column, table, mapping))
      : [];
  const [only, ...others] = important;
  if (only !== undefined && others.length === 0)
    return askColumn(only, mapping, { ...asked, ticked: [] }, screen, canGoBack);
  if (important.length > 1) {
    const choices = [
      ...text.columnChoices(important, width).map((choice) => ({ ...choice, isTicked: true })),
      ...backChoices.map((choice) => ({ ...choice, isTicked: false })),
    ];
    const chosen = await prompts.chooseSeveral(
      t`Nothing reads these columns yet. Which of them matter? Each that stays ticked is asked about.`,
      text.fitChoices(choices, width),
    );
    if (chosen.includes(back)) return back;
    const chosenHeaders = chosen.map(text.columnIn);
    const isTicked = ({ header }: ShownColumn) => chosenHeaders.includes(header);
    const kept = important.filter(isTicked).map(({ header }) => header);
    const rest = important.filter((column) => !isTicked(column)).map(({ header }) => header);
    return {
      ...asked,
      ticked: kept,
      unread: [...asked.unread, ...rest],
      given: withIgnored(asked.given, rest),
    };
  }
  const isProven = !columns.some((column) => isNew(column) && mayMatter(column, table, mapping));
  const answer = await prompts.choose(
    text.notRead(columns, width),
    [{ value: 'right', name: t`yes` }, { value: 'change', name: t`no, some of them matter` }, ...backChoices],
    isProven ? undefined : null,
  );
  if (answer === back) return back;
  if (answer === 'right') {
    return {
      ...asked,
      given: withIgnored(
        asked.given,
        columns.map(({ header }) => header),
      ),
    };
  }
  const choices = text.columnChoices(columns, width).map((choice) => ({ ...choice, isTicked: false }));
  const chosen = await prompts.chooseSeveral(
    t`Which of these columns matter?`,
    text.fitChoices(choices, width),
  );
  return {
    ...asked,
    ticked: [...(asked.ticked ?? []), ...chosen.map(text.columnIn)],
  };
}

async function askColumn(
  column: ShownColumn,
  mapping: JsonObject,
  asked: Asked,
  { prompts, table, width }: Screen,
  canGoBack: boolean,
): Promise<Asked | typeof back> {
  const { given } = asked;
  const { header, index } = column;
  const profile = table.profiles[index];
  const columns = objectIn(mapping, 'columns');
  const isFilled = (field: string) => Object.hasOwn(columns, field) && columns[field] !== noColumn;
  const ofHeader = roleOfHeader(header);
  const meant = (ofHeader && (roles[ofHeader].askedAs ?? ofHeader)) ?? roleOfValues(profile);
  // A second column would take the place of the first.
  const isTaken = (role: Role) => ['sku', 'quantity'].includes(role) && isFilled(roles[role].field ?? '');
  const isOffered = (role: Role) =>
    profile !== undefined &&
    (mayHold(role, profile) || (ofHeader === 'quantity' && role.endsWith('quantity'))) &&
    !isTaken(role);
  const nameOf = (role: Role) => text.besideFilled(role, isFilled) ?? roles[role].label ?? '';
  const isLikely = (role: Role) => Number(role === meant);
  const choices = [
    ...offered
      .filter(isOffered)
      .toSorted((left, right) => isLikely(right) - isLikely(left))
      .map((role) => ({ value: role, name: nameOf(role) })),
    { value: nothing, name: t`nothing that matters: it is not read` },
    ...(canGoBack ? [backChoice] : []),
  ];
  const refused = refusedColumns(createHeader(table.header), asked).get(header);
  const answer = await prompts.choose<string>(
    text.whatHolds(column, profile, refused?.ifIgnored, width),
    text.fitChoices(choices, width),
    null,
  );
  if (answer === back) return back;
  if (answer === nothing)
    return {
      ...asked,
      unread: [...asked.unread, header],
      given: withIgnored(given, [header], refused && 'ignore_anyway'),
    };
  // It is asked once, whatever comes of the answer.
  const ticked = asked.ticked?.filter((name) => name !== header);
  return withRole({ ...asked, ticked }, mapping, column, answer as Role, table);
}

const nothing = 'nothing';

/** What a column may be said to hold. */
const offered: readonly Role[] = [
  'state',
  'payment_method',
  'amount_due',
  'amount_paid',
  'total',
  'quantity',
  'ended_quantity',
  'phone',
  'date',
  'sku',
  'product',
  'address',
  'name',
  'note',
];

/** A value that decides about an order shows what the column is for. */
function roleOfValues(profile: ColumnProfile | undefined): Role | undefined {
  const values = (profile?.values ?? []).map(({ text: value }) => value);
  const found = values.map((value) => verdict('any', value));
  if (found.some(isLeftOut) || (values.length > 0 && areTicks(values))) return 'state';
  return found.some(isPaymentVerdict) ? 'payment_method' : undefined;
}

/** `mapping`: the draft, with the columns that are settled without an answer. */
function withRole(
  asked: Asked,
  mapping: JsonObject,
  { header }: ShownColumn,
  role: Role,
  table: ProfiledTable,
): Asked {
  const { given } = asked;
  const withGiven = (changed: JsonObject): Asked => ({ ...asked, given: changed });
  const filled = (field: string): Json | undefined => {
    const entry = objectIn(mapping, 'columns')[field];
    return entry === noColumn ? undefined : entry;
  };
  const set = (path: readonly string[], value: Json) => withGiven(setIn(given, path, value));
  const fill = (field: string, join?: string) => {
    const before = join === undefined ? undefined : filled(field);
    if (before === undefined) return set(['columns', field], header);
    // The parts of a text stand in the order of the file.
    const places = columnsOf(table).map((column) => column.header);
    const from = [...fromOf(before), header].toSorted(
      (left, right) => places.indexOf(String(left)) - places.indexOf(String(right)),
    );
    return set(['columns', field], { ...entryOf(before), from, join: join ?? '' });
  };
  const { field = '', join } = roles[role];
  switch (role) {
    case 'state':
      return withValues(asked, header, ['deliver', 'leave_out'], table);
    case 'payment_method': {
      // What was said of every order no longer holds; the total stays.
      const next = withValues(asked, header, decisions, table);
      const { amount_due: due, ...others } = next.given;
      const isOfEvery = due === undefined || due === noColumn || due === objectIn(given, 'columns').total;
      return isOfEvery ? { ...next, given: others } : next;
    }
    case 'amount_due':
      return set(['amount_due'], header);
    case 'amount_paid': {
      // What the courier collects of every order may be with or without it, so that it is asked again.
      const { amount_due: due, ...others } = given;
      const paid = { amount_paid: [...listIn(given, 'amount_paid'), header] };
      return withGiven(due === noColumn ? { ...given, ...paid } : { ...others, ...paid });
    }
    case 'quantity':
      return given.lines === undefined ? fill(field) : withGiven({ ...fill(field).given, lines: noColumn });
    case 'ended_quantity': {
      const path = ['columns', quantityTarget];
      const from = filled(quantityTarget);
      if (from === undefined) return asked;
      const before = entryOf(from);
      return set(path, { ...before, minus: [...listIn(before, 'minus'), header] });
    }
    case 'phone':
      return withGiven(withFirstPhone(given, filled(field), header));
    case 'address':
      return fill(roles[addressRole(header)].field ?? field, join);
    default:
      return fill(field, join);
  }
}

/** Of two phones the later one is that of the recipient, and the other stands in for it. */
function withFirstPhone(given: JsonObject, before: Json | undefined, header: string): JsonObject {
  const from = before === undefined ? [] : fromOf(before);
  return setIn(
    given,
    ['columns', 'customer.phone'],
    from.length === 0 ? header : { from: [header, ...from] },
  );
}

/** The columns of a field. */
function fromOf(entry: Json): Json[] {
  return listIn(entryOf(entry), 'from');
}
