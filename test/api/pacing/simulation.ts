import { createConcurrencyLimiter, type RequestLimits } from '../../../src/api/pacing/limiter.ts';
import { createOverloadDetector } from '../../../src/api/pacing/outage.ts';
import type { RequestLimit } from './limited-services.ts';

export interface SimulatedService {
  limit?: RequestLimit;
  concurrency?: number;
  /** Milliseconds of an accepted request in the service, by the number in flight. */
  takes(inFlight: number): number;
  /** Milliseconds to the service, and back. */
  distance: number;
  /** The wait in milliseconds that it requests when it rejects a request. */
  retryAfter?: number | undefined;
  /** The status of a rejection; by default 429. */
  status?: 429 | 503;
}

/** Repeatable random numbers. */
export function createRandom(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

interface Event {
  at: number;
  act(): void;
}

/** Events in the order of their times. */
function createAgenda() {
  const heap: Event[] = [];
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b] as Event, heap[a] as Event];
  };
  const timeOf = (index: number) => heap[index]?.at ?? Number.POSITIVE_INFINITY;
  return {
    add(event: Event) {
      let index = heap.push(event) - 1;
      for (let parent = (index - 1) >> 1; index > 0 && timeOf(parent) > event.at; parent = (index - 1) >> 1) {
        swap(index, parent);
        index = parent;
      }
    },
    next(): Event | undefined {
      const [first] = heap;
      const last = heap.pop();
      if (first === undefined || last === undefined || heap.length === 0) return first;
      heap[0] = last;
      for (let index = 0; ; ) {
        const child = timeOf(2 * index + 2) < timeOf(2 * index + 1) ? 2 * index + 2 : 2 * index + 1;
        if (timeOf(child) >= last.at) return first;
        swap(index, child);
        index = child;
      }
    },
  };
}

/** Sends to a simulated service in simulated time, as fast as the limiter allows. */
export function simulate(
  service: SimulatedService,
  seconds: number,
  limits: RequestLimits = { concurrency: 'auto' },
  trace?: (now: number, what: string) => void,
) {
  const limiter = createConcurrencyLimiter(limits);
  const overload = createOverloadDetector();
  const { limit, takes, distance, retryAfter, status = 429 } = service;
  const agenda = createAgenda();
  const start = 1_000_000;
  const accepted: number[] = [];
  const rejected: number[] = [];
  let [now, inService, inFlight, heldUntil, wakesAt, peak] = [start, 0, 0, 0, 0, 0];
  const after = (milliseconds: number, act: () => void) => agenda.add({ at: now + milliseconds, act });

  const send = () => {
    const startedAt = now;
    const inFlightAtStart = limiter.started(startedAt);
    inFlight += 1;
    peak = Math.max(peak, inFlight);
    const finish = (isAccepted: boolean) => {
      inFlight -= 1;
      (isAccepted ? accepted : rejected).push(now);
      if (!isAccepted && retryAfter !== undefined) heldUntil = Math.max(heldUntil, now + retryAfter);
      const serverWait = isAccepted ? undefined : retryAfter;
      const tookMilliseconds = now - startedAt;
      const isUnavailable = !isAccepted && status === 503;
      const seen = isAccepted ? 'healthy' : isUnavailable ? 'failing' : 'throttled';
      const isLimited = limiter.hasFoundLimit(now);
      const judged = { health: seen, isUnavailable, isLimited, serverWait, tookMilliseconds } as const;
      const health = overload.judge(judged, now);
      const isTimed = serverWait !== undefined;
      limiter.finished({ health, isTimed, tookMilliseconds, inFlight: inFlightAtStart }, now);
      trace?.(now - start, isAccepted ? 'ok' : 'REJECTED');
    };
    const arrive = () => {
      if (inService >= (service.concurrency ?? Number.POSITIVE_INFINITY) || limit?.accepts(now) === false) {
        after(distance, () => finish(false));
        return;
      }
      inService += 1;
      after(takes(inService), () => {
        inService -= 1;
        after(distance, () => finish(true));
      });
    };
    limiter.sending(now);
    after(distance, arrive);
  };
  const sendAll = () => {
    for (;;) {
      const at = limiter.nextSlotAt(now);
      if (at === undefined) return;
      const earliest = Math.max(at, heldUntil);
      if (earliest <= now) {
        send();
        continue;
      }
      if (wakesAt > now && wakesAt <= earliest + 0.5) return;
      wakesAt = earliest;
      agenda.add({ at: wakesAt, act: () => undefined });
      return;
    }
  };
  sendAll();
  for (
    let event = agenda.next();
    event !== undefined && event.at <= start + seconds * 1000;
    event = agenda.next()
  ) {
    now = event.at;
    event.act();
    sendAll();
  }
  const within = (list: number[], from: number, to: number) =>
    list.filter((at) => at - start >= from * 1000 && at - start <= to * 1000).length;
  return {
    peak,
    perSecond: (from: number, to = seconds) => within(accepted, from, to) / (to - from),
    throttledShare(from: number, to = seconds) {
      const [accepts, rejects] = [within(accepted, from, to), within(rejected, from, to)];
      return rejects / Math.max(1, rejects + accepts);
    },
  };
}
