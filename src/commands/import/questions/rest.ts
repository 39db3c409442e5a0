import { t } from '../../../advice/advice.ts';
import { areTicks } from '../../../import/columns/cell-kinds.ts';
import { addressPart } from '../../../import/columns/guess-by-header.ts';
import { createHeader, noColumn } from '../../../import/columns/header.ts';
import { meaningOfHeader } from '../../../import/columns/meanings.ts';
import type { ColumnProfile } from '../../../import/columns/profile.ts';
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
  // A second column would take the place of the first.
  const isTaken = (use: Use) =>
    (use === 'sku' && isFilled('items[].sku')) || (use === 'quantity' && isFilled(quantityTarget));
  const uses = profile === undefined ? [] : usesOf(column, profile).filter((use) => !isTaken(use));
  const nameOfUse = (use: Use) => {
    if (use === 'product' && isFilled('items[].name')) return text.useNames.variant;
    return text.useNames[use === 'phone' && isFilled('customer.phone') ? 'otherPhone' : use];
  };
  const meant = useOfHeader(header) ?? useOfValues(profile);
  const isLikely = (use: Use) => Number(use === meant);
  const choices = [
    ...uses
      .toSorted((left, right) => isLikely(right) - isLikely(left))
      .map((use) => ({ value: use, name: nameOfUse(use) })),
    ...(canGoBack ? [backChoice] : []),
  ];
  const refused = refusedColumns(createHeader(table.header), asked).get(header);
  const answer = await prompts.choose<string>(
    text.whatHolds(column, profile, refused?.ifIgnored, width),
    text.fitChoices(choices, width),
    null,
  );
  if (answer === back) return back;
  if (answer === 'nothing')
    return {
      ...asked,
      unread: [...asked.unread, header],
      given: withIgnored(given, [header], refused && 'ignore_anyway'),
    };
  // It is asked once, whatever comes of the answer.
  const ticked = asked.ticked?.filter((name) => name !== header);
  return withUse({ ...asked, ticked }, mapping, column, answer as Use, table);
}

type Use = Exclude<keyof typeof text.useNames, 'variant' | 'otherPhone'>;

const maxListed = 20;

/** What the values of a column can be. */
function usesOf({ header }: ShownColumn, { shares, values }: ColumnProfile): Use[] {
  const [most, some] = [0.8, 0.3];
  const isListed = values !== undefined && values.length <= maxListed;
  const isTick = areTicks((values ?? []).map(({ text: value }) => value));
  const mayDecide = isTick || (shares.money < most && shares.date < most);
  return [
    ...(mayDecide && isListed ? (['state', 'payment'] as const) : []),
    ...(shares.money >= some && shares.certain_phone < some
      ? (['amount_due', 'amount_paid', 'total'] as const)
      : []),
    ...(shares.count >= 0.5 || meaningOfHeader(header) === 'quantity'
      ? (['quantity', 'minus'] as const)
      : []),
    ...(shares.phone >= most ? (['phone'] as const) : []),
    ...(shares.date >= most ? (['date'] as const) : []),
    ...(shares.sku >= most ? (['sku'] as const) : []),
    ...(shares.words > 0
      ? (['product', 'address', 'name', 'note'] as const)
      : (['address', 'note'] as const)),
    'nothing',
  ];
}

const useByMeaning: Partial<Record<string, Use>> = {
  quantity: 'quantity',
  payment_method: 'payment',
  payment_status: 'payment',
  amount_due: 'amount_due',
  amount_paid: 'amount_paid',
  state: 'state',
  shipping_method: 'state',
  address: 'address',
  date: 'date',
  name: 'name',
  note: 'note',
  variant: 'product',
};

function useOfHeader(header: string): Use | undefined {
  return useByMeaning[meaningOfHeader(header) ?? ''];
}

/** A value that decides about an order shows what the column is for. */
function useOfValues(profile: ColumnProfile | undefined): Use | undefined {
  const values = (profile?.values ?? []).map(({ text: value }) => value);
  const found = values.map((value) => verdict('any', value));
  if (found.some(isLeftOut) || (values.length > 0 && areTicks(values))) return 'state';
  return found.some(isPaymentVerdict) ? 'payment' : undefined;
}

/** `mapping`: the draft, with the columns that are settled without an answer. */
function withUse(
  asked: Asked,
  mapping: JsonObject,
  { header }: ShownColumn,
  use: Use,
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
  switch (use) {
    case 'state':
      return withValues(asked, header, ['deliver', 'leave_out'], table);
    case 'payment': {
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
    case 'total':
      return fill('total');
    case 'quantity':
      return given.lines === undefined
        ? fill(quantityTarget)
        : withGiven({ ...fill(quantityTarget).given, lines: noColumn });
    case 'minus': {
      const path = ['columns', quantityTarget];
      const from = filled(quantityTarget);
      if (from === undefined) return asked;
      const before = entryOf(from);
      return set(path, { ...before, minus: [...listIn(before, 'minus'), header] });
    }
    case 'phone':
      return withGiven(withFirstPhone(given, filled('customer.phone'), header));
    case 'sku':
      return fill('items[].sku');
    case 'product':
      return fill('items[].name', ' ');
    case 'date':
      return fill('requestedDeliveryDate');
    case 'address':
      return fill(`deliveryAddress.${addressPart(header)}`, ', ');
    case 'name':
      return fill('customer.name', ' ');
    case 'note':
      return fill('deliveryAddress.note', ', ');
    case 'nothing':
      return asked;
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
