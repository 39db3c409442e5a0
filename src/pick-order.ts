import { advice, command, joinTexts, type Text, t } from './advice/advice.ts';
import { ambiguous, findOrder, getOrder, orderNotFound } from './api/operations/find.ts';
import { listOfPhone } from './api/operations/list-of-phone.ts';
import { isRejectedQuery, listPage, pageSize, shownPageSize } from './api/pages/list-orders.ts';
import { idOf, type ServiceOrder } from './api/responses/order.ts';
import { cleanCell } from './clean-text.ts';
import type { Connection, Context } from './context.ts';
import { CliError } from './errors.ts';
import { type Order, textField } from './orders/order.ts';
import {
  type ChosenKind,
  isPhoneReference,
  mayBeOrderNumber,
  newestNumber,
  readOrderNumber,
  spellingsOf,
  toOrderNumber,
} from './orders/order-reference.ts';
import { areStatedColumns, pickCells, textFilter } from './output/fields.ts';
import { orderInShort, orderLine, whoAndWhat } from './output/order-list.ts';

const maxShown = 50;
const maxSpellings = 12;
/** Shorter texts occur in too many orders. */
const minSearched = 3;

interface MeantOrder {
  order: ServiceOrder;
  /** What was typed does not name it exactly, so only the user can say whether it is meant. */
  isReading: boolean;
}

/**
 * Asks at a terminal for an order by its phone, number or ID, or lets the user choose among those of a phone or the newest;
 * asks again when there is none. Errors: `order_not_found` when there are no orders at all, those of a read.
 */
export async function pickOrder(
  context: Context,
  connection: Connection,
  message: Text,
): Promise<MeantOrder> {
  const { prompts, print } = context;
  if (prompts === undefined) throw noReference();
  for (;;) {
    const answer = await prompts.text({ message });
    const find = answer === '' ? chooseNewest(context, connection) : findAnswer(context, connection, answer);
    const meant = await find;
    if (meant !== undefined) return meant;
    print.note(
      t`The order was not found. Type the customer's phone, or press Enter for the newest orders. To search, press Ctrl-C and run:\n  ${command('list', '--search', answer || 'TEXT')}`,
    );
  }
}

export function noReference(): CliError {
  return new CliError('usage', t`Please name the order.`, {
    hint: t`Give its order number, your own order ID or its UUID. To find it, run: ${command('list', '--search', 'TEXT')}`,
  });
}

async function findAnswer(
  context: Context,
  connection: Connection,
  answer: string,
): Promise<MeantOrder | undefined> {
  const { client } = connection;
  if (isPhoneReference(answer)) {
    const found = await listOfPhone(client, answer);
    if (found.orders.length > 0) {
      const order = await onlyOne(context, connection, answer, {
        ...found,
        question: t`Which one?`,
        preset: null,
      });
      return order && { order, isReading: true };
    }
  }
  const order = await findOrder(client, answer).catch(ifFound);
  return order === undefined
    ? findOtherwise(context, connection, answer).catch(ifFound)
    : { order, isReading: false };
}

/** Error: `order_not_found` when there is none. */
async function chooseNewest(context: Context, connection: Connection): Promise<MeantOrder | undefined> {
  const { orders } = await listPage(connection.client, { pageSize: String(shownPageSize) });
  const newest = orders.flatMap((order) => ({ id: idOf(order) ?? '', order })).filter(({ id }) => id !== '');
  if (newest.length === 0) throw new CliError('order_not_found', t`There are no orders.`);
  const order = await choose(context, connection, t`Which one?`, newest);
  return order && { order, isReading: true };
}

interface FoundOrders {
  orders: ServiceOrder[];
  caveat?: Text | undefined;
}

interface Reading {
  by: 'number' | 'external' | 'phone';
  text: string;
}

interface OtherwiseOptions {
  by?: ChosenKind | undefined;
  /** The error when there is none. */
  missing?: CliError | undefined;
  /** Then the text is not searched for: it may be a part of a phone with spaces. */
  isOneOfSeveral?: boolean;
}

/**
 * The order that a person means by a text that no order carries. Says how it was read, for which it takes a person at a
 * terminal: elsewhere the error names the readings. Errors: `missing`, `ambiguous_order`, those of a read.
 */
export async function findOtherwise(
  context: Context,
  connection: Connection,
  text: string,
  { by, missing = orderNotFound(text), isOneOfSeveral = false }: OtherwiseOptions = {},
): Promise<MeantOrder> {
  if (by === 'phone') {
    const found = await listOfPhone(connection.client, text);
    const order = await onlyOne(context, connection, text, { ...found, question: t`Which one?` });
    if (order === undefined) throw missing;
    return { order, isReading: true };
  }
  const { readings, isOpen } = await readingsOf(context, connection, text, by);
  const absent = isOpen ? withUnknownOutcome(missing, text) : missing;
  const maySearch = by === undefined && !isOneOfSeveral && text.length >= minSearched;
  if (!showsReadings(context) || !(maySearch || readings.length > 0))
    throw readings.length === 0 ? absent : withReadings(absent, readings);
  const found: { order: ServiceOrder; reading?: Reading }[] = [];
  let caveat: Text | undefined;
  for (const reading of readings) {
    const read = await findReading(connection, reading);
    const isNew = ({ id }: ServiceOrder) => found.every(({ order }) => order.id !== id);
    found.push(...read.orders.filter(isNew).map((order) => ({ order, reading })));
    caveat ??= read.caveat;
  }
  if (found.length === 0 && maySearch)
    found.push(...(await searchNewest(connection, text)).map((order) => ({ order })));
  const areOfPhone = caveat === undefined && found.every(({ reading }) => reading?.by === 'phone');
  const question = areOfPhone
    ? t`${found.length} orders have the phone ${text}. Which one?`
    : t`There is no order ${text}. Which of these is meant?`;
  const orders = found.map(({ order }) => order);
  const order = await onlyOne(context, connection, text, { orders, caveat, question, preset: none });
  if (order === undefined) throw found.length === 0 ? absent : noneChosen(text);
  const { reading } = found.find(({ order: { id } }) => id === order.id) ?? {};
  const how = reading ? nameOfReading(reading) : '';
  const facts = orderInShort(order.order).replace(reading ? `${how}, ` : '', '');
  if (reading === undefined)
    context.print.note(t`Found "${cleanCell(text)}" in the newest orders: ${facts}.`);
  else if (found.length === 1) context.print.note(t`Read "${cleanCell(text)}" as ${how} (${facts}).`);
  return { order, isReading: true };
}

/** The only order, or the choice among several; undefined for none. Errors: `ambiguous_order`, `search_incomplete`. */
async function onlyOne(
  context: Context,
  connection: Connection,
  text: string,
  { orders, caveat, question, preset }: FoundOrders & { question: Text; preset?: typeof none | null },
): Promise<ServiceOrder | undefined> {
  const [first, ...others] = orders;
  if (first === undefined) return undefined;
  if (others.length === 0 && caveat === undefined) return getOrder(connection.client, first.id);
  if (context.prompts !== undefined) {
    const asked = caveat === undefined ? question : advice`${caveat} ${question}`;
    return choose(context, connection, asked, orders, preset);
  }
  if (caveat === undefined) throw ambiguous(text, orders);
  throw new CliError(
    'search_incomplete',
    t`It is not clear which orders are for the phone ${text}. ${caveat}`,
    {
      hint: t`To see them, run: ${command('list', '--customer-phone', text)}`,
    },
  );
}

async function readingsOf(
  context: Context,
  connection: Connection,
  text: string,
  by: ChosenKind | undefined,
): Promise<{ readings: Reading[]; isOpen: boolean }> {
  const { newest, spellings, isOpen } = await readLedger(context, connection, text);
  const ids = by === undefined || by === 'external' ? spellings : [];
  const mayBeNumber = by === 'number' || (by === undefined && mayBeOrderNumber(text));
  const number = mayBeNumber ? await readNumber(connection, text, newest) : undefined;
  const readings: (Reading | undefined)[] = [
    ...ids.map((id): Reading => ({ by: 'external', text: id })),
    number === undefined || number === toOrderNumber(text) ? undefined : { by: 'number', text: number },
    by === undefined && isPhoneReference(text) ? { by: 'phone', text } : undefined,
  ];
  return { readings: readings.filter((reading) => reading !== undefined), isOpen };
}

/** A list page shows the newest number where the ledger has none. */
async function readNumber(
  { client }: Connection,
  text: string,
  newest: string | undefined,
): Promise<string | undefined> {
  if (newest !== undefined) return readOrderNumber(text, newest);
  const { orders } = await listPage(client, {});
  const shown = newestNumber(orders.flatMap((order) => textField(order, 'orderNumber') ?? []));
  return shown === undefined ? undefined : readOrderNumber(text, shown);
}

/** Of this key only: an external order ID is unique per key. Nothing without a ledger that can be read. */
async function readLedger(
  { hasLedger }: Context,
  { openLedger }: Connection,
  text: string,
): Promise<{ newest?: string | undefined; spellings: readonly string[]; isOpen: boolean }> {
  const nothing = { spellings: [], isOpen: false };
  if (!hasLedger()) return nothing;
  try {
    const ledger = await openLedger({ isDryRun: true });
    try {
      const { orders } = ledger;
      const spelled = spellingsOf(text);
      const known = [
        ...orders.findMany(spelled).map(({ entry }) => entry.externalOrderId),
        ...[...orders.findOtherSpellings(spelled).values()].flat(),
      ];
      const spellings = [...new Set(known)].filter((id) => id !== text).slice(0, maxSpellings);
      const isOpen = orders.findOpen().some(({ externalOrderId }) => externalOrderId === text);
      return { newest: orders.newestNumber(), spellings, isOpen };
    } finally {
      ledger.close();
    }
  } catch (error) {
    if (error instanceof CliError) return nothing;
    throw error;
  }
}

function showsReadings({ prompts, settings, system }: Context): boolean {
  const isForPeople = ['table', 'text'].includes(settings.format) && !settings.quiet;
  return prompts !== undefined && system.terminal.stdout && isForPeople;
}

async function findReading({ client }: Connection, { by, text }: Reading): Promise<FoundOrders> {
  if (by === 'phone') return listOfPhone(client, text);
  const order = await findOrder(client, text, { by }).catch(ifFound);
  return { orders: order === undefined ? [] : [order] };
}

/** The newest orders in which the text occurs: a name, a part of an address, or the last digits of the phone. */
async function searchNewest({ client }: Connection, text: string): Promise<ServiceOrder[]> {
  const { orders } = await listPage(client, { pageSize: String(pageSize) }).catch(ifNotListed);
  const isFound = /^\d+$/.test(text)
    ? (order: Order) => (pickCells(order, ['customer.phone'])[0] ?? '').replace(/\D/g, '').endsWith(text)
    : textFilter(text, (path) => !areStatedColumns([path]));
  return orders.flatMap((order) => {
    const id = idOf(order);
    return id !== undefined && isFound(order) ? [{ id, order }] : [];
  });
}

function nameOfReading({ by, text }: Reading): Text {
  return by === 'phone' ? t`the phone ${cleanCell(text)}` : cleanCell(text);
}

/** Names the command that settles the order, so that nobody creates it a second time under a new ID. */
function withUnknownOutcome({ code, sentence, details }: CliError, text: string): CliError {
  return new CliError(code, sentence, {
    ...details,
    hint: t`It was sent before, and it is not known whether it was created. To find out, run:\n  ${command('settle', text)}`,
  });
}

function withReadings({ code, sentence, details }: CliError, readings: readonly Reading[]): CliError {
  const commands = readings.map(({ by, text }) => {
    const words = by === 'phone' ? ['list', '--customer-phone', text] : ['get', text];
    return advice`\n  ${command(...words)}`;
  });
  const meant = readings.map(nameOfReading).reduce((before, name) => t`${before} or ${name}`);
  return new CliError(code, sentence, {
    ...details,
    hint: t`${details.hint ?? ''}\nIf ${meant} is meant, run:${joinTexts(commands, '')}`,
  });
}

const none = '';

/** Undefined for none of them. A list may show less of an order, so the chosen one is read. */
async function choose(
  { prompts, clock, say, system }: Context,
  { client }: Connection,
  question: Text,
  orders: readonly ServiceOrder[],
  preset?: typeof none | null,
): Promise<ServiceOrder | undefined> {
  const look = { width: system.terminal.width, now: clock.now(), say };
  const choices = orders.slice(0, maxShown).map(({ id, order }) => {
    const description = whoAndWhat(order);
    return { value: id, name: orderLine(order, look), ...(description === '' ? {} : { description }) };
  });
  const more = orders.length - choices.length;
  const others = {
    value: none,
    name: more > 0 ? t`none of these, but one of ${more} more` : t`none of these`,
  };
  const id = await prompts?.choose(question, [...choices, others], preset);
  return id ? getOrder(client, id) : undefined;
}

function noneChosen(text: string): CliError {
  return new CliError('order_not_found', t`No order was chosen.`, {
    hint: t`To search, run: ${command('list', '--search', text)}`,
  });
}

/** Of a service that lists fewer orders at once. */
function ifNotListed(error: unknown): { orders: [] } {
  if (isRejectedQuery(error)) return { orders: [] };
  throw error;
}

function ifFound(error: unknown): undefined {
  if (error instanceof CliError && error.code === 'order_not_found') return undefined;
  throw error;
}
