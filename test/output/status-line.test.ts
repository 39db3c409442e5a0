import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createStatusLine } from '../../src/output/status-line.ts';
import { repeat } from '../../src/system/system.ts';

const clearLine = '\r\u001b[J';
/** The text of a line that was drawn, or of one that was written as it is. */
const drawn = (line = '') => stripVTControlCharacters(line).replace('\r', '');

/** A status line on a recorded stream, with a clock and a timer that the test controls. */
function start({
  isTerminal = true,
  isPlain = false,
  width = 80,
  settings = { quiet: false, verbose: false },
} = {}) {
  let text = '';
  let time = 1_000_000;
  let task: (() => void) | undefined;
  let period = 0;
  const stopping = new AbortController();
  const stderr = { write: (piece: string) => (text += piece) };
  const status = createStatusLine({
    system: {
      stderr,
      terminal: { stderr: isTerminal, width },
      repeat: (repeated, milliseconds) => {
        task = repeated;
        period = milliseconds;
        return () => {
          task = undefined;
        };
      },
    },
    clock: { now: () => time },
    settings: { ...settings, isPlain },
    interruption: { stopping: stopping.signal },
    print: { note: (line) => void stderr.write(`${String(line)}\n`) },
  });
  return {
    status,
    stderr,
    written: () => text,
    /** The visible lines, each as it was last drawn. */
    visible: () => text.split('\n').map((line) => drawn(line.split(clearLine).at(-1))),
    pass: (seconds: number) => {
      time += seconds * 1000;
    },
    tick: () => task?.(),
    isTicking: () => task !== undefined,
    period: () => period,
    interrupt: () => stopping.abort(),
  };
}

/** The same while a command waits: each second is a tick. */
function startWaiting(options: Parameters<typeof start>[0] = {}) {
  const { status, visible, pass, tick, ...others } = start(options);
  const passTicking = (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      pass(1);
      tick();
    }
  };
  return { waiting: status, screen: visible, pass: passTicking, ...others };
}

/** The same while orders are done. */
function startProgress({
  total = 100,
  isTerminal = false,
  ...options
}: { total?: number } & Parameters<typeof start>[0] = {}) {
  const { status, ...others } = start({ isTerminal, ...options });
  return { status, progress: status.startProgress(total), ...others };
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

  test('a wait that the service asked for, with its length and what is left', () => {
    const { waiting, screen, pass } = startWaiting();
    void waiting.during(openWork().work);
    waiting.pause(90_000, true);
    pass(30);
    expect(screen()).toEqual(['the service asks to wait 1 min 30 s; 1 min left']);
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

  test.each([
    [60, 'the service asks to wait 1 h; 59 min 58 s left'],
    [40, 'the service asks to wait 1 h; 59 min 5…'],
  ])('a wait is cut to %i columns', (width, text) => {
    const { waiting, screen, pass } = startWaiting({ width });
    void waiting.during(openWork().work);
    waiting.pause(3_600_000, true);
    pass(2);
    expect(screen()).toEqual([text]);
  });
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

describe('off a terminal', () => {
  test('a line every 10 s and none before', () => {
    const { progress, written, pass } = startProgress();
    progress.update({ created: 5 });
    pass(9.9);
    progress.update({ created: 40 });
    expect(written()).toBe('');
    pass(0.1);
    progress.update({ created: 48, rejected: 2, unknown: 0 });
    expect(written()).toBe('50/100 orders  created 48, rejected 2  5.0/s  10 s left\n');
    pass(9.9);
    progress.update({ created: 60 });
    expect(written().split('\n')).toHaveLength(2);
    pass(0.1);
    progress.update({ created: 70 });
    expect(written().split('\n')[1]).toBe('70/100 orders  created 70  3.5/s  9 s left');
  });
});

describe('on a terminal', () => {
  test('one line, drawn again in place and ended by stop', () => {
    const { progress, written, visible, pass } = startProgress({ isTerminal: true, width: 120 });
    expect(visible()).toEqual(['────────────────────────  0/100 orders']);
    pass(1);
    progress.update({ created: 25 });
    expect(visible()).toEqual(['━━━━━━──────────────────  25/100 orders  created 25']);
    pass(4);
    progress.update({ created: 48, rejected: 2 });
    expect(visible()).toEqual([
      '━━━━━━━━━━━━────────────  50/100 orders  created 48, rejected 2  10.0/s  5 s left',
    ]);
    progress.update({ created: 98, rejected: 2 });
    progress.stop();
    expect(visible()).toEqual(['━━━━━━━━━━━━━━━━━━━━━━━━  100/100 orders  created 98, rejected 2', '']);
    expect(written()).not.toContain('\u001b[?25l');
    const codes = written()
      .split(clearLine)
      .join('')
      .replaceAll('\u001b[?7l', '')
      .replaceAll('\u001b[?7h\r', '');
    expect(codes).not.toContain('\u001b');
  });

  test('a pause hides rate and time left, and neither counts it; the first update after it ends it', () => {
    const { status, progress, visible, pass } = startProgress({ isTerminal: true, width: 120 });
    pass(5);
    progress.update({ created: 50 });
    expect(visible().at(-1)).toContain('10.0/s  5 s left');
    pass(1);
    status.pause(600_000, false);
    const paused = 'paused: the service does not respond properly; trying again in 10 min';
    expect(visible().at(-1)).toMatch(new RegExp(`50/100 orders  created 50  ${paused}$`));
    pass(599);
    progress.update({ created: 51 });
    expect(visible().at(-1)).toMatch(new RegExp(`51/100 orders  created 51  ${paused}$`));
    pass(1);
    progress.update({ created: 52 });
    expect(visible().at(-1)).toMatch(/52\/100 orders {2}created 52$/);
    pass(4);
    progress.update({ created: 71 });
    expect(visible().at(-1)).toContain('5.0/s  6 s left');
    progress.stop();
  });
});

test('does not keep the process alive', () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const stop = repeat(() => undefined, 100);
  expect(timers()).toBe(before);
  stop();
});
