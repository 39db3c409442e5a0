import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptResult, Operation, ServiceResponse } from '../../../src/api/http/attempt-result.ts';
import type { AttemptPolicy, CallResult } from '../../../src/api/pacing/attempts.ts';
import { systemClock } from '../../../src/system/system.ts';
import { closedWhileIdle, lost, notSent, responseOf, throttled } from '../response.ts';
import { aPolicy, clientWith } from '../stub-service.ts';
import { createVirtualClock } from '../virtual-clock.ts';

const done = responseOf(200, '{"id":"X"}');

/** Calls of one client on a virtual clock; `resultOf` gets the name of the call and the time in seconds. */
function open(
  resultOf: (name: string, seconds: number) => AttemptResult | Promise<AttemptResult>,
  policy: Partial<AttemptPolicy> = {},
) {
  const { clock, run, passed } = createVirtualClock();
  const sent: [name: string, seconds: number][] = [];
  const client = clientWith(
    async ({ path: name }) => {
      sent.push([name, passed()]);
      return resultOf(name, passed());
    },
    aPolicy({ clock, random: () => 0, timeoutMilliseconds: 1e9, ...policy }),
  );
  const call = (name: string, operation: Operation = 'create'): Promise<CallResult> => {
    const accepts = ({ text }: ServiceResponse) => text.startsWith('{');
    return client.call(operation, { method: 'GET', path: name }, { accepts, resendsUnknown: true });
  };
  const at = (name: string) => sent.filter(([sender]) => sender === name).map(([, seconds]) => seconds);
  return { call, run, clock, sent, at };
}

describe('a server-requested wait', () => {
  const once = (first: AttemptResult) => {
    let isFirst = true;
    return () => {
      if (!isFirst) return done;
      isFirst = false;
      return first;
    };
  };

  it.each<[string, AttemptResult]>([
    ['429', throttled('30')],
    ['503', responseOf(503, '', { 'retry-after': '30' })],
    ['429 in milliseconds', responseOf(429, '', { 'retry-after-ms': '30000' })],
    ['an exhausted quota with a success', responseOf(200, '{}', { ratelimit: '"hour";r=0;t=30' })],
    [
      'an exhausted quota in X-RateLimit headers',
      responseOf(200, '{}', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' }),
    ],
  ])('applies to all requests, reads included: %s', async (_name, firstResult) => {
    const { call, run, at } = open(once(firstResult));
    const first = call('first');
    await new Promise(setImmediate);
    await run(
      Promise.all([
        first,
        call('create'),
        call('get', 'get'),
        call('list', 'list'),
        call('cancel', 'cancel'),
      ]),
    );
    for (const name of ['create', 'get', 'list', 'cancel']) expect([name, at(name)]).toEqual([name, [30]]);
  });

  it.each([
    ['5', '20'],
    ['20', '5'],
  ])('also applies to attempts that are waiting already, the longer of %s s and %s s', async (...waits) => {
    const { call, run, at } = open((name) =>
      name.startsWith('throttled') && waits.length > 0 ? throttled(waits.shift() ?? '') : done,
    );
    await run(
      Promise.all([
        call('throttled'),
        call('throttled too'),
        new Promise(setImmediate).then(() => call('waits')),
      ]),
    );
    expect(at('waits')).toEqual([20]);
  });

  it('spreads the attempts that follow over a tenth of it, and lets none leave early', async () => {
    let draw = 0;
    const random = () => (draw = (draw + 0.618034) % 1);
    const { call, run, at } = open(once(throttled('100')), { random });
    const first = call('first');
    await new Promise(setImmediate);
    await run(Promise.all([first, ...Array.from({ length: 64 }, () => call('other'))]));
    const times = at('other');
    expect(times.length).toBe(64);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...times)).toBeLessThanOrEqual(110);
    expect(new Set(times).size).toBeGreaterThan(50);
  });

  it('beyond the longest ends every waiting call, and every later one without a request', async () => {
    const { call, run, sent } = open((name) => throttled(name === 'greedy' ? '301' : '300'));
    const results = await run(Promise.all([call('polite'), call('greedy')]));
    const later = await run(call('later', 'get'));
    const stop = { reason: 'wait_too_long', requestedMilliseconds: 301_000, maxMilliseconds: 300_000 };
    expect(results).toMatchObject([
      { outcome: 'throttled', attempts: 1, stop },
      { outcome: 'throttled', attempts: 1, stop },
    ]);
    const reason = 'the service asks us to wait 5 min 1 s, but this command allows only 5 min';
    expect(later).toMatchObject({
      outcome: 'not_sent',
      attempts: 0,
      sawUnknown: false,
      stop,
      attemptResult: { reason },
    });
    expect(sent.map(([name]) => name)).toEqual(['polite', 'greedy']);
  });

  it('is not added to earlier waits', async () => {
    const { call, run, sent } = open((_name, seconds) => (seconds < 3000 ? throttled('299') : done), {
      maxOutageMilliseconds: 1e9,
    });
    expect(await run(call('patient'))).toMatchObject({ outcome: 'succeeded' });
    expect(sent.length).toBe(12);
  });

  it('beyond the longest does not undo the success of the same response', async () => {
    const { call, run } = open(() => responseOf(200, '{}', { ratelimit: '"day";r=0;t=86400' }));
    expect(await run(call('lucky'))).not.toHaveProperty('stop');
    expect(await run(call('next'))).toMatchObject({ outcome: 'not_sent', attempts: 0 });
  });
});

describe('an outage that an import waits out', () => {
  const seconds = 300;
  const unavailable = (_name: string, now: number) => (now < seconds ? notSent : done);
  const policy = { waitsForOutages: true, timeoutMilliseconds: 10_000, random: () => 0.999 };

  it('is probed by one call after the other, 1 s to 60 s apart', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `${index}`);
    const { call, run, sent } = open(unavailable, policy);
    const results = await run(Promise.all(names.map((name) => call(name))));
    expect(results.map(({ outcome }) => outcome)).toEqual(names.map(() => 'succeeded'));
    const probes = sent.slice(20).filter(([, now]) => now < seconds);
    expect(probes.map(([, now]) => now)).toEqual([1, 3, 7, 15, 31, 63, 123, 183, 243]);
    expect(new Set(probes.map(([name]) => name)).size).toBe(probes.length);
    // The next probe succeeds, and all other calls follow.
    expect(sent.slice(29).map(([, now]) => now)).toEqual(Array(20).fill(303));
  });

  it('is probed from 1 s on again when it is the second one', async () => {
    const isDown = (now: number) => now < 10 || (now >= 100 && now < 110);
    const { call, run, sent, clock } = open((_name, now) => (isDown(now) ? notSent : done), policy);
    const callAll = () => Promise.all(Array.from({ length: 20 }, () => call('create')));
    await run(callAll());
    await run(clock.sleep(85_000));
    sent.length = 0;
    await run(callAll());
    expect(sent.slice(20, 24).map(([, now]) => now)).toEqual([101, 103, 107, 115]);
  });

  it('loses no call that starts or ends when it begins', async () => {
    const { call, run } = open((_name, now) => (now < 30 ? lost : done), { ...policy, random: () => 0 });
    const results = await run(Promise.all(Array.from({ length: 64 }, () => call('create'))));
    expect(results.map(({ outcome }) => outcome)).toEqual(Array(64).fill('succeeded'));
  });

  it('costs no call the last of its attempts, though every probe is lost', async () => {
    const patient = { ...policy, maxOutageMilliseconds: 1e9 };
    const { call, run } = open((_name, now) => (now < 10_000 ? lost : done), patient);
    const results = await run(Promise.all(Array.from({ length: 20 }, () => call('create'))));
    expect(results.map(({ outcome }) => outcome)).toEqual(Array(20).fill('succeeded'));
  });

  it('costs a call neither attempts nor time, however long it lasts', async () => {
    const { call, run } = open(unavailable, policy);
    const result = await run(call('alone'));
    expect(result).toMatchObject({ outcome: 'succeeded', sawUnknown: false });
    expect(result.attempts).toBeGreaterThan(5);
  });

  it('lets its probe wait as long as the service requested', async () => {
    const busy = responseOf(503, '', { 'retry-after': '20' });
    const { call, run, sent } = open((_name, now) => (now < 1 ? busy : done), policy);
    await run(Promise.all(Array.from({ length: 20 }, () => call('create'))));
    expect(sent[20]?.[1]).toBeCloseTo(22, 1);
  });

  it('lets its probe leave before the backoff of the call is over', async () => {
    let failures = 22;
    const resultOf = () => (failures-- > 0 ? notSent : done);
    const { call, run, at } = open(resultOf, { ...policy, maxOutageMilliseconds: 1e9 });
    await run(call('alone'));
    const [opened = 0, ...probes] = at('alone').slice(19);
    expect(probes.map((now) => Math.round(now - opened))).toEqual([1, 3, 7]);
  });

  it('stops the run on time', async () => {
    const { call, run, sent } = open(unavailable, { ...policy, maxOutageMilliseconds: 90_000 });
    const results = await run(Promise.all(Array.from({ length: 20 }, () => call('create'))));
    for (const { stop } of results) expect(stop?.reason).toBe('outage');
    expect(sent.at(-1)?.[1]).toBe(90);
  });

  it('is over as soon as a request in flight succeeds', async () => {
    const { call, run, sent, clock } = open((name, now) => {
      if (name === 'slow') return clock.sleep(500).then(() => done);
      return now < 0.5 ? lost : done;
    }, policy);
    await run(Promise.all(['slow', ...Array(20).fill('lost')].map((name) => call(name))));
    expect(sent.slice(21).map(([, now]) => now)).toEqual(Array(20).fill(0.5));
  });

  it('is not waited out by a single command', async () => {
    const { call, run } = open(unavailable, { ...policy, waitsForOutages: false, timeoutMilliseconds: 1e9 });
    const calls = Array.from({ length: 20 }, () => call('create'));
    for (const result of await run(Promise.all(calls))) {
      expect(result).toMatchObject({ outcome: 'not_sent', attempts: 5 });
      expect(result).not.toHaveProperty('stop');
    }
  });

  it('is not assumed when a single order fails while others succeed', async () => {
    const { call, run, at } = open((name) => (name === 'poison' ? responseOf(500) : done), policy);
    const [result] = await run(Promise.all([call('poison'), call('good'), call('good')]));
    expect(result).toMatchObject({ outcome: 'unknown', attempts: 5 });
    expect(at('poison').length).toBe(5);
  });
});

describe('the retry budget of a run', () => {
  it('delays no retry while retries succeed', async () => {
    const failed = new Set<string>();
    const { call, run, sent } = open((name) => {
      if (failed.has(name)) return done;
      failed.add(name);
      return responseOf(500);
    });
    const callAll = async () => {
      for (let index = 0; index < 200; index++) await call(`${index}`);
    };
    await run(callAll());
    expect(sent.at(-1)).toEqual(['199', 0]);
  });

  it.each([0, 200])('delays retries while they fail, after %i successes', async (successes) => {
    const { call, run, sent } = open((name) => (name === 'good' ? done : responseOf(500)));
    for (let index = 0; index < successes; index += 1) await run(call('good'));
    sent.length = 0;
    await run(Promise.all(Array.from({ length: 30 }, (_, index) => call(`${index}`))));
    expect(sent.length).toBe(30 * 5);
    expect(sent.at(-1)?.[1]).toBe(20);
  });
});

describe('any service', () => {
  const attemptResults = [
    done,
    lost,
    lost,
    lost,
    notSent,
    closedWhileIdle,
    responseOf(500),
    throttled('1'),
    responseOf(429),
  ];

  it('lets every call end', async () => {
    const timedResult = fc.record({
      attemptResult: fc.constantFrom(...attemptResults),
      takes: fc.constantFrom(0, 0, 1, 2000),
    });
    const script = fc.array(timedResult, { maxLength: 300, size: 'max' });
    await fc.assert(
      fc.asyncProperty(
        script,
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        fc.constantFrom(0, 0.3),
        fc.constantFrom({}, { limits: { concurrency: 2 } }, { limits: { concurrency: 'auto' } } as const),
        async (all, calls, waitsForOutages, draw, limits) => {
          const left = all.values();
          const { call, run, clock } = open(
            async () => {
              const { attemptResult, takes } = left.next().value ?? { attemptResult: done, takes: 0 };
              if (takes > 0) await clock.sleep(takes);
              return attemptResult;
            },
            { waitsForOutages, random: () => draw, maxOutageMilliseconds: 1e9, ...limits },
          );
          const work = async () => {
            for (let round = 0; round < 3; round++)
              expect((await call('create')).attempts).toBeGreaterThan(0);
          };
          await run(Promise.all(Array.from({ length: calls }, work)));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('a closed idle connection', () => {
  it('is retried without a wait, three times at most', async () => {
    const policy = { random: () => 0.999 };
    for (const [closeCount, seconds] of [
      [1, 0],
      [3, 0],
      [4, 0.25],
    ] as const) {
      let left = closeCount as number;
      const { call, run, sent } = open(() => (left-- > 0 ? closedWhileIdle : done), policy);
      expect(await run(call('create'))).toMatchObject({ outcome: 'succeeded', sawUnknown: true });
      expect(sent.at(-1)).toEqual(['create', seconds]);
    }
  });

  it('does not open the circuit, however often it happens', async () => {
    let left = 64 + 30;
    const { call, run, sent } = open(() => (left-- > 0 ? closedWhileIdle : done), { waitsForOutages: true });
    await run(Promise.all(Array.from({ length: 64 }, () => call('create'))));
    expect(sent).toEqual(Array(64 + 64 + 30).fill(['create', 0]));
  });
});

describe('Ctrl-C during a wait', () => {
  /** A clock on which a wait ends only when it is aborted. */
  const stopped = { ...systemClock, now: () => 0, monotonic: () => 0, today: () => '2026-11-25' };
  const waitFor = (_milliseconds: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));

  it.each<[string, AttemptResult]>([
    ['a backoff', lost],
    ['a server-requested wait', throttled('60')],
  ])('ends every call at once: %s', async (_name, attemptResult) => {
    const stopping = new AbortController();
    const { call } = open(() => attemptResult, {
      clock: { ...stopped, sleep: waitFor },
      random: () => 0.5,
      stopping: stopping.signal,
    });
    const calls = (['create', 'get', 'list', 'cancel'] as const).map((operation) =>
      call(operation, operation),
    );
    await new Promise(setImmediate);
    stopping.abort();
    for (const result of await Promise.all(calls)) expect(result.attempts).toBeLessThan(2);
  });

  it('ends all calls of an outage that is waited out', async () => {
    const stopping = new AbortController();
    const policy = {
      clock: { ...stopped, sleep: waitFor },
      waitsForOutages: true,
      stopping: stopping.signal,
    };
    const { call } = open(() => lost, policy);
    const calls = Array.from({ length: 64 }, () => call('create'));
    await new Promise(setImmediate);
    stopping.abort();
    expect((await Promise.all(calls)).map(({ outcome }) => outcome)).toEqual(Array(64).fill('unknown'));
  });

  it('in an outage starts no read that would settle an order, since it would fail as well', async () => {
    const stopping = new AbortController();
    const { call, sent } = open(() => notSent, {
      clock: { ...stopped, sleep: waitFor },
      random: () => 0.5,
      waitsForOutages: true,
      stopping: stopping.signal,
    });
    const calls = Array.from({ length: 20 }, () => call('create'));
    await new Promise(setImmediate);
    stopping.abort();
    await Promise.all(calls);
    expect(await call('list', 'list')).toMatchObject({ outcome: 'not_sent', attempts: 0 });
    expect(sent.length).toBe(20);
  });

  it('leaves five attempts to a read that settles an order when the service cannot be reached', async () => {
    const stopping = new AbortController();
    const policy = { waitsForOutages: true, stopping: stopping.signal };
    const { call, run } = open((name) => (name === 'create' ? done : notSent), policy);
    await run(call('create'));
    stopping.abort();
    expect(await run(call('list', 'list'))).toMatchObject({ outcome: 'not_sent', attempts: 5 });
  });

  it('does not stop a read that settles an order in flight; a second Ctrl-C does', async () => {
    const [stopping, leaving] = [new AbortController(), new AbortController()];
    const { call } = open((name) => (name === 'create' ? done : throttled('60')), {
      clock: { ...stopped, sleep: waitFor },
      stopping: stopping.signal,
      leaving: leaving.signal,
    });
    await call('create');
    stopping.abort();
    let hasEnded = false;
    const reading = call('list', 'list').finally(() => {
      hasEnded = true;
    });
    for (let tick = 0; tick < 5; tick++) await new Promise(setImmediate);
    expect(hasEnded).toBe(false);
    leaving.abort();
    expect(await reading).toMatchObject({ outcome: 'throttled', attempts: 1 });
  });

  it('starts no write that was not sent', async () => {
    const { call, sent } = open(() => done, { stopping: AbortSignal.abort() });
    expect(await call('create')).toMatchObject({ outcome: 'not_sent', attempts: 0 });
    expect(sent).toEqual([]);
  });
});

describe('success responses that are not from the service', () => {
  const page = responseOf(200, '<html><title>Guest Wi-Fi</title></html>');
  const one = (index: number) => `${index}`;

  it('stop an import after 20 in a row', async () => {
    const limits = { concurrency: 4 };
    const { call, run, sent } = open(() => page, { waitsForOutages: true, limits });
    const results = await run(
      Promise.all(Array.from({ length: 30 }, (_, index) => call(one(index), 'list'))),
    );
    expect(results.at(-1)?.stop).toEqual({ reason: 'unexpected_responses', count: 20, title: 'Guest Wi-Fi' });
    expect(sent.length).toBeLessThan(24);
  });

  it('stop an import when only creates get them', async () => {
    const { call, run, sent } = open((name) => (name === 'list' ? done : page), { waitsForOutages: true });
    let result: CallResult | undefined;
    for (let index = 0; index < 30 && result?.stop === undefined; index += 1) {
      result = await run(call(one(index)));
      await run(call('list', 'list'));
    }
    expect(result?.stop?.reason).toBe('unexpected_responses');
    expect(sent.length).toBeLessThan(50);
  });

  it.each<[string, AttemptResult, boolean]>([
    ['an order', done, false],
    ['a rejection', responseOf(422, '{"code":"PRODUCT_SKU_NOT_FOUND"}'), false],
    ['a lost response', lost, true],
    ['429', throttled('0'), true],
  ])('in between, %s', async (_name, between, stops) => {
    let count = 0;
    const { call, run } = open(() => (++count === 15 ? between : page), { waitsForOutages: true });
    let result: CallResult | undefined;
    for (let index = 0; index < 5; index += 1) result = await run(call(one(index), 'list'));
    // 25 attempts in all: 14 pages before, and 10 after.
    expect(result?.stop !== undefined).toBe(stops);
  });
});

describe('calls that wait for a free slot', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

  it('leave in their order, and as many at a time as are allowed', async () => {
    const { call, run, sent, clock } = open(() => clock.sleep(1000).then(() => done), {
      limits: { concurrency: 3 },
    });
    await run(Promise.all(names(8).map((name) => call(name))));
    expect(sent).toEqual(names(8).map((name, index) => [name, Math.floor(index / 3)]));
  });

  it('leave together as soon as there is more than one slot', async () => {
    const { call, run, sent, clock } = open(() => clock.sleep(1000).then(() => done), {
      limits: { concurrency: 'auto' },
      waitsForOutages: true,
    });
    await run(Promise.all(names(60).map((name) => call(name))));
    const perSecond = [0, 1, 2, 3].map((second) => sent.filter(([, seconds]) => seconds === second).length);
    expect(perSecond).toEqual([4, 8, 16, 32]);
  });

  it('end at once at the first Ctrl-C, and none of them is sent', async () => {
    const stopping = new AbortController();
    let end = (_result: AttemptResult) => {};
    const { call, sent } = open(() => new Promise((resolve) => (end = resolve)), {
      limits: { concurrency: 1 },
      stopping: stopping.signal,
    });
    const first = call('first');
    const waiting = Promise.all(names(3).map((name) => call(name)));
    await new Promise(setImmediate);
    stopping.abort();
    expect((await waiting).map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
    end(done);
    expect(await first).toMatchObject({ outcome: 'succeeded' });
    expect(sent.map(([name]) => name)).toEqual(['first']);
  });
});
