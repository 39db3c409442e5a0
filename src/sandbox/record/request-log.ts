import { setMaxListeners } from 'node:events';
import type { LoggedRequest, Route } from '../store/requests.ts';
import { keyPrefix } from '../store/seed.ts';
import type { Store } from '../store/store.ts';
import { createJournal } from './journal.ts';

/** The sandbox was reset or stopped while the request was under way: its connection is closed, and nothing is committed. */
export class RequestEnded extends Error {}

/** Known only after the body has been read. */
type RequestDetails = Pick<
  LoggedRequest,
  'subject' | 'idempotencyKey' | 'bodyHash' | 'customerPhone' | 'requestBody'
>;

/** Writes each request to the store before its response is sent. Those without a valid key or Host are only counted. */
export function createRequestLog(
  store: Pick<Store, 'inGroup' | 'requests' | 'accounts'>,
  now: () => number,
  adminToken = '',
) {
  const watch = createThrottleWatch();
  const journal = createJournal(() => [...store.accounts.owners().map(({ key }) => key), adminToken]);
  let requests = 0;
  const underWay = new Set<LoggedRequest>();
  let beforeReset = newReset();

  const keyOf = ({ route, subject }: LoggedRequest) => `${route}\n${subject}`;

  function leave(logged: LoggedRequest): void {
    underWay.delete(logged);
  }

  async function write<T>(logged: LoggedRequest, work: () => T): Promise<T> {
    const isNew = logged.sequence === undefined;
    const [value, sequence] = await store.inGroup(() => {
      checkIsOpen(logged);
      return [work(), store.requests.put(logged, now())] as const;
    });
    logged.sequence = sequence;
    if (isNew) journal.add(logged);
    return value;
  }

  return {
    journal,
    /** Requests to `/api/...` since the start. */
    requestCount: (): number => requests,
    begin(
      route: Route,
      authorization: string | undefined,
      http?: Pick<LoggedRequest, 'method' | 'path' | 'requestId' | 'headers'>,
    ): LoggedRequest {
      requests += 1;
      const logged: LoggedRequest = {
        ...http,
        arrivedAt: now(),
        route,
        subject: '',
        authorization: kindOf(authorization),
        caller: authorization ?? '',
        underWay: underWay.size + 1,
        earlyBy: 0,
        reset: beforeReset.signal,
      };
      underWay.add(logged);
      return logged;
    },
    describe(logged: LoggedRequest, details: RequestDetails): void {
      Object.assign(logged, details);
      logged.earlyBy = watch.earlyBy(logged.caller, keyOf(logged), logged.arrivedAt);
    },
    write,
    /** Forgets all requests; those under way are not logged any more. */
    reset(): void {
      journal.clear();
      watch.clear();
      beforeReset.abort();
      beforeReset = newReset();
    },
    async complete(logged: LoggedRequest): Promise<void> {
      if (logged.sequence !== undefined) return;
      if (logged.clientId === undefined)
        await store.inGroup(() => {
          checkIsOpen(logged);
          store.requests.count(logged.route, logged.authorization);
        });
      else await write(logged, () => undefined);
    },
    /** After the client has received the response or disconnected. */
    leave(logged: LoggedRequest): void {
      leave(logged);
      logged.endedAt ??= now();
    },
    end(logged: LoggedRequest): void {
      leave(logged);
      if (logged.notBefore === undefined || logged.reset.aborted) return;
      watch.add(logged.caller, keyOf(logged), logged.notBefore);
    },
  };
}

function newReset(): AbortController {
  const reset = new AbortController();
  setMaxListeners(0, reset.signal);
  return reset;
}

/** @throws RequestEnded */
function checkIsOpen({ reset }: LoggedRequest): void {
  if (reset.aborted) throw new RequestEnded();
}

function kindOf(authorization: string | undefined): LoggedRequest['authorization'] {
  if (authorization === undefined) return 'none';
  return authorization.replace(/^Bearer +/i, '').startsWith(keyPrefix) ? 'unknown' : 'foreign';
}

const maxWaits = 10_000;

/**
 * Detects a request that is repeated before its Retry-After has passed: same caller, operation and subject. Others may be
 * sent meanwhile; the interface does not say that they have to wait too. Times in epoch milliseconds.
 */
function createThrottleWatch() {
  const waits = new Map<string, number>();
  const nameOf = (caller: string, subject: string) => `${caller}\n${subject}`;
  return {
    clear: (): void => waits.clear(),
    add(caller: string, subject: string, notBefore: number): void {
      const [oldest] = waits.size >= maxWaits ? waits.keys() : [];
      if (oldest !== undefined) waits.delete(oldest);
      waits.set(nameOf(caller, subject), notBefore);
    },
    /** Milliseconds before the end of the wait; 0 if it has passed. */
    earlyBy(caller: string, subject: string, arrivedAt: number): number {
      if (waits.size === 0) return 0;
      const name = nameOf(caller, subject);
      const earlyBy = Math.max(0, (waits.get(name) ?? 0) - arrivedAt);
      if (earlyBy === 0) waits.delete(name);
      return earlyBy;
    },
  };
}
