import { originOf } from '../../origin.ts';
import { keep } from '../../rules/create-once.ts';
import { answer, type WireAnswer } from '../../wire/answer.ts';
import { writtenError } from '../../wire/error-answer.ts';
import { orderAnswer } from '../../wire/order-answer.ts';
import type { ActionOf, Acts } from '../act.ts';
import { writeRetryAfter } from '../retry-after-forms.ts';
import type { Scene } from '../scene.ts';

/** A whole answer, and not the one that belongs to the request. */
export const madeAnswers: Pick<Acts, 'status' | 'redirect' | 'other_order'> = {
  status: async (scene, action) => {
    const { context, isProcessed } = scene;
    const visit = context.get('visit');
    if (!isProcessed) visit.status = action.status;
    const headers = { ...action.headers, ...retryAfterOf(scene, action) };
    const made = bodyOf(scene, action);
    if (!isProcessed) await keepFailure(scene, made);
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    return answer(context, made);
  },
  redirect: async ({ parts, context, isProcessed }, { status, to }) => {
    if (!isProcessed) context.get('visit').status = status;
    const origin = to ?? (await parts.secondOrigin());
    return new Response(null, { status, headers: { Location: new URL(context.req.path, origin).href } });
  },
  other_order: async ({ parts, context, whole }) => {
    const { merchantId } = context.get('caller');
    const { orderId } = context.get('visit');
    const { orders } = parts.store.listOrders(merchantId, {}, 0, 2);
    const other = orders.find(({ id }) => id !== orderId) ?? inventedOrder(parts.randomUuid());
    return answer(context, orderAnswer(parts.behaviour, whole.status, other));
  },
};

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

/** A service that keeps failures under their key keeps this one too. */
async function keepFailure({ parts, context }: Scene, made: WireAnswer): Promise<void> {
  const idempotencyKey = context.req.header('Idempotency-Key');
  const visit = context.get('visit');
  if (visit.route !== 'create' || made.status < 500) return;
  const request = { caller: context.get('caller'), idempotencyKey, bodyHash: visit.bodyHash ?? '' };
  await parts.record.write(visit, () => keep(parts, request, made));
}

/** For a service that has no other order yet. */
function inventedOrder(id: string) {
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
