import type { ApiClient } from '../../api/client.ts';
import { listPage } from '../../api/pages/list-orders.ts';
import { parseTime } from '../../api/responses/http-date.ts';
import { CliError } from '../../errors.ts';
import { member } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import { isMaskedPhone, isSamePhone } from '../../orders/phone.ts';
import type { Clock } from '../../system/system.ts';

/** Of the last 24 hours, newest first. The first call for a phone starts the read. */
export type RecentOrders = (phone: string) => Promise<Order[]>;

const dayMilliseconds = 86_400_000;
/** A slow service must not hold up the dialogue. */
const maxMilliseconds = 5000;

/** Includes orders of colleagues (interface section 4.3). Empty if they cannot be read in time. */
export function createRecentOrders(client: ApiClient, clock: Clock): RecentOrders {
  const reads = new Map<string, Promise<Order[]>>();
  return (phone) => {
    const begun =
      reads.get(phone) ??
      readRecent(client.inBackground({ milliseconds: maxMilliseconds }), phone, clock.now());
    reads.set(phone, begun);
    // Awaited later; prevents an unhandled rejection until then.
    begun.catch(() => undefined);
    return begun;
  };
}

async function readRecent(client: ApiClient, phone: string, now: number): Promise<Order[]> {
  const from = now - dayMilliseconds;
  const createdAt = (order: Order) => parseTime(textField(order, 'createdAt') ?? '');
  try {
    const { orders, areWholeDays } = await listSince(client, phone, from);
    const isRecent = (order: Order) => {
      const moment = createdAt(order);
      return moment === undefined ? !areWholeDays : moment >= from;
    };
    const isOfPhone = (order: Order) => {
      const shown = textField(member(order, 'customer'), 'phone');
      return shown === undefined || isSamePhone(phone, shown) || isMaskedPhone(shown, phone);
    };
    return orders
      .filter((order) => isOfPhone(order) && isRecent(order))
      .sort((one, other) => (createdAt(other) ?? 0) - (createdAt(one) ?? 0));
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}

/** Falls back to calendar days if the service rejects times. */
async function listSince(
  client: ApiClient,
  customerPhone: string,
  from: number,
): Promise<{ orders: Order[]; areWholeDays: boolean }> {
  const timeAt = (moment: number) => new Date(moment).toISOString();
  try {
    const createdFrom = timeAt(from).replace(/\.\d+/, '');
    const { orders } = await listPage(client, { customerPhone, createdFrom });
    return { orders, areWholeDays: false };
  } catch (error) {
    if (!(error instanceof CliError) || ![400, 422].includes(error.details.status ?? 0)) throw error;
    const createdFrom = timeAt(from - dayMilliseconds).slice(0, 10);
    const { orders } = await listPage(client, { customerPhone, createdFrom });
    return { orders, areWholeDays: true };
  }
}
