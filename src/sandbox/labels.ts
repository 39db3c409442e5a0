import type { SandboxContext, SandboxParts } from './parts.ts';
import { identityHeader } from './probe.ts';

/** The headers that every answer has: an id of its own, and the sandbox that it comes from. */
export function labelsOf({ store }: SandboxParts, context: SandboxContext): Record<string, string> {
  return {
    'X-Request-Id': context.get('requestId'),
    [identityHeader]: store.identity.read(),
  };
}
