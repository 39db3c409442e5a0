import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gatherBytes } from '../../../src/api/http/response-reader.ts';

describe('gathered bytes', () => {
  it('are what came, in order, whatever the pieces', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 20 });
    fc.assert(
      fc.property(pieces, (all) => {
        const gathered = gatherBytes();
        for (const piece of all) {
          gathered.add(piece);
          // Whoever sent it may use its memory again.
          piece.fill(0);
          gathered.add(new Uint8Array());
        }
        expect(gathered.length()).toBe(all.reduce((length, piece) => length + piece.length, 0));
        expect(gathered.all().length).toBe(gathered.length());
      }),
    );
    const gathered = gatherBytes();
    const expected: number[] = [];
    for (let turn = 0; turn < 5000; turn++) {
      gathered.add(Uint8Array.of(turn % 251, turn % 13));
      expected.push(turn % 251, turn % 13);
    }
    expect([...gathered.all()]).toEqual(expected);
  });
});
