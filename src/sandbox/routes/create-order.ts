import { createHash } from 'node:crypto';
import { originOf } from '../origin.ts';
import type { SandboxContext, SandboxParts } from '../parts.ts';
import { parseBody, readBody } from '../read-body.ts';
import { checkKey } from '../rules/check-key.ts';
import { createOnce } from '../rules/create-once.ts';
import { answer } from '../wire/answer.ts';

export function createOrderRoute(parts: SandboxParts) {
  return async (context: SandboxContext): Promise<Response> => {
    const { keys } = parts.behaviour;
    const idempotencyKey = checkKey(context.req.header('Idempotency-Key'), keys);
    const bytes = await readBody(context);
    const { answer: created, isReplay } = createOnce(parts, {
      caller: context.get('caller'),
      idempotencyKey,
      bodyHash: createHash('sha256').update(bytes).digest('hex'),
      order: parseBody(bytes),
      origin: originOf(context, parts.now()),
    });
    if (isReplay && keys.replayHeader !== null) context.header(keys.replayHeader, 'true');
    return answer(context, created);
  };
}
