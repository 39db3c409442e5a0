import process from 'node:process';
import { openSpill } from '../../src/system/temporary-file.ts';

// Writes more texts than may fit, and prints how many were written, failed, and were read back damaged,
// and whether a text was written that is too long to wait in memory.
const spill = openSpill();
const texts = Array.from({ length: 200 }, (_, index) => `${index} `.repeat(1500 + index));
const written: [text: string, position: number][] = [];
let failed = 0;
for (const text of texts) {
  try {
    written.push([text, spill.write(text)]);
  } catch {
    failed += 1;
  }
}
let isLargeWritten = true;
try {
  spill.write('x'.repeat(300_000));
} catch {
  isLargeWritten = false;
}
const damaged = written.filter(([text, position]) => spill.read(position) !== text).length;
spill.remove();
process.stdout.write(JSON.stringify({ written: written.length, failed, damaged, isLargeWritten }));
