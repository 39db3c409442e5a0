import { originOf } from '../origin.ts';
import type { SandboxContext, SandboxParts } from '../parts.ts';
import { checkKey } from '../rules/check-key.ts';
import { createOnce } from '../rules/create-once.ts';
import { contentOf } from '../take-body.ts';
import { answer } from '../wire/answer.ts';

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
