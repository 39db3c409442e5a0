/** Decides over requests in the order in which they arrive; times are milliseconds. */
export interface RequestLimit {
  accepts(now: number): boolean;
}

/** nginx `limit_req` without `burst`: a request that comes sooner after the last accepted one is rejected. */
export function leakyBucket(perSecond: number): RequestLimit {
  let next = 0;
  return {
    accepts(now) {
      if (now < next - 1e-6) return false;
      next = now + 1000 / perSecond;
      return true;
    },
  };
}

export function tokenBucket(perSecond: number, burst: number): RequestLimit {
  let tokens = burst;
  let filledAt = 0;
  return {
    accepts(now) {
      tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond);
      filledAt = now;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}

export function fixedWindow(perSecond: number, seconds: number): RequestLimit {
  let window = -1;
  let accepted = 0;
  return {
    accepts(now) {
      const current = Math.floor(now / (seconds * 1000));
      if (current !== window) accepted = 0;
      window = current;
      if (accepted >= perSecond * seconds) return false;
      accepted += 1;
      return true;
    },
  };
}

/** HAProxy `http_req_rate`: the last window counts in part, and so do the requests that were rejected. */
export function slidingWindow(perSecond: number, seconds: number): RequestLimit {
  const milliseconds = seconds * 1000;
  let startedAt = 0;
  let current = 0;
  let previous = 0;
  return {
    accepts(now) {
      const passed = Math.floor((now - startedAt) / milliseconds);
      if (passed > 0) {
        previous = passed === 1 ? current : 0;
        current = 0;
        startedAt += passed * milliseconds;
      }
      current += 1;
      const share = 1 - (now - startedAt) / milliseconds;
      return current + previous * share <= perSecond * seconds;
    },
  };
}

/** Rejects this share of the requests, however many there are. */
export function randomRejections(share: number, random: () => number): RequestLimit {
  return { accepts: () => random() >= share };
}
