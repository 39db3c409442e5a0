import type { Sign } from './sign.ts';

/** Since when a service lets nothing through, and when to ask it next. Times are milliseconds since the epoch. */
export interface Breaker {
  saw(sign: Sign, now: number, isProbe: boolean): void;
  /** When the next probe may leave; undefined while everybody may send. */
  probeAt(): number | undefined;
  /** Since when nothing but throttles and failures came; undefined when the last sign was a good one. */
  troubledSince(): number | undefined;
}

const mostFailures = 20;
const firstSpacing = 1000;
const longestSpacing = 60_000;

export function createBreaker(): Breaker {
  let failures = 0;
  let since: number | undefined;
  let spacing = firstSpacing;
  let probeAt: number | undefined;
  const close = () => {
    failures = 0;
    spacing = firstSpacing;
    probeAt = undefined;
  };
  return {
    saw: (sign, now, isProbe) => {
      since = sign === 'alive' ? undefined : (since ?? now);
      if (sign !== 'failing') return close();
      failures += 1;
      if (probeAt === undefined ? failures < mostFailures : !isProbe) return;
      if (isProbe) spacing = Math.min(longestSpacing, spacing * 2);
      probeAt = now + spacing;
    },
    probeAt: () => probeAt,
    troubledSince: () => since,
  };
}
