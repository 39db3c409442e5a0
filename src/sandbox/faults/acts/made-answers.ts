import { originOf, writtenError } from '../../http/error-response.ts';
import { orderAnswer } from '../../http/order-response.ts';
import { bodyToSend, emptyAnswer, type WireAnswer } from '../../http/response.ts';
import { labelsOf } from '../../parts.ts';
import { keep, keptUnder } from '../../rules/create-once.ts';
import type { StoredOrder } from '../../store/orders.ts';
import type { ActionOf, Acts } from '../misbehave.ts';
import { writeRetryAfter } from '../retry-after-forms.ts';
import type { Scene } from '../scene.ts';

/** A whole answer, and not the one that belongs to the request. */
export const madeAnswers: Pick<Acts, 'status' | 'redirect' | 'other_order'> = {
  status: async (scene, action) => {
    const { parts, context } = scene;
    const headers = { ...action.headers, ...retryAfterOf(scene, action) };
    const made = bodyOf(scene, action);
    scene.told(action.status);
    await parts.record.write(context.get('visit'), () => keepFailure(scene, made));
    return respond(scene, made, headers);
  },
  redirect: async (scene, { status, to }) => {
    const { pathname, search } = new URL(scene.context.req.url);
    const origin = to ?? (await scene.parts.secondOrigin());
    scene.told(status);
    return respond(scene, emptyAnswer(status), { Location: new URL(pathname + search, origin).href });
  },
  other_order: async (scene) => {
    const { parts, context, whole } = scene;
    const { orderId, subject } = context.get('visit');
    const { orders } = parts.store.listOrders(context.get('caller').merchantId, {}, 0, 2);
    const isOther = ({ id, externalOrderId }: StoredOrder) =>
      id !== orderId && id !== subject && externalOrderId !== subject;
    const other = orders.find(isOther) ?? inventedOrder(parts.randomUuid());
    scene.told(whole.status);
    return respond(scene, orderAnswer(parts.behaviour, whole.status, other));
  },
};

/** With nothing of the answer in whose place it leaves. */
function respond(
  { parts, context }: Scene,
  made: WireAnswer,
  headers: Record<string, string> = {},
): Response {
  const { status, contentType } = made;
  const body = bodyToSend(made);
  const type = body === null || contentType === undefined ? {} : { 'Content-Type': contentType };
  return new Response(body, { status, headers: { ...labelsOf(parts, context), ...type, ...headers } });
}

function retryAfterOf({ parts, context }: Scene, { retryAfter }: ActionOf<'status'>): Record<string, string> {
  if (retryAfter === undefined) return {};
  const told = writeRetryAfter[retryAfter.form](retryAfter.seconds, parts.clock.machine());
  context.get('visit').notBefore = told.notBefore;
  return told.headers;
}

function bodyOf({ parts, context }: Scene, { status, body, code }: ActionOf<'status'>): WireAnswer {
  const message = 'This answer is a fault that was asked for';
  if (body === 'error') {
    const origin = originOf(context, parts.clock.now());
    return writtenError(parts.behaviour, { status, code, message }, origin);
  }
  if (body === 'text') return { status, text: message, contentType: 'text/plain' };
  const page = `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${message}</h1></body></html>`;
  return {
    status,
    text: body === 'html' ? page : '',
    contentType: body === 'html' ? 'text/html' : undefined,
  };
}

/** A service that keeps failures under their key keeps this one too, unless it has an answer there. */
function keepFailure({ parts, context, isProcessed }: Scene, made: WireAnswer): void {
  const { route, idempotencyKey, bodyHash = '' } = context.get('visit');
  if (isProcessed || route !== 'create' || made.status < 500) return;
  const request = { caller: context.get('caller'), idempotencyKey, bodyHash };
  if (!keptUnder(parts, request)) keep(parts, request, made);
}

/** For a service that has no other order yet. */
function inventedOrder(id: string): StoredOrder {
  return {
    id,
    orderNumber: 'ORD-2026-999999',
    externalOrderId: 'of-somebody-else',
    status: 'CONFIRMED',
    body: '{}',
    createdAt: 0,
    cancelReason: null,
    cancelledAt: null,
    deliveryId: null,
    deliveryStatus: null,
  };
}
