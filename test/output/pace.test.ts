import { expect, test } from 'vitest';
import { createPace } from '../../src/output/progress.ts';

function clock() {
  let time = 500;
  return { now: () => time, pass: (seconds: number) => (time += seconds * 1000) };
}

test('says nothing before 3 s', () => {
  const { now, pass } = clock();
  const pace = createPace(now);
  pass(2.9);
  pace.record(29);
  expect(pace.perSecond()).toBeUndefined();
  pass(0.1);
  expect(pace.perSecond()).toBeCloseTo(29 / 3);
});

test('forgets what is longer ago than 15 s', () => {
  const { now, pass } = clock();
  const pace = createPace(now);
  let done = 0;
  for (let second = 0; second < 60; second += 1) {
    pass(1);
    done += second < 30 ? 100 : 10;
    pace.record(done);
  }
  expect(pace.perSecond()).toBe(10);
});

test('one burst hardly moves it', () => {
  const { now, pass } = clock();
  const pace = createPace(now);
  for (let second = 1; second <= 10; second += 1) {
    pass(1);
    pace.record(second * 10);
  }
  pace.record(130);
  expect(pace.perSecond()).toBe(13);
});

test('slows down while nothing comes, and starts anew when told to', () => {
  const { now, pass } = clock();
  const pace = createPace(now);
  pass(5);
  pace.record(50);
  pass(5);
  expect(pace.perSecond()).toBe(5);
  pace.restart(50);
  expect(pace.perSecond()).toBeUndefined();
  pass(4);
  pace.record(54);
  expect(pace.perSecond()).toBe(1);
});
