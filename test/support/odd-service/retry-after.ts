/** `notBefore` in epoch milliseconds; undefined when the headers state no valid wait. */
interface WaitHeaders {
  headers: Record<string, string>;
  notBefore: number | undefined;
}

type Write = (seconds: number, now: number) => WaitHeaders;

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const retryAfter = (value: string, notBefore?: number): WaitHeaders => ({
  headers: { 'Retry-After': value },
  notBefore,
});
/** Rounded up, without floating-point error. */
const milliseconds = (seconds: number) => Math.ceil(Number((seconds * 1000).toFixed(3)));
/** The first whole second after the wait. */
const wholeSecond = (seconds: number, now: number) => Math.ceil(now / 1000 + seconds) * 1000;
const dated =
  (format: (date: Date) => string): Write =>
  (seconds, now) => {
    const at = wholeSecond(seconds, now);
    return retryAfter(format(new Date(at)), at);
  };

/** A wait of `seconds` from `now` (epoch milliseconds), in valid and invalid forms. */
export const retryAfterForms: Record<string, Write> = {
  seconds: (seconds, now) => retryAfter(String(Math.ceil(seconds)), now + Math.ceil(seconds) * 1000),
  fraction: (seconds, now) => {
    const wait = milliseconds(seconds);
    return retryAfter((wait / 1000).toFixed(3), now + wait);
  },
  http_date: dated((date) => date.toUTCString()),
  rfc_850_date: dated((date) => {
    const [, day, month, year, time] = date.toUTCString().split(' ');
    return `${days[date.getUTCDay()]}, ${day}-${month}-${year?.slice(2)} ${time} GMT`;
  }),
  asctime_date: dated((date) => {
    const [weekday, day, month, year, time] = date.toUTCString().split(' ');
    return `${weekday?.slice(0, 3)} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
  }),
  iso_date: dated((date) => date.toISOString().replace('.000', '')),
  milliseconds: (seconds, now) => {
    const wait = milliseconds(seconds);
    return { headers: { 'Retry-After-Ms': String(wait) }, notBefore: now + wait };
  },
  ratelimit: (seconds, now) => {
    const wait = Math.ceil(seconds);
    return {
      headers: { RateLimit: `"default";r=0;t=${wait}`, 'RateLimit-Policy': '"default";q=100;w=60' },
      notBefore: now + wait * 1000,
    };
  },
  ratelimit_reset: (seconds, now) => {
    const wait = Math.ceil(seconds);
    return {
      headers: { 'RateLimit-Limit': '100', 'RateLimit-Remaining': '0', 'RateLimit-Reset': String(wait) },
      notBefore: now + wait * 1000,
    };
  },
  x_ratelimit_reset: (seconds, now) => {
    const at = wholeSecond(seconds, now);
    return {
      headers: {
        'X-RateLimit-Limit': '100',
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': String(at / 1000),
      },
      notBefore: at,
    };
  },
  zero: (_seconds, now) => retryAfter('0', now),
  negative: () => retryAfter('-5'),
  past_date: () => retryAfter('Thu, 01 Jan 2015 00:00:00 GMT'),
  garbage: () => retryAfter('soon'),
};
