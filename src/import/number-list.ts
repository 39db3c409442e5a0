/** Numbers in few bytes each: a list that grows, for millions of them. */
export interface NumberList {
  readonly length: number;
  push(value: number): void;
  at(index: number): number | undefined;
  /** Puts them in order, from the smallest to the largest; the list itself, since a copy would need as much again. */
  sort(): Float64Array;
}

export function createNumberList(): NumberList {
  let values = new Float64Array(64);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push: (value) => {
      if (length === values.length) {
        const larger = new Float64Array(Math.ceil(1.5 * length));
        larger.set(values);
        values = larger;
      }
      values[length] = value;
      length += 1;
    },
    at: (index) => (index < length ? values[index] : undefined),
    sort: () => values.subarray(0, length).sort(),
  };
}
