import type { Authorization, LoggedRequest, Route } from '../store/requests.ts';
import { keyPrefix } from '../store/seed.ts';
import type { Store } from '../store/store.ts';

export type RequestLog = ReturnType<typeof createRequestLog>;

/** What is known of a request once its body is read. */
export type RequestDetails = Pick<LoggedRequest, 'subject' | 'idempotencyKey' | 'bodyHash' | 'customerPhone'>;

/** Logs requests: counts them while they are under way, and writes each to the store before its response is sent. */
export function createRequestLog(store: Pick<Store, 'inGroup' | 'requests'>, now: () => number) {
  const watch = createThrottleWatch();
  /** The Authorization header of each request under way; it is never stored. */
  const callers = new WeakMap<LoggedRequest, string>();
  let requests = 0;
  const underWay = new Set<LoggedRequest>();

  const keyOf = ({ route, subject }: LoggedRequest) => `${route}\n${subject}`;

  function leave(logged: LoggedRequest): void {
    underWay.delete(logged);
  }

  async function write<T>(logged: LoggedRequest, work: () => T): Promise<T> {
    const [value, sequence] = await store.inGroup(() => [work(), store.requests.put(logged, now())] as const);
    logged.sequence = sequence;
    return value;
  }

  return {
    /** Requests to `/api/...` since the start. */
    requestCount: (): number => requests,
    begin(route: Route, authorization: string | undefined): LoggedRequest {
      if (route !== 'elsewhere') requests += 1;
      const logged: LoggedRequest = {
        arrivedAt: now(),
        route,
        subject: '',
        authorization: kindOf(authorization),
        underWay: underWay.size + 1,
        earlyBy: 0,
      };
      if (route !== 'elsewhere') underWay.add(logged);
      callers.set(logged, authorization ?? '');
      return logged;
    },
    describe(logged: LoggedRequest, details: RequestDetails): void {
      Object.assign(logged, details);
      logged.earlyBy = watch.earlyBy(callers.get(logged) ?? '', keyOf(logged), logged.arrivedAt);
    },
    write,
    async complete(logged: LoggedRequest): Promise<void> {
      if (logged.sequence === undefined) await write(logged, () => undefined);
    },
    /** The client has received the response, or has disconnected. */
    leave,
    end(logged: LoggedRequest): void {
      leave(logged);
      if (logged.notBefore === undefined) return;
      watch.add(callers.get(logged) ?? '', keyOf(logged), { sentAt: now(), notBefore: logged.notBefore });
    },
  };
}

function kindOf(authorization: string | undefined): Authorization {
  if (authorization === undefined) return 'none';
  return authorization.replace(/^Bearer +/i, '').startsWith(keyPrefix) ? 'unknown' : 'foreign';
}

interface ServerWait {
  sentAt: number;
  notBefore: number;
}

/** Other requests of a client may be on their way while it receives the wait. */
const graceMs = 100;

/** Detects requests that arrive before the end of the wait in an earlier response. Times in epoch milliseconds. */
export function createThrottleWatch() {
  const bySubject = new Map<string, ServerWait>();
  const byCaller = new Map<string, ServerWait>();
  return {
    add(caller: string, subject: string, wait: ServerWait): void {
      bySubject.set(`${caller}\n${subject}`, wait);
      if ((byCaller.get(caller)?.notBefore ?? 0) < wait.notBefore) byCaller.set(caller, wait);
    },
    /** Milliseconds before the end of the wait; 0 for a request in time. */
    earlyBy(caller: string, subject: string, arrivedAt: number): number {
      const name = `${caller}\n${subject}`;
      const own = bySubject.get(name);
      if (own && arrivedAt >= own.notBefore) bySubject.delete(name);
      const shared = byCaller.get(caller);
      const isAfterGrace = shared !== undefined && arrivedAt > shared.sentAt + graceMs;
      return Math.max(0, (own?.notBefore ?? 0) - arrivedAt, isAfterGrace ? shared.notBefore - arrivedAt : 0);
    },
  };
}
