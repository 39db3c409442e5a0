import type { SandboxContext } from './parts.ts';
import type { ErrorOrigin } from './wire/error-answer.ts';

export function originOf(context: SandboxContext, time: number): ErrorOrigin {
  return { requestId: context.get('requestId'), path: context.req.path, time };
}
