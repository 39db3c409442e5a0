import process from 'node:process';
import { openSpill } from '../../src/system/spill.ts';

// Writes more than there may be room for, and tells how many texts were taken, refused, and read back as others.
const spill = openSpill();
const texts = Array.from({ length: 200 }, (_, index) => `${index} `.repeat(1500 + index));
const taken: [text: string, place: number][] = [];
let refused = 0;
for (const text of texts) {
  try {
    taken.push([text, spill.write(text)]);
  } catch {
    refused += 1;
  }
}
const damaged = taken.filter(([text, place]) => spill.read(place) !== text).length;
spill.remove();
process.stdout.write(JSON.stringify({ written: taken.length, refused, damaged }));
