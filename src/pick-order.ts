import { advice, command } from './advice/advice.ts';
import { listPage } from './api/pages/list-orders.ts';
import { idOf } from './api/responses/order.ts';
import type { Connection, Context } from './context.ts';
import { CliError } from './errors.ts';
import { member } from './orders/json.ts';
import { type Order, textField } from './orders/order.ts';
import { isSamePhone } from './orders/phone.ts';
import { orderLine } from './output/order-view.ts';

const minPhoneDigits = 8;
const maxShown = 12;

/**
 * Asks at a terminal for an order by its phone, number or ID, or lets the user choose among those of a phone or the newest.
 * Returns a reference to it. Errors: `usage` without a terminal, `order_not_found`, those of reading the list.
 */
export async function pickOrder(
  { prompts, clock, system }: Context,
  { client }: Connection,
  what: string,
): Promise<string> {
  if (prompts === undefined) throw noReference();
  const answer = await prompts.text({
    message: `Order ${what} (phone, number or your own ID; Enter lists the newest)`,
  });
  const isPhone = /^[+\d][\d ()-]*$/.test(answer) && answer.replace(/\D/g, '').length >= minPhoneDigits;
  if (answer !== '' && !isPhone) return answer;
  const filter: Record<string, string> = isPhone ? { customerPhone: answer } : {};
  const { orders } = await listPage(client, { ...filter, pageSize: '20' });
  const isMeant = (order: Order) => {
    const phone = textField(member(order, 'customer'), 'phone');
    return !isPhone || phone === undefined || isSamePhone(answer, phone);
  };
  const found = orders.filter((order) => isMeant(order) && idOf(order) !== undefined).slice(0, maxShown);
  const [first, ...others] = found.map((order) => ({ id: idOf(order) ?? '', order }));
  if (first === undefined) throw notFound(isPhone ? answer : undefined);
  if (isPhone && others.length === 0) return first.id;
  const look = { width: system.terminal.width, now: clock.now() };
  const choices = [first, ...others].map(({ id, order }) => ({ value: id, name: orderLine(order, look) }));
  return prompts.choose('Which one?', choices);
}

export function noReference(): CliError {
  return new CliError('usage', 'Please name the order.', {
    hint: advice`Give its order number, your own order ID or its UUID. To find it, run: ${command('list', '--customer-phone', 'PHONE')}`,
    outcome: 'not_sent',
  });
}

function notFound(phone: string | undefined): CliError {
  const sentence = phone === undefined ? 'There are no orders.' : `There is no order for the phone ${phone}.`;
  return new CliError('order_not_found', sentence, {
    hint: advice`To see the newest orders, run: ${command('list')}`,
  });
}
