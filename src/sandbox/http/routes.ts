import { parseJson, writeJson } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import { listEnvelopes } from '../behaviour/list-envelopes.ts';
import { Refusal, refuseField } from '../behaviour/refusal.ts';
import type { SandboxContext, SandboxParts } from '../parts.ts';
import { cancelOrder, findOrder } from '../rules/cancel-order.ts';
import { checkKey, createOnce } from '../rules/create-once.ts';
import { parseListQuery } from '../rules/list-query.ts';
import { originOf } from './error-response.ts';
import { orderAnswer, orderOnTheWire } from './order-response.ts';
import { contentOf } from './request-body.ts';
import { answer, emptyAnswer, jsonAnswer } from './response.ts';

export function createOrderRoute(parts: SandboxParts) {
  return async (context: SandboxContext): Promise<Response> => {
    const { keys } = parts.behaviour;
    const idempotencyKey = checkKey(context.req.header('Idempotency-Key'), keys);
    const body = context.get('body');
    const { answer: created, isReplay } = await createOnce(parts, {
      caller: context.get('caller'),
      visit: context.get('visit'),
      idempotencyKey,
      bodyHash: body.hash ?? '',
      order: contentOf(body),
      origin: originOf(context, parts.clock.now()),
    });
    if (isReplay && keys.replayHeader !== null) context.header(keys.replayHeader, 'true');
    return answer(context, created);
  };
}

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

export function getOrderRoute({ store, behaviour }: SandboxParts) {
  return (context: SandboxContext): Response => {
    const order = findOrder(store, context.get('caller'), context.req.param('orderId') ?? '');
    return answer(context, orderAnswer(behaviour, 200, order));
  };
}

export function listOrdersRoute({ store, behaviour }: SandboxParts) {
  const { paging, answers } = behaviour;
  return (context: SandboxContext): Response => {
    const { filters, page, pageSize } = parseListQuery(context.req.query(), behaviour);
    const { merchantId } = context.get('caller');
    const offset = (page - paging.firstPage) * pageSize;
    const { orders, total } = store.listOrders(merchantId, filters, offset, pageSize, paging.order);
    const { body, headers = {} } = listEnvelopes[answers.list]({
      orders: orders.map((order) => orderOnTheWire(order, parseJson(order.body), answers)),
      ...{ page, pageSize, total, firstPage: paging.firstPage },
      urlOf: (other) => urlOfPage(context.req.url, other),
    });
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    return answer(context, jsonAnswer(200, writeJson(body)));
  };
}

function urlOfPage(url: string, page: number): string {
  const other = new URL(url);
  other.searchParams.set('page', String(page));
  return other.href;
}
