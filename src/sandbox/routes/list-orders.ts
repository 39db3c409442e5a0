import { parseJson, writeJson } from '../../orders/json.ts';
import { listEnvelopes } from '../behaviour/list-envelopes.ts';
import type { SandboxContext, SandboxParts } from '../parts.ts';
import { parseListQuery } from '../rules/list-query.ts';
import { answer, jsonAnswer } from '../wire/answer.ts';
import { orderOnTheWire } from '../wire/order.ts';

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
