import type { Mutant } from '../mutant.ts';

const outage = 'src/api/pacing/outage.ts';
const limiter = 'src/api/pacing/limiter.ts';
const serverWait = 'src/api/pacing/server-wait.ts';
const admission = 'src/api/pacing/admission.ts';
const limiterTests = ['test/api/pacing/concurrency.test.ts'];

export const pacing: readonly Mutant[] = [
  {
    name: 'limiter-falls-by-half',
    promise: 'Throttling lowers the number of requests at the same time by a third.',
    file: limiter,
    find: 'Math.floor((slots * 2) / 3)',
    replace: 'Math.floor(slots / 2)',
    tests: limiterTests,
  },
  {
    name: 'random-rejections-lower-the-rate',
    promise: 'Rejections that do not depend on the rate do not lower it.',
    file: limiter,
    find: 'max: 0.15, negligible',
    replace: 'max: 0.03, negligible',
    tests: ['test/api/pacing/rejected-run.test.ts'],
  },
  {
    name: 'idle-connections-kept-too-long',
    promise: 'Idle connections are closed after two seconds, before the service does so.',
    file: 'src/api/http/transport.ts',
    find: 'const idleMilliseconds = 2_000;',
    replace: 'const idleMilliseconds = 4_000;',
    tests: ['test/api/idle-connections.test.ts'],
  },
  {
    name: 'retry-after-of-503-ignored',
    promise: 'Retry-After is a minimum for all requests, also beside a 503.',
    file: serverWait,
    find: 'const isRetryable = status >= 500 ||',
    replace: 'const isRetryable =',
    tests: ['test/api/pacing/rate-limit.test.ts'],
  },
  {
    name: 'retry-after-by-our-clock',
    promise: 'A date in Retry-After is on the clock of the service: no request leaves early.',
    file: serverWait,
    find: "moment - (parseHttpDate(date ?? '') ?? now)",
    replace: "moment - Math.max(parseHttpDate(date ?? '') ?? now, now)",
    tests: ['test/api/pacing/retry-after.test.ts'],
  },
  {
    name: 'leaves-before-the-wait-is-over',
    promise: 'No request leaves before the wait that the service asked for is over.',
    file: admission,
    find: 'requested * (1 + spread * random())',
    replace: 'requested * (1 - spread * random())',
    tests: ['test/api/pacing/admission.test.ts'],
  },
  {
    name: 'waits-longer-than-allowed',
    promise: 'A wait longer than --max-wait stops the run.',
    file: admission,
    find: 'if (serverWait <= maxWaitMilliseconds) return;',
    replace: 'if (serverWait <= 2 * maxWaitMilliseconds) return;',
    tests: ['test/api/pacing/admission.test.ts', 'test/api/pacing/stop.test.ts'],
  },
  {
    name: 'hammers-a-failing-service',
    promise: 'After 20 failures in a row only single probes are sent.',
    file: outage,
    find: 'const maxFailures = 20;',
    replace: 'const maxFailures = 2000;',
    tests: ['test/api/pacing/admission.test.ts', 'test/api/pacing/health.test.ts'],
  },
  {
    name: 'probes-every-second',
    promise: 'The probes of an outage are spaced from 1 to 60 seconds.',
    file: outage,
    find: 'spacing = Math.min(maxSpacing, spacing * 2)',
    replace: 'spacing = Math.min(maxSpacing, spacing)',
    tests: ['test/api/pacing/admission.test.ts', 'test/api/pacing/health.test.ts'],
  },
  {
    name: 'no-retry-budget',
    promise: 'A retry budget keeps a run from hammering a broken service.',
    file: outage,
    find: 'retries -= 1;',
    replace: 'retries -= 0.1;',
    tests: [
      'test/api/pacing/admission.test.ts',
      'test/api/pacing/attempts.test.ts',
      'test/api/pacing/health.test.ts',
    ],
  },
  {
    name: 'overload-of-503-not-seen',
    promise: 'A burst of fast 503s among successes is throttling.',
    file: outage,
    find: 'const burst = { attempts: 8, rejections: 4 };',
    replace: 'const burst = { attempts: 8, rejections: 9 };',
    tests: ['test/api/pacing/health.test.ts', 'test/api/pacing/admission.test.ts'],
  },
  {
    name: 'wrong-address-not-noticed',
    promise: 'After 20 attempts without any response that proved something the run stops.',
    file: admission,
    find: 'const maxUnexpectedResponses = 20;',
    replace: 'const maxUnexpectedResponses = 2000;',
    tests: ['test/api/pacing/admission.test.ts'],
  },
];
