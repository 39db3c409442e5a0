import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSpill } from '../../src/system/temporary-file.ts';
import { runScript } from '../support/program.ts';

function open(parent?: string) {
  const spill = openSpill(parent);
  onTestFinished(() => spill.remove());
  return spill;
}

describe('a spill', () => {
  it('returns every text, before and after it reaches the disk', () => {
    const spill = open();
    const texts = [
      '',
      'Өдөр',
      'a'.repeat(4091),
      'b'.repeat(4092),
      'c'.repeat(4093),
      'd'.repeat(300_000),
      'e',
    ];
    const positions = texts.map((text) => spill.write(text));
    expect(positions.map(spill.read)).toEqual(texts);
    const more = Array.from({ length: 100 }, (_, index) => `${index}`.repeat(5000));
    const all = [...texts, ...more];
    for (const text of more) positions.push(spill.write(text));
    expect(positions.map(spill.read)).toEqual(all);
    expect(positions.toReversed().map(spill.read)).toEqual(all.toReversed());
  });

  it('cuts no text of several bytes a letter, however much of the memory is used already', () => {
    const texts = Array.from({ length: 400 }, (_, index) => 'Өдөр日🐎'.repeat(100 + index));
    const spill = open();
    const positions = texts.map((text) => spill.write(text));
    expect(positions.map(spill.read)).toEqual(texts);
  });
});

// The file size limit of the shell simulates a full disk.
describe('a disk that fills up', () => {
  it('loses only the texts whose write failed', () => {
    const script = `ulimit -f 700 && exec "$0" "$1" test/system/fill-spill.ts`;
    const output = execFileSync('/bin/sh', ['-c', script, process.execPath, runScript], { encoding: 'utf8' });
    const { written, failed, ...rest } = JSON.parse(output) as Record<string, number>;
    expect(rest).toEqual({ damaged: 0, isLargeWritten: false });
    expect([written, failed].map((count) => (count ?? 0) > 20)).toEqual([true, true]);
  });
});
