import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gatherBytes } from '../../../src/api/http/response-reader.ts';

describe('gathered bytes', () => {
  it('equal the received chunks in order', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 20 });
    fc.assert(
      fc.property(pieces, (all) => {
        const gathered = gatherBytes();
        for (const piece of all) {
          gathered.add(piece);
          // The sender may reuse the buffer.
          piece.fill(0);
          gathered.add(new Uint8Array());
        }
        expect(gathered.length()).toBe(all.reduce((length, piece) => length + piece.length, 0));
        expect(gathered.all().length).toBe(gathered.length());
      }),
    );
    const gathered = gatherBytes();
    const expected: number[] = [];
    for (let index = 0; index < 5000; index++) {
      gathered.add(Uint8Array.of(index % 251, index % 13));
      expected.push(index % 251, index % 13);
    }
    expect([...gathered.all()]).toEqual(expected);
  });
});
