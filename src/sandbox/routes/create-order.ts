import { createHash } from 'node:crypto';
import type { SandboxContext, SandboxParts } from '../parts.ts';
import { parseBody, readBody } from '../read-body.ts';
import { Refusal } from '../refusal.ts';
import { createOrder } from '../rules/create-order.ts';
import { answer } from '../wire/answer.ts';

export function createOrderRoute(parts: SandboxParts) {
  return async (context: SandboxContext): Promise<Response> => {
    const idempotencyKey = context.req.header('Idempotency-Key');
    if (!idempotencyKey) throw new Refusal('idempotencyKeyMissing', 'The header Idempotency-Key is missing');
    const bytes = await readBody(context, parts.behaviour.largestBody);
    const created = createOrder(parts, {
      caller: context.get('caller'),
      idempotencyKey,
      bodyHash: createHash('sha256').update(bytes).digest('hex'),
      order: parseBody(bytes),
    });
    if (created.isReplay) context.header(parts.behaviour.replayHeader, 'true');
    return answer(context, created.status, created.answer);
  };
}
