import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { createProgress, type ProgressOptions } from '../../src/output/progress.ts';

interface Rehearsal {
  written: () => string;
  /** What a person sees at the end: each line as it was last drawn. */
  seen: () => string[];
  pass: (seconds: number) => void;
  tick: () => void;
  isTicking: () => boolean;
}

function rehearse(
  options: Partial<ProgressOptions> = {},
): Rehearsal & { progress: ReturnType<typeof createProgress> } {
  let text = '';
  let time = 1_000_000;
  let task: (() => void) | undefined;
  const progress = createProgress({
    stream: { write: (piece: string) => (text += piece) },
    isTerminal: false,
    now: () => time,
    total: 100,
    colour: false,
    repeat: (repeated) => {
      task = repeated;
      return () => {
        task = undefined;
      };
    },
    ...options,
  });
  return {
    progress,
    written: () => text,
    seen: () => text.split('\n').map((line) => line.split('\r').at(-1)?.replace('\u001b[K', '') ?? ''),
    pass: (seconds) => {
      time += seconds * 1000;
    },
    tick: () => task?.(),
    isTicking: () => task !== undefined,
  };
}

describe('off a terminal', () => {
  test('a line every 10 s and none before', () => {
    const { progress, written, pass } = rehearse();
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

  test('lines come while nothing happens, and say why', () => {
    const { progress, written, pass, tick, isTicking } = rehearse();
    progress.update({ created: 50 });
    progress.pause('the service asks to wait 30 s');
    for (let second = 0; second < 25; second += 1) {
      pass(1);
      tick();
    }
    const line = '50/100 orders  created 50  paused: the service asks to wait 30 s\n';
    expect(written()).toBe(line + line);
    expect(isTicking()).toBe(true);
  });

  test('other lines are just written', () => {
    const { progress, written } = rehearse();
    let said = '';
    progress.aside(() => {
      said = 'note';
    });
    expect([said, written()]).toEqual(['note', '']);
  });

  test('the end is silent and final', () => {
    const { progress, written, pass, isTicking } = rehearse();
    progress.stop();
    pass(60);
    progress.update({ created: 50 });
    expect(written()).toBe('');
    expect(isTicking()).toBe(false);
  });

  test('a reason cannot act on the terminal', () => {
    const { progress, written, pass, tick } = rehearse();
    progress.pause('\u001b[31mred\u001b[0m\nline');
    pass(10);
    tick();
    expect(written()).toBe('0/100 orders  paused: red line\n');
  });
});

describe('on a terminal', () => {
  test('one line, drawn again in place and ended by stop', () => {
    const { progress, written, seen, pass } = rehearse({ isTerminal: true, width: 120 });
    expect(seen()).toEqual(['────────────────────────  0/100 orders']);
    pass(1);
    progress.update({ created: 25 });
    expect(seen()).toEqual(['━━━━━━──────────────────  25/100 orders  created 25']);
    pass(4);
    progress.update({ created: 48, rejected: 2 });
    expect(seen()).toEqual([
      '━━━━━━━━━━━━────────────  50/100 orders  created 48, rejected 2  10.0/s  5 s left',
    ]);
    progress.update({ created: 98, rejected: 2 });
    progress.stop();
    expect(seen()).toEqual(['━━━━━━━━━━━━━━━━━━━━━━━━  100/100 orders  created 98, rejected 2', '']);
    expect(written()).not.toContain('\u001b[?25l');
    expect(written().replaceAll('\r', '').replaceAll('\u001b[K', '')).not.toContain('\u001b');
  });

  test('lines written in the meantime stand above the bar', () => {
    let stderr = '';
    const stream = { write: (text: string) => (stderr += text) };
    const { progress } = rehearse({ isTerminal: true, stream });
    progress.aside(() => stream.write('Stopping: waiting for the orders in flight.\n'));
    progress.stop();
    progress.aside(() => stream.write('after the end\n'));
    const lines = stderr.split('\n').map((line) => line.split('\r').at(-1)?.replaceAll('\u001b[K', ''));
    const bar = `${'─'.repeat(24)}  0/100 orders`;
    expect(lines).toEqual(['Stopping: waiting for the orders in flight.', bar, 'after the end', '']);
  });

  test('nothing is drawn after stop', () => {
    const { progress, written, pass } = rehearse({ isTerminal: true });
    progress.stop();
    const atEnd = written();
    pass(60);
    progress.update({ created: 100 });
    progress.pause('late');
    progress.stop();
    expect(written()).toBe(atEnd);
  });

  test('redraws no more than ten times a second', () => {
    const { progress, written, pass } = rehearse({ isTerminal: true });
    const draws = () => written().split('\r').length;
    const before = draws();
    for (let count = 0; count < 100; count += 1) {
      pass(0.01);
      progress.update({ created: count });
    }
    expect(draws() - before).toBe(10);
    progress.stop();
  });

  test('a pause hides rate and time left, and neither counts it', () => {
    const { progress, seen, pass } = rehearse({ isTerminal: true, width: 120 });
    pass(5);
    progress.update({ created: 50 });
    expect(seen().at(-1)).toContain('10.0/s  5 s left');
    pass(1);
    progress.pause('the service cannot be reached');
    expect(seen().at(-1)).toMatch(/50\/100 orders {2}created 50 {2}paused: the service cannot be reached$/);
    pass(600);
    progress.resume();
    expect(seen().at(-1)).toMatch(/50\/100 orders {2}created 50$/);
    pass(4);
    progress.update({ created: 70 });
    expect(seen().at(-1)).toContain('5.0/s  6 s left');
    progress.stop();
  });

  test('the bar gives way first, then the end of the text; the last column stays free', () => {
    const counts = { created: 48, already_exists: 1, rejected: 1 };
    const lineAt = (width: number) => {
      const { progress, seen, pass } = rehearse({ isTerminal: true, width });
      pass(5);
      progress.update(counts);
      const line = seen().at(-1) ?? '';
      progress.stop();
      return line;
    };
    const text = '50/100 orders  created 48, already_exists 1, rejected 1  10.0/s  5 s left';
    expect(lineAt(120)).toBe(`${'━'.repeat(12)}${'─'.repeat(12)}  ${text}`);
    expect(lineAt(text.length + 11)).toBe(`━━━━────  ${text}`);
    expect(lineAt(text.length + 10)).toBe(text);
    expect(lineAt(text.length + 1)).toBe(text);
    expect(lineAt(text.length)).toBe(`${text.slice(0, -2)}…`);
    expect(lineAt(1)).toBe('…');
  });

  test('colour: green as it goes, yellow in a pause', () => {
    const { progress, seen, pass } = rehearse({ isTerminal: true, colour: true, width: 60 });
    pass(1);
    progress.update({ created: 50 });
    const rest = (text: string) => `\u001b[2m${'─'.repeat(12)}\u001b[22m  ${text}`;
    expect(seen().at(-1)).toBe(`\u001b[32m${'━'.repeat(12)}\u001b[39m${rest('50/100 orders  created 50')}`);
    pass(1);
    progress.pause('x');
    const paused = rest('50/100 orders  created 50  paused: x').replaceAll('─', '');
    expect(seen().at(-1)).toContain('\u001b[33m━');
    expect(seen().at(-1)?.replaceAll('─', '')).toContain(paused);
    progress.stop();
  });

  test('an import without orders is done', () => {
    const { progress, seen } = rehearse({ isTerminal: true, total: 0 });
    progress.stop();
    expect(seen()).toEqual(['━━━━━━━━━━━━━━━━━━━━━━━━  0/0 orders', '']);
  });

  test('listens to no signal', () => {
    const listeners = () => process.listenerCount('SIGINT') + process.listenerCount('SIGTERM');
    const before = listeners();
    const { progress } = rehearse({ isTerminal: true });
    expect(listeners()).toBe(before);
    progress.stop();
  });
});

test.each([
  { isTerminal: true, repeat: undefined },
  { isTerminal: false, repeat: undefined },
])('does not keep the process alive: terminal $isTerminal', ({ isTerminal }) => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const options = { stream: { write: () => {} }, isTerminal, now: () => 0, total: 1, colour: false };
  const progress = createProgress(options);
  expect(timers()).toBe(before);
  progress.stop();
});
