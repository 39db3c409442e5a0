import { writeJson } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import type { SandboxContext, SandboxParts } from '../parts.ts';
import { parseBody, readBody } from '../read-body.ts';
import { Refusal } from '../refusal.ts';
import { cancelOrder } from '../rules/cancel-order.ts';
import { answer } from '../wire/answer.ts';
import { orderOnTheWire } from '../wire/order.ts';

const jsonType = /^application\/json\s*(;|$)/i;

export function cancelOrderRoute(parts: SandboxParts) {
  return async (context: SandboxContext): Promise<Response> => {
    if (!jsonType.test(context.req.header('Content-Type') ?? '')) {
      throw new Refusal('contentTypeRefused', 'The Content-Type of a cancellation is application/json');
    }
    const body = parseBody(await readBody(context, parts.behaviour.largestBody));
    const reason = textField(body, 'reason');
    if (!reason?.trim())
      throw new Refusal('reasonMissing', 'reason: a cancellation needs its reason, as text');
    const id = context.req.param('orderId') ?? '';
    const order = cancelOrder(parts, context.get('caller'), id, reason);
    return answer(context, parts.behaviour.status.cancelled, writeJson(orderOnTheWire(order)));
  };
}
