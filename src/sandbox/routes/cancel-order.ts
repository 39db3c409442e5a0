import { textField } from '../../orders/order.ts';
import type { SandboxContext, SandboxParts } from '../parts.ts';
import { Refusal, refuseField } from '../refusal.ts';
import { cancelOrder } from '../rules/cancel-order.ts';
import { contentOf } from '../take-body.ts';
import { answer, emptyAnswer } from '../wire/answer.ts';
import { orderAnswer } from '../wire/order-answer.ts';

const jsonType = /^application\/json\s*(;|$)/i;

export function cancelOrderRoute(parts: SandboxParts) {
  return async (context: SandboxContext): Promise<Response> => {
    if (!jsonType.test(context.req.header('Content-Type') ?? '')) {
      throw new Refusal('contentTypeRefused', 'The Content-Type of a cancellation is application/json');
    }
    const body = contentOf(context.get('body'));
    const reason = textField(body, 'reason');
    if (!reason?.trim()) {
      throw refuseField('reasonMissing', 'reason', 'a cancellation needs its reason, as text');
    }
    const id = context.req.param('orderId') ?? '';
    const { cancelStatus, cancelBody } = parts.behaviour.answers;
    const visit = context.get('visit');
    const order = await parts.record.write(visit, () => {
      visit.status = cancelStatus;
      return cancelOrder(parts, context.get('caller'), id, reason);
    });
    const isEmpty = cancelStatus === 204 || cancelBody === 'nothing';
    return answer(
      context,
      isEmpty ? emptyAnswer(cancelStatus) : orderAnswer(parts.behaviour, cancelStatus, order),
    );
  };
}
