import { writeJson } from '../../orders/json.ts';
import type { SandboxContext, SandboxParts } from '../parts.ts';
import { findOrder } from '../rules/find-order.ts';
import { answer } from '../wire/answer.ts';
import { orderOnTheWire } from '../wire/order.ts';

export function getOrderRoute({ store, behaviour }: SandboxParts) {
  return (context: SandboxContext): Response => {
    const order = findOrder(store, context.get('caller'), context.req.param('orderId') ?? '');
    return answer(context, behaviour.status.read, writeJson(orderOnTheWire(order)));
  };
}
