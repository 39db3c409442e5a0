import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  createProgress,
  createRateEstimate,
  formatDuration,
  formatProgressLine,
} from '../../../src/output/status/progress.ts';

/** Progress on a recorded stream, with a clock and a timer that the test controls. */
function startProgress({
  isTerminal = false,
  width = 80,
  total = 100,
  settings = { quiet: false, verbose: false },
  isPlain = false,
} = {}) {
  let text = '';
  let time = 1_000_000;
  let task: (() => void) | undefined;
  const stopping = new AbortController();
  const stderr = { write: (piece: string) => (text += piece) };
  const terminal = { stderr: isTerminal, width };
  const context = {
    system: { stderr, terminal },
    clock: { now: () => time },
    settings: { ...settings, isPlain },
    interruption: { stopping: stopping.signal },
    print: { note: (line: string) => void stderr.write(`${line}\n`) },
  };
  const progress = createProgress(context, total, (repeated) => {
    task = repeated;
    return () => {
      task = undefined;
    };
  });
  return {
    progress,
    stderr,
    written: () => text,
    /** The visible lines, each as it was last drawn. */
    visible: () => text.split('\n').map((line) => drawn(line.split(clearLine).at(-1))),
    pass: (seconds: number) => {
      time += seconds * 1000;
    },
    tick: () => task?.(),
    isTicking: () => task !== undefined,
    interrupt: () => stopping.abort(),
    resize: (columns: number) => {
      terminal.width = columns;
    },
  };
}

/** The lines of a terminal that breaks a line anew when its width changes; it clears from the row of the cursor on. */
function createScreen(stderr: { write(piece: string): unknown }) {
  let [text, cursor, doesWrap] = ['', 0, true];
  const write = stderr.write;
  const screen = {
    width: 80,
    rows: () => Math.max(1, Math.ceil(text.length / screen.width)),
    text: () => text,
  };
  stderr.write = (piece) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal acts on
    for (const part of piece.split(/(\r|\u001b\[J|\u001b\[\?7[lh])/)) {
      const row = Math.max(0, Math.ceil(cursor / screen.width) - 1);
      if (part === '\r') cursor = row * screen.width;
      else if (part === '\u001b[J') text = text.slice(0, cursor);
      else if (part.startsWith('\u001b')) doesWrap = part.endsWith('h');
      else if (part !== '') {
        text += doesWrap ? part : part.slice(0, screen.width - (cursor % screen.width));
        cursor = text.length;
      }
    }
    return write(piece);
  };
  return screen;
}

const clearLine = '\r\u001b[J';
/** The text of a line that was drawn, or of one that was written as it is. */
const drawn = (line = '') => stripVTControlCharacters(line).replace('\r', '');

test('in plain form a terminal gets lines too, and nothing is drawn again', () => {
  const { progress, written, pass } = startProgress({ isTerminal: true, isPlain: true });
  progress.update({ created: 5 });
  pass(10);
  progress.update({ created: 48 });
  progress.stop();
  expect(written()).toBe('48/100 orders  created 48  4.8/s  11 s left\n');
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

  test('repeats the line during a pause, with its reason', () => {
    const { progress, written, pass, tick, isTicking } = startProgress();
    progress.update({ created: 50 });
    progress.pause(30_000, 'server_requested');
    for (let second = 0; second < 25; second += 1) {
      pass(1);
      tick();
    }
    const line = '50/100 orders  created 50  paused: the service asks to wait 30 s\n';
    expect(written()).toBe(line + line);
    expect(isTicking()).toBe(true);
  });

  test('other lines are written as they are', () => {
    const { progress, written } = startProgress();
    let note = '';
    progress.writeAbove(() => {
      note = 'note';
    });
    expect([note, written()]).toEqual(['note', '']);
  });

  test('nothing is written after stop', () => {
    const { progress, written, pass, isTicking } = startProgress();
    progress.stop();
    pass(60);
    progress.update({ created: 50 });
    expect(written()).toBe('');
    expect(isTicking()).toBe(false);
  });

  test('nothing is written with --quiet or --verbose', () => {
    for (const settings of [
      { quiet: true, verbose: false },
      { quiet: false, verbose: true },
    ]) {
      const { progress, written, pass, tick } = startProgress({ isTerminal: true, settings });
      pass(60);
      progress.update({ created: 50 });
      tick();
      progress.stop();
      expect(written()).toBe('');
    }
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

  test('other lines appear above the bar', () => {
    const { progress, stderr, visible, interrupt } = startProgress({ isTerminal: true });
    progress.writeAbove(() => stderr.write('{"outcome":"created"}\n'));
    interrupt();
    progress.stop();
    progress.writeAbove(() => stderr.write('after the end\n'));
    expect(visible()).toEqual([
      '{"outcome":"created"}',
      'Stopping: waiting for requests in flight. Press Ctrl-C again to quit now.',
      `${'─'.repeat(24)}  0/100 orders`,
      'after the end',
      '',
    ]);
  });

  test('an interruption after stop is not reported', () => {
    const { progress, written, interrupt } = startProgress();
    progress.stop();
    interrupt();
    expect(written()).toBe('');
  });

  test('is drawn again while nothing happens', () => {
    const { progress, visible, pass, tick } = startProgress({ isTerminal: true });
    pass(4);
    progress.update({ created: 40 });
    pass(4);
    tick();
    expect(visible().at(-1)).toContain('40/100 orders  created 40  5.0/s  12 s left');
    progress.stop();
  });

  test('nothing is drawn after stop', () => {
    const { progress, written, pass } = startProgress({ isTerminal: true });
    progress.stop();
    const atEnd = written();
    pass(60);
    progress.update({ created: 100 });
    progress.pause(1000, 'server_requested');
    progress.stop();
    expect(written()).toBe(atEnd);
  });

  test('redraws no more than ten times a second', () => {
    const { progress, written, pass } = startProgress({ isTerminal: true });
    const draws = () => written().split(clearLine).length;
    const before = draws();
    for (let count = 0; count < 100; count += 1) {
      pass(0.01);
      progress.update({ created: count });
    }
    expect(draws() - before).toBe(10);
    progress.stop();
  });

  test('a pause hides rate and time left, and neither counts it; the first update after it ends it', () => {
    const { progress, visible, pass } = startProgress({ isTerminal: true, width: 120 });
    pass(5);
    progress.update({ created: 50 });
    expect(visible().at(-1)).toContain('10.0/s  5 s left');
    pass(1);
    progress.pause(600_000, 'outage');
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

  test('orders that were not sent are not done', () => {
    const counts = { created: 50, not_sent: 2949 };
    expect(formatProgressLine({ total: 2999, counts })).toBe('50/2999 orders  created 50, not sent 2949');
  });

  test('the bar is shortened first, then the text; the last column stays free', () => {
    const counts = { created: 48, already_exists: 1, rejected: 1 };
    const lineAt = (width: number, pausedFor?: number) => {
      const { progress, visible, pass } = startProgress({ isTerminal: true, width });
      pass(5);
      progress.update(counts);
      if (pausedFor !== undefined) {
        pass(1);
        progress.pause(pausedFor, 'server_requested');
      }
      const line = visible().at(-1) ?? '';
      progress.stop();
      return line;
    };
    const text = '50/100 orders  created 48, already exists 1, rejected 1  10.0/s  5 s left';
    expect(lineAt(120)).toBe(`${'━'.repeat(12)}${'─'.repeat(12)}  ${text}`);
    expect(lineAt(text.length + 11)).toBe(`━━━━────  ${text}`);
    expect(lineAt(text.length + 10)).toBe(text);
    expect(lineAt(text.length + 1)).toBe(text);
    expect(lineAt(text.length)).toBe(text.replace('  10.0/s', ''));
    expect(lineAt(40)).toBe('50/100 orders  5 s left');
    expect(lineAt(10)).toBe('50/100  …');
    expect(lineAt(1)).toBe('…');
    const paused = '50/100 orders  paused: the service asks to wait 90 s';
    expect(lineAt(paused.length + 1, 90_000)).toBe(paused);
    expect(lineAt(40, 90_000)).toBe('50/100  paused: asked to wait 90 s');
  });

  test('a terminal that becomes narrower or wider has one line', () => {
    const { progress, stderr, pass, resize } = startProgress({ isTerminal: true, width: 80 });
    const screen = createScreen(stderr);
    progress.update({ created: 48 });
    for (const width of [50, 20, 10, 30, 80]) {
      resize(width);
      screen.width = width;
      pass(1);
      progress.update({ created: 49 });
      expect(screen.rows()).toBe(1);
      expect(screen.text()).toMatch(/^(?:━.*)?49\/100/);
    }
    progress.stop();
  });

  test('a terminal that is narrower before the program knows of it has one line afterwards', () => {
    const { progress, stderr, pass, resize } = startProgress({ isTerminal: true, width: 80 });
    const screen = createScreen(stderr);
    for (const created of [1, 2, 3]) {
      screen.width = created === 1 ? 80 : 30;
      pass(1);
      progress.update({ created });
    }
    resize(30);
    pass(1);
    progress.update({ created: 4 });
    expect(screen.rows()).toBe(1);
    expect(screen.text()).toMatch(/^4\/100/);
    progress.stop();
  });

  test('an import without orders is done', () => {
    const { progress, visible } = startProgress({ isTerminal: true, total: 0 });
    progress.stop();
    expect(visible()).toEqual(['━━━━━━━━━━━━━━━━━━━━━━━━  0/0 orders', '']);
  });

  test('adds no signal listeners', () => {
    const listeners = () => process.listenerCount('SIGINT') + process.listenerCount('SIGTERM');
    const before = listeners();
    const { progress } = startProgress({ isTerminal: true });
    expect(listeners()).toBe(before);
    progress.stop();
  });
});

test.each([true, false])('does not keep the process alive: terminal %s', (isTerminal) => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const progress = createProgress(
    {
      system: { stderr: { write: () => {} }, terminal: { stderr: isTerminal, width: 80 } },
      clock: { now: () => 0 },
      settings: { quiet: false, verbose: false, isPlain: false },
      interruption: { stopping: new AbortController().signal },
      print: { note: () => {} },
    },
    1,
  );
  expect(timers()).toBe(before);
  progress.stop();
});

describe('orders a second', () => {
  function clock() {
    let time = 500;
    return { now: () => time, pass: (seconds: number) => (time += seconds * 1000) };
  }

  test('is undefined before 3 s', () => {
    const { now, pass } = clock();
    const rate = createRateEstimate(now);
    pass(2.9);
    rate.record(29);
    expect(rate.perSecond()).toBeUndefined();
    pass(0.1);
    expect(rate.perSecond()).toBeCloseTo(29 / 3);
  });

  test('ignores what is older than 15 s', () => {
    const { now, pass } = clock();
    const rate = createRateEstimate(now);
    let done = 0;
    for (let second = 0; second < 60; second += 1) {
      pass(1);
      done += second < 30 ? 100 : 10;
      rate.record(done);
    }
    expect(rate.perSecond()).toBe(10);
  });

  test('is hardly changed by one burst', () => {
    const { now, pass } = clock();
    const rate = createRateEstimate(now);
    for (let second = 1; second <= 10; second += 1) {
      pass(1);
      rate.record(second * 10);
    }
    rate.record(130);
    expect(rate.perSecond()).toBe(13);
  });

  test('drops while nothing is recorded, and can be restarted', () => {
    const { now, pass } = clock();
    const rate = createRateEstimate(now);
    pass(5);
    rate.record(50);
    pass(5);
    expect(rate.perSecond()).toBe(5);
    rate.restart(50);
    expect(rate.perSecond()).toBeUndefined();
    pass(4);
    rate.record(54);
    expect(rate.perSecond()).toBe(1);
  });
});

test.each([
  [0.2, '1 s'],
  [59, '59 s'],
  [59.5, '1 min 0 s'],
  [125, '2 min 5 s'],
  [3599, '59 min 59 s'],
  [4321, '1 h 12 min'],
  [360_000, '100 h 0 min'],
])('formats %d seconds as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

const state = { total: 10, counts: { created: 10 }, perSecond: 2 };

test.each([
  [state, '10/10 orders  created 10  2.0/s'],
  [{ ...state, counts: { created: 4, unknown: 1 } }, '5/10 orders  created 4, unknown 1  2.0/s  3 s left'],
  [{ ...state, counts: {}, perSecond: 0 }, '0/10 orders  0.0/s'],
  [{ ...state, counts: {}, perSecond: undefined }, '0/10 orders'],
  [
    { ...state, pause: { text: 'the service asks to wait 2 s', short: '' } },
    '10/10 orders  created 10  paused: the service asks to wait 2 s',
  ],
])('formats %j', (progress, line) => {
  expect(formatProgressLine(progress)).toBe(line);
});
