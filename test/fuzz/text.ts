import fc, { type Arbitrary } from 'fast-check';
import words from './words.json' with { type: 'json' };

/** Half of a character, which a file of JSON may not have. */
const half = '\ud800';
const units = [...words.units, half];
const edges = words.edges;

/** What patterns for numbers and spaces stumble over. */
const repeated = ['0', '9', ' ', '\t', '.', '(', '[999]', 'a'];

/** Each as likely as any other; `fc.double` nearly always draws the numbers next to 0. */
export function part(): Arbitrary<number> {
  return fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
}

/** A value in one of so many cases, and none in the others. */
export function seldom<Value>(value: Arbitrary<Value>, cases: number): Arbitrary<Value | undefined> {
  return fc.oneof({ weight: cases - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}

/** The number of repetitions: as often about ten as about `max`. */
export function length(max: number): Arbitrary<number> {
  return fc
    .oneof({ weight: 9, arbitrary: part() }, { weight: 1, arbitrary: fc.constant(1) })
    .map((power) => Math.max(1, Math.floor(max ** power)));
}

/** One short text many times, with something else before and after it. */
export function longText(max: number): Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...edges),
      fc.oneof(fc.constantFrom(...repeated), fc.constantFrom(...units)),
      length(max),
      fc.oneof(fc.constantFrom('', 'x', '1'), fc.constantFrom(...edges)),
    )
    .map(([before, unit, times, after]) => before + unit.repeat(Math.ceil(times / unit.length)) + after);
}

/** Nearly an amount: digits, zeros, spaces and marks in their thousands. */
export function longNumber(max: number): Arbitrary<string> {
  const run = fc
    .tuple(fc.constantFrom('0', '9', '0', '1', ' '), length(max))
    .map(([unit, times]) => unit.repeat(times));
  return fc
    .tuple(
      fc.constantFrom('', '1', '-', '1.', '0.'),
      run,
      fc.constantFrom('', 'x', '1', '.', '.00', '.0x', 'e9'),
    )
    .map((parts) => parts.join(''));
}

const oddTexts = [...words.oddTexts, half];

export function oddText(max: number): Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...oddTexts) },
    { weight: 2, arbitrary: longText(max) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  );
}

/** Opens many levels, and closes them all or not. */
function deepJson(max: number): Arbitrary<string> {
  const level = fc.constantFrom(
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"data":', '}]'],
    ['{"errors":[', ']}'],
    ['{"":', '}'],
  );
  return fc
    .tuple(level, length(max), fc.constantFrom('', '1', '{}', '"x"', '"UB-1"'), fc.boolean())
    .map(
      ([[open = '', close = ''], levels, inside, isClosed]) =>
        open.repeat(levels) + inside + (isClosed ? close.repeat(levels) : ''),
    );
}

/** A list or an object with many members. */
function wideJson(max: number): Arbitrary<string> {
  const item = fc.constantFrom(
    '{}',
    '[]',
    '1',
    '""',
    'null',
    '{"id":"x"}',
    '"key: value"',
    '{"message":"m","field":"f"}',
  );
  const list = fc.tuple(item, length(max)).map(([one, count]) => `[${one}${`,${one}`.repeat(count - 1)}]`);
  const object = fc.tuple(item, length(max / 4)).map(([one, count]) => {
    return `{${Array.from({ length: count }, (_, place) => `"k${place}":${one}`).join(',')}}`;
  });
  return fc.oneof(list, list, object);
}

/** The text of one JSON value: odd, long, deep or wide. */
export function oddJson(max: number): Arbitrary<string> {
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ...[
          'null',
          'true',
          'false',
          '0',
          '-0',
          '1e400',
          '1E-999',
          '12345678901234567890',
          '1.10',
          '{}',
          '[]',
          '[[]]',
          '""',
        ],
        ...[
          '[null]',
          '[{}]',
          '{"id":1}',
          '{"id":null}',
          '{"__proto__":{"x":1}}',
          '{"a":1,"a":2}',
          '[1,"1"]',
          '{"":""}',
        ],
      ),
    },
    { weight: 2, arbitrary: oddText(max).map((text) => JSON.stringify(text)) },
    { weight: 1, arbitrary: longNumber(max).map((text) => `"${text}"`) },
    { weight: 1, arbitrary: length(max).map((digits) => '9'.repeat(digits)) },
    { weight: 1, arbitrary: length(max).map((digits) => `1e${'9'.repeat(digits)}`) },
    { weight: 2, arbitrary: deepJson(max) },
    { weight: 2, arbitrary: wideJson(max) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
  );
}

/** The text of an object with these members, some of them with odd values, missing or twice. */
export function oddObject(
  members: Record<string, string>,
  max: number,
  value = oddJson(max),
): Arbitrary<string> {
  const names = Object.keys(members);
  const change = fc.tuple(
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...names) },
      { weight: 1, arbitrary: oddText(max / 10) },
    ),
    fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant(undefined) }),
  );
  return fc.tuple(fc.array(change, { maxLength: 3 }), fc.boolean()).map(([changes, isTwice]) => {
    const changed = new Map(changes);
    const kept = Object.entries(members).filter(([name]) => isTwice || !changed.has(name));
    const odd = [...changed].filter(([, value]) => value !== undefined);
    const all = [...kept, ...odd].map(([name, value]) => `${JSON.stringify(name)}:${value}`);
    return `{${all.join(',')}}`;
  });
}

/** Flips, cuts, repeats and inserts bytes. */
export function damage(bytes: Buffer): Arbitrary<Buffer> {
  const place = part().map((share) => Math.floor(share * bytes.length));
  const step = fc.oneof(
    fc.tuple(place, fc.nat(255)).map(([at, value]) => (from: Buffer) => {
      const to = Buffer.from(from);
      if (at < to.length) to[at] = value;
      return to;
    }),
    place.map((at) => (from: Buffer) => from.subarray(0, at)),
    fc.tuple(place, place).map(
      ([at, to]) =>
        (from: Buffer) =>
          Buffer.concat([from.subarray(0, at), from.subarray(to)]),
    ),
    fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 20 })).map(
      ([at, more]) =>
        (from: Buffer) =>
          Buffer.concat([from.subarray(0, at), more, from.subarray(at)]),
    ),
  );
  return fc
    .array(step, { minLength: 1, maxLength: 8 })
    .map((steps) => steps.reduce((from, change) => change(from), bytes));
}
