import { setMaxListeners } from 'node:events';
import type { Text } from '../advice/advice.ts';
import { clockAhead } from '../orders/shown-values.ts';
import { basePath } from './http/address.ts';
import type { Operation, ServiceResponse } from './http/attempt-result.ts';
import type { HttpRequest, Transport } from './http/transport.ts';
import { createAdmission } from './pacing/admission.ts';
import {
  type AttemptPolicy,
  attempt,
  type CallOptions,
  type CallResult,
  type Send,
  type TimeLeft,
} from './pacing/attempts.ts';
import { toStopError } from './pacing/stop.ts';
import { isLocalFailure, toCliError, unreadableResponse, wordsOf } from './to-cli-error.ts';

export interface ApiClient {
  readonly origin: string;
  /** From the last response with a `Date`; see `clockAhead` of orders. */
  clockAhead(): number | undefined;
  /** Each call has the time of `--timeout`, unless the client is for one order. */
  call(operation: Operation, request: HttpRequest, options: CallOptions): Promise<CallResult>;
  /** The same client with one `--timeout` for all its calls; itself if it has one already. */
  forOneOrder(time?: TimeLeft): ApiClient;
  /** The same client, which may use half of the time that is left. */
  forHalfTheTime(): ApiClient;
  /** The same client for background reads: limited to `time`, and silent. */
  inBackground(time: TimeLeft): ApiClient;
  close(): Promise<void>;
}

function halfOf(time: TimeLeft): TimeLeft {
  const kept = time.milliseconds / 2;
  return {
    get milliseconds() {
      return time.milliseconds - kept;
    },
    set milliseconds(left) {
      time.milliseconds = left + kept;
    },
  };
}

export function createClient(transport: Transport, policy: AttemptPolicy, origin: string): ApiClient {
  // Every attempt in flight adds a listener.
  setMaxListeners(0, policy.stopping, policy.leaving);
  const admission = createAdmission(policy);
  let ahead: number | undefined;
  const newTime = (): TimeLeft => ({ milliseconds: policy.timeoutMilliseconds });
  const { watch: _, ...quietPolicy } = policy;
  const withTime = (sharedTime: TimeLeft | undefined, policy: AttemptPolicy): ApiClient => ({
    origin,
    clockAhead: () => ahead,
    forHalfTheTime: () => withTime(halfOf(sharedTime ?? newTime()), policy),
    forOneOrder: (time) => withTime(time ?? sharedTime ?? newTime(), policy),
    inBackground: (time) => withTime(time, quietPolicy),
    call: (operation, request, options) => {
      const send: Send = async (deadlineMilliseconds, abort, onSending) => {
        const started = policy.clock.now();
        policy.watch?.request();
        const attemptResult = await transport.send(request, deadlineMilliseconds, abort, onSending);
        if (attemptResult.kind === 'response')
          ahead = clockAhead(attemptResult.headers.date, policy.clock.now()) ?? ahead;
        const result = attemptResult.kind === 'response' ? attemptResult.status : attemptResult.reason;
        policy.trace(
          `${request.method} ${basePath}${request.path}${formatQuery(request)} → ${result} (${policy.clock.now() - started} ms)`,
        );
        return attemptResult;
      };
      const work = () => attempt(operation, send, options, policy, admission, sharedTime ?? newTime());
      const isWrite = operation === 'create' || operation === 'cancel';
      return policy.watch === undefined ? work() : policy.watch.during(work, isWrite ? 'write' : 'read');
    },
    close: () => transport.close(),
  });
  return withTime(undefined, policy);
}

/** `name`: the expected content, for the error. Errors: those of `toCliError` and `toStopError`, `unreadable_answer`. */
export async function readFrom<Found>(
  client: ApiClient,
  operation: 'get' | 'list',
  request: HttpRequest,
  { name, read }: { name: Text; read(response: ServiceResponse): Found | undefined },
): Promise<Found> {
  let found: Found | undefined;
  const accepts = (response: ServiceResponse) => {
    found = read(response);
    return found !== undefined;
  };
  const result = await client.call(operation, request, { accepts, resendsUnknown: true });
  const { outcome, attemptResult, stop } = result;
  if (stop !== undefined && !isLocalFailure(attemptResult))
    throw toStopError(stop, {}, wordsOf(attemptResult));
  if (attemptResult.kind === 'response' && attemptResult.status >= 200 && attemptResult.status < 300) {
    if (outcome !== 'succeeded' || found === undefined) throw unreadableResponse(name, attemptResult);
    return found;
  }
  // How some services say that nothing matches a filter.
  if (operation === 'list' && attemptResult.kind === 'response' && attemptResult.status === 404) {
    const none = read(attemptResult);
    if (none !== undefined) return none;
  }
  throw toCliError(operation, result);
}

function formatQuery({ query }: HttpRequest): string {
  return query === undefined || Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`;
}
