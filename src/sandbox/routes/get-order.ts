import type { SandboxContext, SandboxParts } from '../parts.ts';
import { findOrder } from '../rules/find-order.ts';
import { answer } from '../wire/answer.ts';
import { orderAnswer } from '../wire/order-answer.ts';

export function getOrderRoute({ store, behaviour }: SandboxParts) {
  return (context: SandboxContext): Response => {
    const order = findOrder(store, context.get('caller'), context.req.param('orderId') ?? '');
    return answer(context, orderAnswer(behaviour, 200, order));
  };
}
