import type { Hono } from 'hono';
import { writeJson } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import { fieldError } from '../behaviour/api-error.ts';
import { type ListResponse, listEnvelopes } from '../behaviour/envelopes.ts';
import { type Operation, operationNames, operations } from '../behaviour/operations.ts';
import { jsonResponse } from '../behaviour/responses.ts';
import { replayHeader } from '../behaviour/schema.ts';
import { checkKey, createOnce } from '../rules/create-once.ts';
import { parseListQuery } from '../rules/list-query.ts';
import { bodyOf, orderResponse, toOrderJson } from '../rules/order-response.ts';
import { advanceOrders, cancelOrder, findOrder } from '../rules/order-status.ts';
import type { Service } from '../rules/service.ts';
import { addRoutes } from './add-routes.ts';
import { requireScope } from './authenticate.ts';
import type { SandboxContext, SandboxEnv, SandboxMiddleware } from './context.ts';
import { contentOf } from './request-body.ts';
import { sendResponse } from './send-response.ts';

/** Interface section 4. */
export function addOperations(app: Hono<SandboxEnv>, service: Service): void {
  const handlers: Record<Operation, (context: SandboxContext) => Response | Promise<Response>> = {
    list: (context) => listOrders(service, context),
    create: (context) => sendCreated(service, context),
    get: (context) => sendOrder(service, context),
    cancel: (context) => sendCancelled(service, context),
  };
  app.use(`${operations.list.path}/*`, advance(service));
  addRoutes(
    app,
    operationNames.map((operation) => ({
      ...operations[operation],
      async handle(context) {
        requireScope(service, operation, context);
        return handlers[operation](context);
      },
    })),
  );
}

function advance(service: Service): SandboxMiddleware {
  return async (context, next) => {
    if (service.behaviour.orders.advanceAfterSeconds !== null) {
      service.store.inTransaction(() => advanceOrders(service, context.get('caller')));
    }
    await next();
  };
}

async function sendCreated(service: Service, context: SandboxContext): Promise<Response> {
  const idempotencyKey = checkKey(context.req.header('Idempotency-Key'), service.behaviour.keys);
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
}

async function sendCancelled(service: Service, context: SandboxContext): Promise<Response> {
  const reason = textField(contentOf(context.get('body')), 'reason');
  if (!reason?.trim()) {
    throw fieldError('reasonMissing', 'reason', 'a cancellation needs a reason, as text');
  }
  const { cancelStatus } = service.behaviour.responses;
  const logged = context.get('logged');
  const order = await service.requestLog.write(logged, () => {
    logged.status = cancelStatus;
    return cancelOrder(service, context.get('caller'), orderIdOf(context), reason);
  });
  return sendResponse(context, orderResponse(service.behaviour, cancelStatus, order));
}

function sendOrder(service: Service, context: SandboxContext): Response {
  const order = findOrder(service, context.get('caller'), orderIdOf(context));
  return sendResponse(context, orderResponse(service.behaviour, 200, order));
}

function orderIdOf(context: SandboxContext): string {
  return context.req.param('orderId') ?? '';
}

function listOrders({ store, behaviour }: Service, context: SandboxContext): Response {
  const { paging, responses } = behaviour;
  const { filters, page, pageSize } = parseListQuery(context.req.query(), behaviour);
  const { merchantId } = context.get('caller');
  const offset = (page - paging.firstPage) * pageSize;
  const { orders, total } = store.listOrders(merchantId, filters, { offset, limit: pageSize });
  const { body, headers = {} }: ListResponse = listEnvelopes[responses.list]({
    orders: orders.map((order) => toOrderJson(order, bodyOf(order), behaviour)),
    page,
    pageSize,
    total,
    lastPage: paging.firstPage + Math.max(0, Math.ceil(total / pageSize) - 1),
    urlOf: (number) => urlOfPage(context.req.url, number),
  });
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  return sendResponse(context, jsonResponse(200, writeJson(body)));
}

function urlOfPage(url: string, page: number): string {
  const pageUrl = new URL(url);
  pageUrl.searchParams.set('page', String(page));
  return pageUrl.href;
}
