import { bodyToSend, emptyResponse, errorResponse, type WireResponse } from '../behaviour/responses.ts';
import { identifyingHeaders } from '../http/context.ts';
import { originOf } from '../http/send-response.ts';
import { cutText } from '../record/journal.ts';
import { findStoredResponse, storeResponse } from '../rules/create-once.ts';
import { orderResponse } from '../rules/order-response.ts';
import type { StoredOrder } from '../store/orders.ts';
import type { ActionHandlers, ActionOf, FaultContext } from './fault-context.ts';
import { writeRetryAfter } from './retry-after.ts';

export const substituteResponses: Pick<ActionHandlers, 'status' | 'redirect' | 'other_order'> = {
  status: async (fault, action) => {
    const { service, context } = fault;
    const headers = { ...action.headers, ...retryAfterOf(fault, action) };
    const substitute = bodyOf(fault, action);
    fault.setStatus(action.status);
    await service.requestLog.write(context.get('logged'), () => storeFailure(fault, substitute));
    return respond(fault, substitute, headers);
  },
  redirect: async (fault, { status, to }) => {
    const { pathname, search } = new URL(fault.context.req.url);
    const origin = to ?? (await fault.service.secondOrigin());
    fault.setStatus(status);
    return respond(fault, emptyResponse(status), { Location: new URL(pathname + search, origin).href });
  },
  other_order: async (fault) => {
    const { service, context, whole } = fault;
    const { orderId, subject } = context.get('logged');
    const { orders } = service.store.listOrders(
      context.get('caller').merchantId,
      {},
      { offset: 0, limit: 2 },
    );
    const isOther = ({ id, externalOrderId }: StoredOrder) =>
      id !== orderId && id !== subject && externalOrderId !== subject;
    const other = orders.find(isOther) ?? inventedOrder(service.randomUuid());
    fault.setStatus(whole.status);
    return respond(fault, orderResponse(service.behaviour, whole.status, other));
  },
};

function respond(
  { context }: FaultContext,
  substitute: WireResponse,
  headers: Record<string, string> = {},
): Response {
  const { status, contentType } = substitute;
  const body = bodyToSend(substitute);
  context.get('logged').responseBody ??= cutText(body ?? '');
  const type = body === null || contentType === undefined ? {} : { 'Content-Type': contentType };
  return new Response(body, {
    status,
    headers: { ...identifyingHeaders(context), ...type, ...headers },
  });
}

function retryAfterOf(
  { service, context }: FaultContext,
  { retryAfter }: ActionOf<'status'>,
): Record<string, string> {
  if (retryAfter === undefined) return {};
  const { headers, notBefore } = writeRetryAfter[retryAfter.form](
    retryAfter.seconds,
    service.clock.machine(),
  );
  context.get('logged').notBefore = notBefore;
  return headers;
}

function bodyOf(
  { service, context }: FaultContext,
  { status, body, code }: ActionOf<'status'>,
): WireResponse {
  const message = 'This response is a requested fault';
  if (body === 'error') {
    const origin = originOf(context, service.clock.now());
    return errorResponse(service.behaviour, { status, code, message }, origin);
  }
  if (body === 'text') return { status, text: message, contentType: 'text/plain' };
  const page = `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${message}</h1></body></html>`;
  return {
    status,
    text: body === 'html' ? page : '',
    contentType: body === 'html' ? 'text/html' : undefined,
  };
}

/** If the behaviour stores failures, and no response is stored under the key. */
function storeFailure({ service, context, isProcessed }: FaultContext, failure: WireResponse): void {
  const { route, idempotencyKey } = context.get('logged');
  if (isProcessed || route !== 'create' || failure.status < 500) return;
  const { comparedHash: bodyHash } = context.get('body');
  const request = { caller: context.get('caller'), idempotencyKey, bodyHash };
  if (!findStoredResponse(service, request)) storeResponse(service, request, failure);
}

function inventedOrder(id: string): StoredOrder {
  return {
    id,
    merchantId: 0,
    clientId: 0,
    customerId: 0,
    orderNumber: 'ORD-2026-999999',
    externalOrderId: 'of-somebody-else',
    status: 'CONFIRMED',
    body: '{}',
    createdAt: 0,
    cancelReason: null,
    cancelledAt: null,
    deliveryId: null,
    deliveryStatus: null,
    deliveredAt: null,
  };
}
