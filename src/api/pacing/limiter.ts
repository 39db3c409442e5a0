import type { Health } from './outage.ts';

export interface RequestLimits {
  /** `auto`: as many as the service handles well. */
  concurrency: number | 'auto';
  perSecond?: number | undefined;
}

interface FinishedRequest {
  health: Health;
  isTimed: boolean;
  tookMilliseconds: number;
  inFlight: number;
}

const initialConcurrency = 4;
/** More requests would only wait in a queue somewhere. */
export const maxConcurrency = 64;
/** Responses slower than this multiple of the fastest average show that the service is saturated. */
const saturationFactor = 2;
/** Late timers are made up for; longer pauses are not. */
const maxLatenessMilliseconds = 20;

/**
 * Slow start, then one more slot per window and a third less when throttled. Times are milliseconds of a monotonic clock,
 * with fractions.
 */
export function createConcurrencyLimiter({ concurrency, perSecond }: RequestLimits) {
  const isFixed = concurrency !== 'auto';
  const maximum = createLearnedMaximum();
  const random = createRandomRejections();
  let rate = createLearnedRate(random);
  let rateBefore = rate;
  let slots = isFixed ? concurrency : initialConcurrency;
  let inFlight = 0;
  let nextStart = Number.NEGATIVE_INFINITY;
  let window = { responses: 0, totalMilliseconds: 0, wasFull: false };
  let fastestAverage = Number.POSITIVE_INFINITY;
  let isDoubling = true;

  const newWindow = () => {
    window = { responses: 0, totalMilliseconds: 0, wasFull: false };
  };

  function closeWindow(): void {
    const average = window.totalMilliseconds / window.responses;
    fastestAverage = Math.min(fastestAverage, average);
    const isSaturated = average > saturationFactor * fastestAverage + 1;
    if (isSaturated) isDoubling = false;
    else if (window.wasFull) slots = Math.min(maxConcurrency, isDoubling ? slots * 2 : slots + 1);
    newWindow();
  }

  function reduce(): void {
    isDoubling = false;
    // The rate is what falls: fewer slots than it needs would only make its spacing uneven.
    slots = Math.max(inFlight, Math.floor((slots * 2) / 3));
    newWindow();
  }

  return {
    /** Rejections have shown a limit of the service. */
    hasFoundLimit: (now: number) => rate.isFound() || maximum.at(now) < Number.POSITIVE_INFINITY,
    /** Undefined while all slots are taken. */
    nextSlotAt(now: number) {
      const at = inFlight >= Math.min(slots, maximum.at(now)) ? undefined : rate.nextStartAt(now, inFlight);
      return at === undefined ? undefined : Math.max(at, nextStart);
    },
    /** Returns the number of requests in flight. */
    started(now: number) {
      inFlight += 1;
      if (inFlight >= slots) window.wasFull = true;
      rate.started(now);
      const spacing = 1000 / (perSecond ?? Number.POSITIVE_INFINITY);
      const wasPaused = now - nextStart > maxLatenessMilliseconds;
      nextStart = (wasPaused ? now : Math.max(nextStart, now - spacing)) + spacing;
      return inFlight;
    },
    /** The request that started last leaves. */
    sending: (now: number) => rate.sending(now),
    finished({ health, isTimed, tookMilliseconds, inFlight: inFlightAtStart }: FinishedRequest, now: number) {
      const startedAt = now - tookMilliseconds;
      if (concurrency === Number.POSITIVE_INFINITY) {
        inFlight -= 1;
        return;
      }
      if (health === 'healthy') {
        maximum.accepted(inFlightAtStart, startedAt, now);
        rate.accepted(startedAt, now);
      } else if (health === 'throttled') {
        const finding = maximum.rejected(inFlightAtStart, startedAt, now);
        if (finding === 'found') [rateBefore, rate] = [rate, createLearnedRate(random)];
        if (finding === 'refuted') rate = rateBefore;
        const measured = (1000 * inFlight) / Math.max(1, tookMilliseconds);
        const isOfRate = finding === 'refuted' || finding === 'unexplained';
        const effect = isOfRate ? rate.rejected(startedAt, now, measured, isTimed) : 'holds';
        if (effect === 'falls' && !isFixed) reduce();
        if (effect === 'is_random') {
          rate = createLearnedRate(random);
          isDoubling = true;
        }
      } else rate.inconclusive(startedAt, now);
      inFlight -= 1;
      if (health !== 'healthy' || isFixed) return;
      window.responses += 1;
      window.totalMilliseconds += tookMilliseconds;
      if (window.responses >= slots) closeWindow();
    },
  };
}

/** Rejections point to a maximum if at most this share of accepted requests had as many in flight. */
const rareShare = 0.125;
const rareRejections = 2;
/** Full rounds of requests between two rejections that count, and until a maximum is believed. */
const roundsBetween = 2;
const roundsOfTrial = 30;
const minTrialMilliseconds = 5000;
/** A higher maximum is tried after a rest; if that goes well, the next one at once. */
const firstRestOfMaximum = 30_000;
const maxRestOfMaximum = 160_000;

/** Detects a limit on concurrent requests: rejections only while many are in flight. */
function createLearnedMaximum() {
  let maximum = Number.POSITIVE_INFINITY;
  /** Restored if the trial of `maximum` fails. */
  let previous: number | undefined;
  let [changedAt, rest] = [0, firstRestOfMaximum];
  let acceptedWhenFull = 0;
  let rejections: number[] = [];
  let acceptedSince = 0;
  let accepted: number[] = [];

  const change = (to: number, now: number, from?: number) => {
    [previous, maximum, changedAt, acceptedWhenFull] = [from, to, now, 0];
  };

  const find = (inFlight: number) => {
    if (acceptedSince < roundsBetween * inFlight) return undefined;
    acceptedSince = 0;
    rejections = [...rejections, inFlight].slice(-rareRejections);
    const lowest = Math.min(...rejections);
    const isRare = sum(accepted.slice(lowest)) <= rareShare * sum(accepted);
    accepted = accepted.map((count) => count / 2);
    return rejections.length === rareRejections && lowest > 1 && isRare ? lowest - 1 : undefined;
  };

  return {
    at(now: number): number {
      if (maximum < Number.POSITIVE_INFINITY && previous === undefined && now - changedAt > rest)
        change(maximum + 1, now, maximum);
      return maximum;
    },
    accepted(inFlight: number, startedAt: number, now: number): void {
      acceptedSince += 1;
      accepted[inFlight] = (accepted[inFlight] ?? 0) + 1;
      if (previous === undefined || startedAt < changedAt || inFlight < maximum) return;
      acceptedWhenFull += 1;
      if (acceptedWhenFull < roundsOfTrial * maximum) return;
      if (maximum < previous) {
        if (now - changedAt >= minTrialMilliseconds) change(maximum, now);
      } else {
        rest = firstRestOfMaximum;
        change(maximum + 1, now, maximum);
      }
    },
    /** `found`: a maximum, to be tried without a rate limit; `explained`: by the maximum; `refuted`: the maximum on trial was not the reason. */
    rejected(inFlight: number, startedAt: number, now: number) {
      if (maximum < Number.POSITIVE_INFINITY && startedAt < changedAt) return 'explained';
      if (previous !== undefined && previous > maximum) {
        change(previous, now);
        return 'refuted';
      }
      if (previous !== undefined && inFlight > previous) {
        rest = Math.min(maxRestOfMaximum, rest * 2);
        change(previous, now);
        return 'explained';
      }
      const found = find(inFlight);
      if (found === undefined) return 'unexplained';
      change(found, now, maximum);
      return 'found';
    },
  };
}

/** One rejection is tolerated per this many accepted requests, but not two close together. */
const acceptedPerRejection = 60;
const minTolerated = 2;
const maxTolerated = 6;
/** Of random rejections, twice their share is tolerated. */
const maxRandom = 10;
/** Above this rate, late timers and network jitter cause most rejections. */
const highRate = 20;
const closeTogether = { atLowRates: 16, atHighRates: 2 };

/** How long a rate must hold during the search, and with how many accepted requests. */
const firstHold = 300;
const holdGrowth = { atLowRates: 2, atHighRates: 1.4 };
const maxHold = 4000;
const minAccepted = 5;
/** The rate of fewer requests cannot be measured. */
const minSent = 20;
/** If every rejection costs a requested wait, rates are tried for longer, and raised less often. */
const firstTimedHold = 1200;
const timedRestFactor = 4.5;
/** A rate that held this long is close to the limit, so it falls only a little. */
const longHold = 1500;
/** The search continues in the middle of two rates that are far apart, and ends when they are close. */
const farApart = 1.3;
const closeEnough = 1.07;

/** A rejected rate is tried again after a rest, longer below 20 requests a second, and exceeded in steps. */
const firstRest = 10_000;
const maxRest = 160_000;
const stepHold = 1700;
const minAcceptedPerStep = 20;
const firstStep = 1.04;
const maxStep = 1.5;
const stepGrowth = 1.05;

/** How long a request waits for the previous one to get a connection, so that they do not arrive together. */
const maxConnecting = 50;

/** A pause grows more slowly once it is long. */
const pauseGrowth = (milliseconds: number) => (milliseconds > 1000 ? 1.2 : 1.4);
const maxPause = 30_000;
/** Longer waits belong to a quota, not to a rate. */
const maxCountedWait = 10_000;

interface Pause {
  since: number;
  until: number;
  milliseconds: number;
  rejections: number;
  rejectedAt: number;
  isProbing: boolean;
  isTimed: boolean;
}

/**
 * Requests per second, learned from rejections. Spaces requests evenly, and searches between the highest rate that held and
 * the lowest that was rejected.
 */
function createLearnedRate(random: RandomRejections) {
  let rate = Number.POSITIVE_INFINITY;
  let held = Number.POSITIVE_INFINITY;
  let rejected = Number.POSITIVE_INFINITY;
  let [hold, rest, step] = [firstHold, firstRest, firstStep];
  /** Rejected at once, as by a service that measures intervals. */
  let wasSudden = false;
  let wasTimed = false;
  let changedAt = 0;
  let atThisRate = { started: 0, accepted: 0 };
  let heldMilliseconds = 0;
  let tolerance = random.share() > 0 ? maxRandom : minTolerated;
  let acceptedInRow = 0;
  let nextStart = 0;
  let connectingSince = Number.NEGATIVE_INFINITY;
  let pause: Pause | undefined;
  const cycles = createCycles();

  const change = (to: number, now: number) => {
    rate = to;
    changedAt = now;
    atThisRate = { started: 0, accepted: 0 };
  };

  /** Late starts are barely made up for: a service that measures intervals would reject. */
  const spacedFrom = (now: number) => now + 1000 / rate - Math.min(20 / rate, rate / 250);

  const resume = ({ rejections, since, rejectedAt, isTimed }: Pause, now: number) => {
    const { average, milliseconds, untilRejection } = cycles.end(since, rejectedAt, now);
    pause = undefined;
    if (held >= rejected) {
      held = Math.min(average, 0.92 * rejected);
      if (rejections > 0) rejected = Math.min(rejected, (1.15 * average * milliseconds) / untilRejection);
    } else {
      const kept = wasSudden ? 0.95 : heldMilliseconds >= longHold ? 0.97 : 0.75;
      held = Math.max(Math.min(held, average), kept * held);
    }
    wasTimed = isTimed;
    if (isTimed) hold = Math.max(hold, firstTimedHold);
    change(rejected / held > farApart ? Math.sqrt(held * rejected) : held, now);
    nextStart = now + 1000 / rate;
  };

  const raise = (now: number) => {
    const isSearching = rejected / rate > closeEnough;
    const isBeyond = rejected === Number.POSITIVE_INFINITY;
    const passed = now - changedAt;
    const nextRest = rest * (wasTimed ? timedRestFactor : 1) * Math.max(1, highRate / rate);
    if (passed < (isBeyond ? stepHold : isSearching ? hold : nextRest)) return;
    if (isBeyond && atThisRate.accepted < minAcceptedPerStep) return;
    if (!isBeyond) {
      held = rate;
      heldMilliseconds = passed;
    }
    if (isSearching && !isBeyond) return change(Math.sqrt(held * rejected), now);
    rejected = Number.POSITIVE_INFINITY;
    change(rate * step, now);
    step = Math.min(maxStep, step * stepGrowth);
  };

  const reject = (now: number) => {
    const isBeyond = rejected === Number.POSITIVE_INFINITY;
    if (isBeyond) {
      rest = Math.min(maxRest, rest * 2);
      held = Math.max(held, 0.7 * rate);
    }
    const sent = atThisRate.started < minSent ? rate : (1000 * atThisRate.started) / (now - changedAt);
    rejected = !isBeyond && sent >= held * closeEnough ? Math.min(rate, sent) : rate;
    wasSudden = atThisRate.accepted < minAccepted && rejected > held;
    step = firstStep;
    const growth = rate > highRate ? holdGrowth.atHighRates : holdGrowth.atLowRates;
    if (!wasSudden) hold = Math.min(maxHold, Math.max(hold * growth, cycles.milliseconds(now) / 5));
  };

  return {
    isFound: () => rate < Number.POSITIVE_INFINITY,
    /** Undefined until the request in flight has a connection or a result. */
    nextStartAt(now: number, inFlight: number) {
      if (rate < Number.POSITIVE_INFINITY && inFlight > 0 && now - connectingSince < maxConnecting)
        return undefined;
      if (pause === undefined) return Math.max(now, nextStart);
      return pause.isProbing && inFlight > 0 ? undefined : Math.max(now, pause.until);
    },
    started(now: number) {
      cycles.started(now);
      if (pause !== undefined) pause.isProbing = true;
      atThisRate.started += 1;
      nextStart = Math.max(nextStart + 1000 / rate, spacedFrom(now));
      connectingSince = now;
    },
    /** The request that started last leaves. */
    sending(now: number) {
      nextStart = Math.max(nextStart, spacedFrom(now));
      connectingSince = Number.NEGATIVE_INFINITY;
    },
    accepted(startedAt: number, now: number) {
      cycles.responded(now, 'accepted');
      random.count(rate, rate <= held, 0);
      const tolerated = rate === Number.POSITIVE_INFINITY ? minTolerated : rate / 8;
      const atMost = Math.max(minTolerated, Math.min(maxTolerated, tolerated));
      tolerance = Math.min(
        random.share() > 0 ? maxRandom : atMost,
        tolerance + 1 / acceptedPerRejection + 2 * random.share(),
      );
      acceptedInRow += 1;
      if (startedAt <= changedAt) return;
      if (pause !== undefined) return resume(pause, now);
      if (rate === Number.POSITIVE_INFINITY) return;
      atThisRate.accepted += 1;
      if (atThisRate.accepted >= minAccepted) raise(now);
    },
    /** `perSecond`: as measured. `isTimed`: the service requested a wait. */
    rejected(startedAt: number, now: number, perSecond: number, isTimed: boolean) {
      if (startedAt <= changedAt) return 'holds';
      if (pause !== undefined) {
        const milliseconds = Math.min(maxPause, pause.milliseconds * pauseGrowth(pause.milliseconds));
        const { since, rejections } = pause;
        pause = { since, rejections: rejections + 1, ...waitFrom(now, milliseconds), isTimed };
        return 'holds';
      }
      cycles.responded(now, 'rejected');
      const isFirst = rate === Number.POSITIVE_INFINITY;
      const apart = rate > highRate ? closeTogether.atHighRates : closeTogether.atLowRates;
      random.count(rate, rate <= held, 1);
      const isUsual = acceptedInRow >= apart && !isTimed && !isFirst;
      const isTolerated = tolerance >= 1 && (isUsual || random.share() > 0);
      tolerance = Math.max(0, tolerance - 1);
      acceptedInRow = 0;
      if (isTolerated) return 'holds';
      if (random.find(rate)) return 'is_random';
      const milliseconds = Math.max(1, 1000 / (isFirst ? perSecond : rate));
      // The first rejection may have been slow for another reason.
      if (isFirst) rejected = 4 * Math.max(highRate, perSecond);
      else reject(now);
      changedAt = now;
      pause = { since: now, rejections: 0, ...waitFrom(now, milliseconds), isTimed };
      return 'falls';
    },
    inconclusive(startedAt: number, now: number) {
      if (pause === undefined && rate === Number.POSITIVE_INFINITY) {
        // The first 503 count as failures, whose time says nothing about the rate.
        cycles.responded(now, 'failed');
        random.count(rate, true, 1);
      }
      if (pause === undefined || startedAt <= changedAt) return;
      pause.isProbing = false;
      pause.until = now + pause.milliseconds;
    },
  };
}

function waitFrom(now: number, milliseconds: number) {
  return { rejectedAt: now, milliseconds, until: now + milliseconds, isProbing: false };
}

const cycleHalfLife = 1000;

/** A cycle is a period of sending and the wait after a rejection. */
function createCycles() {
  let since = 0;
  let count = 0;
  let [respondedAt, wasFailure] = [0, false];
  let before = { accepted: 0, milliseconds: 0 };
  return {
    started(now: number) {
      if (since === 0) since = now;
    },
    /** Time around a failure is excluded: it says nothing about the rate. */
    responded(now: number, response: 'accepted' | 'rejected' | 'failed') {
      const isFailure = response === 'failed';
      if (isFailure || wasFailure) since += now - Math.max(since, respondedAt);
      if (response === 'accepted') count += 1;
      [respondedAt, wasFailure] = [now, isFailure];
    },
    milliseconds: (now: number) => now - since,
    /** `average` is too low if the wait was longer than needed. */
    end(waitedSince: number, rejectedAt: number, now: number) {
      const milliseconds = Math.max(1, waitedSince - since + Math.min(maxCountedWait, now - waitedSince));
      const untilRejection = Math.max(1, rejectedAt - since);
      const weight = 0.5 ** (milliseconds / cycleHalfLife);
      before = {
        accepted: before.accepted * weight + count,
        milliseconds: before.milliseconds * weight + milliseconds,
      };
      since = now;
      count = 0;
      return { average: (1000 * before.accepted) / before.milliseconds, milliseconds, untilRejection };
    },
  };
}

type RandomRejections = ReturnType<typeof createRandomRejections>;

/** At a rate and below, and above it. */
const minRejections = 5;
/** Smaller shares are tolerated anyway; larger ones are those of a limit. */
const shares = { min: 0.018, max: 0.15, negligible: 0.005 };
/** Two shares are the same if their quotient is at most this. */
const similar = 2;
const averagedCounts = 500;
/** More rejections than are tolerated may be those of a limit, and the random ones may have ended. */
const trustKept = 0.85;

/** Detects rejections that do not depend on the rate: their share stays the same when it falls by half. */
function createRandomRejections() {
  /** By the binary logarithm of the rate. */
  let responses: number[] = [];
  let rejections: number[] = [];
  let [share, maxShare] = [0, 0];
  const levelOf = (rate: number) => Math.max(0, Math.floor(Math.log2(rate)));
  return {
    /** 0 if there are none. */
    share: () => (share < shares.negligible ? 0 : share),
    /** `isProven`: this rate had held. */
    count(rate: number, isProven: boolean, rejected: 0 | 1): void {
      // At a higher rate, a limit rejects some as well.
      if (isProven) share = Math.min(maxShare, share + (rejected - share) / averagedCounts);
      if (rate === Number.POSITIVE_INFINITY) return;
      const level = levelOf(rate);
      responses[level] = (responses[level] ?? 0) + 1;
      rejections[level] = (rejections[level] ?? 0) + rejected;
    },
    /** Returns whether rejections are found to be random. */
    find(rate: number): boolean {
      maxShare *= trustKept;
      const level = levelOf(rate) + 1;
      const [below, above] = [sum(rejections.slice(0, level)), sum(rejections.slice(level))];
      if (Math.min(below, above) < minRejections) return false;
      const [slow, fast] = [below / sum(responses.slice(0, level)), above / sum(responses.slice(level))];
      if (slow < shares.min || Math.max(slow, fast) > shares.max) return false;
      if (Math.max(slow / fast, fast / slow) > similar) return false;
      [responses, rejections] = [[], []];
      share = maxShare = slow;
      return true;
    },
  };
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
