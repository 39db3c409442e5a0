import { keyPrefix } from '../store/seed.ts';
import type { Store } from '../store/store.ts';
import type { Authorization, Route, Visit } from './log-requests.ts';

export type Record = ReturnType<typeof createRecord>;

/** What a request is about, known once its body is read. */
export type Identified = Pick<Visit, 'subject' | 'idempotencyKey' | 'bodyHash' | 'customerPhone'>;

/** Who comes and what comes of it: counted while under way, written in the store before it is answered. */
export function createRecord(store: Pick<Store, 'inGroup' | 'requests'>, now: () => number) {
  const watch = createThrottleWatch();
  /** The header Authorization of those under way, which is written nowhere. */
  const callers = new WeakMap<Visit, string>();
  let requests = 0;
  const underWay = new Set<Visit>();

  const nameOf = ({ route, subject }: Visit) => `${route}\n${subject}`;

  function leave(visit: Visit): void {
    underWay.delete(visit);
  }

  async function write<T>(visit: Visit, work: () => T): Promise<T> {
    const [value, sequence] = await store.inGroup(() => [work(), store.requests.put(visit, now())] as const);
    visit.sequence = sequence;
    return value;
  }

  return {
    /** Requests to `/api/...` since the start. */
    requestCount: (): number => requests,
    begin(route: Route, authorization: string | undefined): Visit {
      if (route !== 'elsewhere') requests += 1;
      const visit: Visit = {
        arrivedAt: now(),
        route,
        subject: '',
        authorization: kindOf(authorization),
        underWay: underWay.size + 1,
        earlyBy: 0,
      };
      if (route !== 'elsewhere') underWay.add(visit);
      callers.set(visit, authorization ?? '');
      return visit;
    },
    /** Takes down what a request is about. */
    identify(visit: Visit, identified: Identified): void {
      Object.assign(visit, identified);
      visit.earlyBy = watch.earlyBy(callers.get(visit) ?? '', nameOf(visit), visit.arrivedAt);
    },
    write,
    /** Writes it unless it is written; its answer may leave then. */
    async complete(visit: Visit): Promise<void> {
      if (visit.sequence === undefined) await write(visit, () => undefined);
    },
    /** Its client has its answer, or has gone. */
    leave,
    end(visit: Visit): void {
      leave(visit);
      if (visit.notBefore === undefined) return;
      watch.tell(callers.get(visit) ?? '', nameOf(visit), { at: now(), notBefore: visit.notBefore });
    },
  };
}

function kindOf(authorization: string | undefined): Authorization {
  if (authorization === undefined) return 'none';
  return authorization.replace(/^Bearer +/i, '').startsWith(keyPrefix) ? 'unknown' : 'foreign';
}

interface Told {
  at: number;
  notBefore: number;
}

/** What a client may have on its way, unread, when it is told to wait. */
const graceMs = 100;

/**
 * Notices who comes before the time that they were told to wait until. Whoever asks for the same thing again has
 * read the answer; other requests of the same caller may have been under way just then. Times in epoch milliseconds.
 */
export function createThrottleWatch() {
  const bySubject = new Map<string, Told>();
  const byCaller = new Map<string, Told>();
  return {
    tell(caller: string, subject: string, told: Told): void {
      bySubject.set(`${caller}\n${subject}`, told);
      if ((byCaller.get(caller)?.notBefore ?? 0) < told.notBefore) byCaller.set(caller, told);
    },
    /** How many milliseconds too early; 0 for in time. */
    earlyBy(caller: string, subject: string, arrivedAt: number): number {
      const name = `${caller}\n${subject}`;
      const own = bySubject.get(name);
      if (own && arrivedAt >= own.notBefore) bySubject.delete(name);
      const shared = byCaller.get(caller);
      const isAfterGrace = shared !== undefined && arrivedAt > shared.at + graceMs;
      return Math.max(0, (own?.notBefore ?? 0) - arrivedAt, isAfterGrace ? shared.notBefore - arrivedAt : 0);
    },
  };
}
