import { writeJson } from '../../orders/json.ts';
import type { SandboxContext, SandboxParts } from '../parts.ts';
import { parseListQuery } from '../rules/list-query.ts';
import { answer } from '../wire/answer.ts';
import { orderOnTheWire } from '../wire/order.ts';

export function listOrdersRoute({ store, behaviour }: SandboxParts) {
  return (context: SandboxContext): Response => {
    const { filters, page, pageSize } = parseListQuery(context.req.query(), behaviour);
    const offset = (page - behaviour.paging.firstPage) * pageSize;
    const { orders, total } = store.listOrders(context.get('caller').merchantId, filters, offset, pageSize);
    const envelope = behaviour.listEnvelope({ orders: orders.map(orderOnTheWire), page, pageSize, total });
    return answer(context, behaviour.status.listed, writeJson(envelope));
  };
}
