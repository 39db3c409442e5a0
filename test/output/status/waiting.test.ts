import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createWaiting } from '../../../src/output/status/waiting.ts';

const clearLine = '\r\u001b[J';

/** On a recorded stream, with a clock and a timer that the test controls. */
function startWaiting({
  isTerminal = true,
  isPlain = false,
  width = 80,
  settings = { quiet: false, verbose: false },
} = {}) {
  let text = '';
  let time = 1_000_000;
  let task: (() => void) | undefined;
  const stopping = new AbortController();
  const stderr = { write: (piece: string) => (text += piece) };
  const context = {
    system: {
      stderr,
      terminal: { stderr: isTerminal, width },
      everySecond: (repeated: () => void) => {
        task = repeated;
        return () => {
          task = undefined;
        };
      },
    },
    clock: { now: () => time },
    settings: { ...settings, isPlain },
    interruption: { stopping: stopping.signal },
    print: { note: (line: string) => void stderr.write(`${line}\n`) },
  };
  const waiting = createWaiting(context);
  return {
    waiting,
    written: () => text,
    /** The lines as they are on the screen. */
    screen: () =>
      text.split('\n').map((line) => stripVTControlCharacters(line.split(clearLine).at(-1) ?? '').trimEnd()),
    pass: (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        time += 1000;
        task?.();
      }
    },
    isTicking: () => task !== undefined,
    interrupt: () => stopping.abort(),
  };
}

/** Work that lasts until `end` is called. */
function openWork() {
  let end = (_result: string) => {};
  const promise = new Promise<string>((resolve) => {
    end = resolve;
  });
  return { work: () => promise, end };
}

describe('at a terminal', () => {
  test('a line after 2 s, drawn again each second and cleared at the end', async () => {
    const { waiting, written, screen, pass, isTicking } = startWaiting();
    const { work, end } = openWork();
    const result = waiting.during(work);
    waiting.request();
    pass(1);
    expect(written()).toBe('');
    pass(1);
    expect(screen()).toEqual(['waiting for the service… 2 s']);
    pass(10);
    expect(screen()).toEqual(['waiting for the service… 12 s']);
    end('the order');
    expect(await result).toBe('the order');
    expect(screen()).toEqual(['']);
    expect(isTicking()).toBe(false);
  });

  test('nothing is cleared where nothing was drawn, and errors pass through', async () => {
    const { waiting, written, pass } = startWaiting();
    const failed = waiting.during(() => Promise.reject(new Error('refused')));
    pass(1);
    await expect(failed).rejects.toThrow('refused');
    expect(written()).toBe('');
  });

  test('each wait is counted from its own beginning', async () => {
    const { waiting, written, pass } = startWaiting();
    for (const [seconds, shown] of [
      [3, true],
      [1, false],
    ] as const) {
      const before = written().length;
      const { work, end } = openWork();
      const result = waiting.during(work);
      pass(seconds);
      end('');
      await result;
      expect(written().length > before).toBe(shown);
    }
  });

  test('a wait that the service asked for, with its length and what is left', () => {
    const { waiting, screen, pass } = startWaiting();
    void waiting.during(openWork().work);
    waiting.pause(90_000, true);
    pass(30);
    expect(screen()).toEqual(['the service asks to wait 1 min 30 s; 1 min 0 s left']);
    pass(60);
    expect(screen()).toEqual(['waiting for the service… 1 min 30 s']);
  });

  test('that the request is tried again, until it leaves', () => {
    const { waiting, screen, pass } = startWaiting();
    void waiting.during(openWork().work);
    waiting.pause(8_000, false);
    pass(3);
    expect(screen()).toEqual(['the service did not respond properly; trying again in 5 s']);
    waiting.request();
    pass(1);
    expect(screen()).toEqual(['waiting for the service… 4 s']);
  });

  test('until the last of several ends', async () => {
    const { waiting, screen, pass, isTicking } = startWaiting();
    const [first, second] = [openWork(), openWork()];
    const [one, other] = [waiting.during(first.work), waiting.during(second.work)];
    pass(2);
    first.end('');
    await one;
    pass(1);
    expect(screen()).toEqual(['waiting for the service… 3 s']);
    second.end('');
    await other;
    expect([screen(), isTicking()]).toEqual([[''], false]);
  });

  test.each([
    [40, 'waiting 1 h 0 min, 59 min 58 s left'],
    [52, 'asked to wait 1 h 0 min; 59 min 58 s left'],
    [30, '59 min 58 s left'],
    [10, '59 min 5…'],
  ])('the length of a wait is shown on %i columns', (width, text) => {
    const { waiting, screen, pass } = startWaiting({ width });
    void waiting.during(openWork().work);
    waiting.pause(3_600_000, true);
    pass(2);
    expect(screen()).toEqual([text]);
  });
});

describe('after Ctrl-C', () => {
  test.each([
    ['the response to a write', 'write', undefined, 'Stopping: waiting up to 10 s for the response'],
    ['a wait', 'write', true, 'Stopped: the service asks to wait 20 s; 17 s left.'],
    [
      'the next attempt',
      'read',
      false,
      'Stopped: the service did not respond properly; trying again in 17 s.',
    ],
    // The error says it.
    ['the response to a read', 'read', undefined, ''],
  ] as const)('says that it was waiting for %s', (_, kind, isAskedFor, sentence) => {
    const { waiting, screen, pass, interrupt } = startWaiting();
    void waiting.during(openWork().work, kind);
    if (isAskedFor !== undefined) waiting.pause(20_000, isAskedFor);
    pass(3);
    interrupt();
    expect(screen()[0]).toContain(sentence);
    expect(screen()).toHaveLength(sentence === '' ? 1 : 2);
  });

  test('nothing once the work has ended', async () => {
    const { waiting, written, interrupt } = startWaiting();
    await waiting.during(async () => 'done', 'write');
    interrupt();
    expect(written()).toBe('');
  });
});

test('in plain form each thing is said once, on a line that stays', async () => {
  const { waiting, written, pass } = startWaiting({ isPlain: true });
  const { work, end } = openWork();
  const result = waiting.during(work);
  pass(5);
  waiting.pause(20_000, true);
  pass(5);
  waiting.request();
  waiting.pause(3_000, false);
  pass(2);
  end('');
  await result;
  expect(written()).toBe(
    'Waiting for the service.\nThe service asks to wait 20 s.\nThe service did not respond properly. Trying again.\n',
  );
});

test.each([
  ['off a terminal', { isTerminal: false }],
  ['with --quiet', { settings: { quiet: true, verbose: false } }],
  ['with --verbose', { settings: { quiet: false, verbose: true } }],
])('nothing %s', async (_, options) => {
  const { waiting, written, pass, interrupt } = startWaiting(options);
  const { work, end } = openWork();
  const result = waiting.during(work, 'write');
  waiting.pause(60_000, true);
  pass(60);
  interrupt();
  end('done');
  expect(await result).toBe('done');
  expect(written()).toBe('');
});
