import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSpill } from '../../src/system/spill.ts';
import { runScript } from '../support/program.ts';
import { newDirectory } from './private-mode.ts';

function open(place?: string) {
  const spill = openSpill(place);
  onTestFinished(() => spill.remove());
  return spill;
}

describe('a spill', () => {
  it('gives back every text, whatever its length, before and after it reached the disk', () => {
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
    const places = texts.map((text) => spill.write(text));
    expect(places.map(spill.read)).toEqual(texts);
    for (let more = 0; more < 100; more += 1) spill.write('x'.repeat(10_000));
    expect(places.map(spill.read)).toEqual(texts);
  });

  it('leaves nothing behind, also not while it is open', () => {
    const place = newDirectory();
    const spill = openSpill(place);
    spill.write('a'.repeat(300_000));
    const during = readdirSync(place);
    spill.remove();
    expect([during, readdirSync(place)]).toEqual([[], []]);
  });

  it('says that it cannot be written where there is no place for it', () => {
    expect(() => openSpill(join(newDirectory(), 'none'))).toThrow(
      expect.objectContaining({ code: 'file_not_writable' }),
    );
  });
});

// The shell's limit of a file's length stands for a disk that is full.
describe('a disk that fills up', () => {
  it('loses the texts that it refused and no other', () => {
    const script = `ulimit -f 700 && exec "$0" "$1" test/system/fill-spill.ts`;
    const told = execFileSync('/bin/sh', ['-c', script, process.execPath, runScript], { encoding: 'utf8' });
    const { written, refused, damaged } = JSON.parse(told) as Record<string, number>;
    expect(damaged).toBe(0);
    expect([written, refused].map((count) => (count ?? 0) > 20)).toEqual([true, true]);
  });
});
