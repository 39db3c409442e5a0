import type { Hono } from 'hono';
import { parseJson, writeJson } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import { ApiError, fieldError } from '../behaviour/api-error.ts';
import { type ListResponse, listEnvelopes } from '../behaviour/envelopes.ts';
import { jsonResponse } from '../behaviour/responses.ts';
import { replayHeader } from '../behaviour/schema.ts';
import { checkKey, createOnce } from '../rules/create-once.ts';
import { parseListQuery } from '../rules/list-query.ts';
import { orderResponse, toOrderJson } from '../rules/order-response.ts';
import { advanceOrders, cancelOrder, findOrder } from '../rules/order-status.ts';
import type { Service } from '../rules/service.ts';
import { requireScope } from './authenticate.ts';
import type { SandboxContext, SandboxEnv, SandboxMiddleware } from './context.ts';
import { contentOf } from './request-body.ts';
import { sendResponse } from './send-response.ts';

const collection = '/api/v1/merchant/orders';

/** Interface section 4. Other methods of these paths get 405. */
export function addOperations(app: Hono<SandboxEnv>, service: Service): void {
  app.use(`${collection}/*`, advance(service));
  app.post(collection, requireScope(service, 'create'), createOrderRoute(service));
  app.get(collection, requireScope(service, 'list'), listOrdersRoute(service));
  app.get(`${collection}/:orderId`, requireScope(service, 'read'), getOrderRoute(service));
  app.post(`${collection}/:orderId/cancel`, requireScope(service, 'cancel'), cancelOrderRoute(service));
  app.all(collection, refuseMethod('GET, HEAD, POST'));
  app.all(`${collection}/:orderId`, refuseMethod('GET, HEAD'));
  app.all(`${collection}/:orderId/cancel`, refuseMethod('POST'));
}

function advance(service: Service): SandboxMiddleware {
  return async (context, next) => {
    if (service.behaviour.orders.advanceAfterSeconds !== null) {
      service.store.inTransaction(() => advanceOrders(service, context.get('caller')));
    }
    await next();
  };
}

function refuseMethod(allowed: string) {
  return (context: SandboxContext): Response => {
    context.header('Allow', allowed);
    throw new ApiError('methodRefused', `The methods of this path are ${allowed}`);
  };
}

function createOrderRoute(service: Service) {
  return async (context: SandboxContext): Promise<Response> => {
    const { keys } = service.behaviour;
    const idempotencyKey = checkKey(context.req.header('Idempotency-Key'), keys);
    const body = context.get('body');
    const { response, isReplay } = await createOnce(service, {
      caller: context.get('caller'),
      logged: context.get('logged'),
      idempotencyKey,
      bodyHash: body.comparedHash,
      order: contentOf(body),
      requestId: context.get('requestId'),
    });
    if (isReplay) context.header(replayHeader, 'true');
    return sendResponse(context, response);
  };
}

function cancelOrderRoute(service: Service) {
  return async (context: SandboxContext): Promise<Response> => {
    const body = contentOf(context.get('body'));
    const reason = textField(body, 'reason');
    if (!reason?.trim()) {
      throw fieldError('reasonMissing', 'reason', 'a cancellation needs a reason, as text');
    }
    const id = context.req.param('orderId') ?? '';
    const { cancelStatus } = service.behaviour.answers;
    const logged = context.get('logged');
    const order = await service.requestLog.write(logged, () => {
      logged.status = cancelStatus;
      return cancelOrder(service, context.get('caller'), id, reason);
    });
    return sendResponse(context, orderResponse(service.behaviour, cancelStatus, order));
  };
}

function getOrderRoute(service: Service) {
  return (context: SandboxContext): Response => {
    const order = findOrder(service, context.get('caller'), context.req.param('orderId') ?? '');
    return sendResponse(context, orderResponse(service.behaviour, 200, order));
  };
}

function listOrdersRoute(service: Service) {
  return (context: SandboxContext): Response => {
    const { store, behaviour } = service;
    const { paging, answers } = behaviour;
    const { filters, page, pageSize } = parseListQuery(context.req.query(), behaviour);
    const { merchantId } = context.get('caller');
    const offset = (page - paging.firstPage) * pageSize;
    const { orders, total } = store.listOrders(merchantId, filters, {
      offset,
      limit: pageSize,
    });
    const { body, headers = {} }: ListResponse = listEnvelopes[answers.list]({
      orders: orders.map((order) => toOrderJson(order, parseJson(order.body), behaviour)),
      page,
      pageSize,
      total,
      lastPage: paging.firstPage + Math.max(0, Math.ceil(total / pageSize) - 1),
      urlOf: (number) => urlOfPage(context.req.url, number),
    });
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    return sendResponse(context, jsonResponse(200, writeJson(body)));
  };
}

function urlOfPage(url: string, page: number): string {
  const pageUrl = new URL(url);
  pageUrl.searchParams.set('page', String(page));
  return pageUrl.href;
}
