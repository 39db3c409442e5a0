/** Bytes that come in pieces, kept as one piece: many small ones must not cost more than they hold. */
export interface GatheredBytes {
  add(piece: Uint8Array): void;
  /** How many there are. */
  length(): number;
  all(): Uint8Array;
}

const firstRoom = 4096;

export function gatherBytes(): GatheredBytes {
  let room = new Uint8Array(0);
  let length = 0;
  return {
    add: (piece) => {
      const needed = length + piece.length;
      if (needed > room.length) {
        const larger = new Uint8Array(Math.max(needed, room.length * 2, firstRoom));
        larger.set(room.subarray(0, length));
        room = larger;
      }
      room.set(piece, length);
      length = needed;
    },
    length: () => length,
    all: () => room.subarray(0, length),
  };
}
