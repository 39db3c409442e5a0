import { setMaxListeners } from 'node:events';
import { basePath } from './http/address.ts';
import type { Operation, ServiceResponse } from './http/attempt-result.ts';
import type { HttpRequest, Transport } from './http/transport.ts';
import { createAdmission } from './pacing/admission.ts';
import { type AttemptPolicy, attempt, type CallOptions, type CallResult } from './pacing/attempts.ts';
import { toStopError } from './pacing/stop.ts';
import { toCliError, unreadableResponse } from './to-cli-error.ts';

/** The service as its four operations see it: calls that end in an outcome. */
export interface ApiClient {
  /** Of the service; links that lead elsewhere are not followed. */
  readonly origin: string;
  call(operation: Operation, request: HttpRequest, judge: CallOptions): Promise<CallResult>;
  close(): Promise<void>;
}

export function createClient(transport: Transport, policy: AttemptPolicy, origin: string): ApiClient {
  // Every attempt that is under way listens to one of them.
  setMaxListeners(0, policy.stopping, policy.leaving);
  const gate = createAdmission(policy);
  return {
    origin,
    call: (operation, request, judge) => {
      const send = async (deadlineMilliseconds: number, abort: AbortSignal) => {
        const started = policy.clock.now();
        const attemptResult = await transport.send(request, deadlineMilliseconds, abort);
        const seen = attemptResult.kind === 'response' ? `${attemptResult.status}` : attemptResult.reason;
        policy.trace(
          `${request.method} ${basePath}${request.path}${formatQuery(request)} → ${seen} (${policy.clock.now() - started} ms)`,
        );
        return attemptResult;
      };
      return attempt(operation, send, judge, policy, gate);
    },
    close: () => transport.close(),
  };
}

/** A read that must bring what `read` finds in the answer. Errors: those of `toCliError` and `toStopError`, `unreadable_answer`. */
export async function readFrom<Found>(
  client: ApiClient,
  operation: 'get' | 'list',
  request: HttpRequest,
  what: string,
  read: (answer: ServiceResponse) => Found | undefined,
): Promise<Found> {
  const accepts = (answer: ServiceResponse) => read(answer) !== undefined;
  const ending = await client.call(operation, request, { accepts, resendsUnknown: true });
  const { outcome, attemptResult, stop } = ending;
  if (stop !== undefined) throw toStopError(stop);
  if (attemptResult.kind === 'response' && attemptResult.status >= 200 && attemptResult.status < 300) {
    const found = read(attemptResult);
    if (outcome !== 'succeeded' || found === undefined) throw unreadableResponse(what, attemptResult);
    return found;
  }
  throw toCliError(operation, ending);
}

function formatQuery({ query }: HttpRequest): string {
  return query === undefined || Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`;
}
