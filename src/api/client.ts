import { basePath } from './address.ts';
import { type AttemptPolicy, attempt, type Ending, type Judge } from './attempts.ts';
import { createGate } from './gate.ts';
import type { Answer, Operation } from './observation.ts';
import { toCliError, unreadableAnswer } from './refusal.ts';
import { toStopError } from './stop.ts';
import type { HttpRequest, Transport } from './transport.ts';

/** The service as its four operations see it: calls that end in an outcome. */
export interface ApiClient {
  /** Of the service; links that lead elsewhere are not followed. */
  readonly origin: string;
  call(operation: Operation, request: HttpRequest, judge: Judge): Promise<Ending>;
  close(): Promise<void>;
}

export function createClient(transport: Transport, policy: AttemptPolicy, origin: string): ApiClient {
  const gate = createGate(policy);
  return {
    origin,
    call: (operation, request, judge) => {
      const send = async (deadlineMilliseconds: number, abort: AbortSignal) => {
        const started = policy.clock.now();
        const observation = await transport.send(request, deadlineMilliseconds, abort);
        const seen = observation.kind === 'answer' ? `${observation.status}` : observation.reason;
        policy.trace(
          `${request.method} ${basePath}${request.path}${formatQuery(request)} → ${seen} (${policy.clock.now() - started} ms)`,
        );
        return observation;
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
  read: (answer: Answer) => Found | undefined,
): Promise<Found> {
  const accepts = (answer: Answer) => read(answer) !== undefined;
  const ending = await client.call(operation, request, { accepts, resendsUnknown: true });
  const { outcome, observation, stop } = ending;
  if (stop !== undefined) throw toStopError(stop);
  if (observation.kind === 'answer' && observation.status >= 200 && observation.status < 300) {
    const found = read(observation);
    if (outcome !== 'answered' || found === undefined) throw unreadableAnswer(what, observation);
    return found;
  }
  throw toCliError(operation, ending);
}

function formatQuery({ query }: HttpRequest): string {
  return query === undefined || Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`;
}
