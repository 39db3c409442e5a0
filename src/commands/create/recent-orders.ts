import { joinTexts, type Text, t } from '../../advice/advice.ts';
import type { ApiClient } from '../../api/client.ts';
import { createdBetween } from '../../api/pages/created-range.ts';
import { listPage, shownPageSize } from '../../api/pages/list-orders.ts';
import { walkCreated } from '../../api/pages/walk-created.ts';
import { createdAt } from '../../api/responses/order.ts';
import { cleanCell } from '../../clean-text.ts';
import { CliError } from '../../errors.ts';
import { parseFieldPath, readEach } from '../../orders/field-path.ts';
import { jsonText } from '../../orders/json.ts';
import { type Order, phoneOf, textField } from '../../orders/order.ts';
import { isSamePhone, mayBePhone } from '../../orders/phone.ts';
import type { FieldPaths } from '../../orders/unnamed-fields.ts';
import { formatMoment, minWholeWidth } from '../../output/times.ts';
import type { Clock } from '../../system/system.ts';

export type PhoneHistory = ReturnType<typeof createPhoneHistory>;

type LastOrder = { isNew: true } | { isNew: false; order: Order };

const dayMilliseconds = 86_400_000;
/** A slow service must not hold up the dialogue: the last question, and the one after the phone number. */
const maxMilliseconds = { recent: 5000, last: 1000 };

/** Includes orders of colleagues (interface section 4.3). Each phone is looked up once. */
export function createPhoneHistory(client: ApiClient, clock: Clock) {
  const once = <Found>(read: (phone: string) => Promise<Found>) => {
    const reads = new Map<string, Promise<Found>>();
    return (phone: string) => {
      const begun = reads.get(phone) ?? read(phone);
      reads.set(phone, begun);
      // Awaited later; prevents an unhandled rejection until then.
      begun.catch(() => undefined);
      return begun;
    };
  };
  const within = (milliseconds: number) => client.inBackground({ milliseconds });
  return {
    /** Of the last 24 hours, newest first; empty if they cannot be read in time. */
    recentOrders: once((phone) => readRecent(within(maxMilliseconds.recent), phone, clock.now())),
    /** Undefined if the service does not show in time whether there is one, and which is the newest. */
    lastOrder: once((phone) => readLast(within(maxMilliseconds.last), phone)),
  };
}

/** `New customer`, or `Last order 21 Nov: 2 × TEA-001, COF-001`; `now` in epoch milliseconds. */
export function describeLast(last: LastOrder, fieldPaths: FieldPaths, now: number): Text {
  if (last.isNew) return t`New customer`;
  const { order } = last;
  const quantities = valuesAt(order, fieldPaths.quantity);
  const names = valuesAt(order, fieldPaths.item);
  const lines = valuesAt(order, 'items[].sku').map((sku, line) => {
    const name =
      sku === undefined && names[line] === undefined ? t`another item` : cleanCell(sku ?? names[line] ?? '');
    return quantities[line] === undefined ? name : joinTexts([cleanCell(quantities[line]), name], ' × ');
  });
  const more = lines.length - maxLines;
  const items = joinTexts(lines.slice(0, maxLines), ', ');
  const moment = cleanCell(textField(order, 'createdAt') ?? '');
  const short = formatMoment(moment, { width: 0, now });
  const isToday = String(short).includes(':');
  const day = isToday ? formatMoment(moment, { width: minWholeWidth, now }) : short;
  return more > 0 ? t`Last order ${day}: ${items} and ${more} more` : t`Last order ${day}: ${items}`;
}

const maxLines = 3;

/** One for each line if the path leads through the lines. */
export function valuesAt(order: Order, path: string): (string | undefined)[] {
  return readEach(order, parseFieldPath(path)).map((value) =>
    value === undefined || value === null || value === '' ? undefined : jsonText(value),
  );
}

async function readRecent(client: ApiClient, phone: string, now: number): Promise<Order[]> {
  const from = now - dayMilliseconds;
  try {
    const { orders, areWholeDays } = await listSince(client, phone, from);
    const isRecent = (order: Order) => {
      const moment = createdAt(order);
      return moment === undefined ? !areWholeDays : moment >= from;
    };
    const isOfPhone = (order: Order) => mayBePhone(phone, phoneOf(order));
    return orders
      .filter((order) => isOfPhone(order) && isRecent(order))
      .sort((one, other) => (createdAt(other) ?? 0) - (createdAt(one) ?? 0));
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}

async function readLast(client: ApiClient, customerPhone: string): Promise<LastOrder | undefined> {
  try {
    const { orders, hasMore, total } = await listPage(client, {
      customerPhone,
      pageSize: String(shownPageSize),
    });
    if (orders.length === 0) return { isNew: true };
    // A masked phone may be that of another customer.
    const isOfPhone = (order: Order) => isSamePhone(customerPhone, phoneOf(order) ?? '');
    const times = orders.map((order) => createdAt(order) ?? Number.NaN);
    const isNewestFirst = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0));
    const isWhole = hasMore === false || total === orders.length;
    if (!orders.every(isOfPhone) || times.some(Number.isNaN) || !(isNewestFirst || isWhole)) return undefined;
    return {
      isNew: false,
      order: orders[times.indexOf(times.reduce((newest, time) => Math.max(newest, time)))] as Order,
    };
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}

/** Of the first page. `areWholeDays`: the service takes no times. */
async function listSince(
  client: ApiClient,
  customerPhone: string,
  from: number,
): Promise<{ orders: Order[]; areWholeDays: boolean }> {
  const since = createdBetween(from, Number.POSITIVE_INFINITY);
  for await (const { orders, areDays } of walkCreated(client, { customerPhone }, since))
    return { orders, areWholeDays: areDays };
  return { orders: [], areWholeDays: false };
}
