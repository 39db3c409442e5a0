import { isDeepStrictEqual } from 'node:util';

type Matcher = (actual: unknown, operand: unknown) => boolean;

const matchers = new Map<string, Matcher>(
  Object.entries({
    $matches: (actual, pattern) => typeof actual === 'string' && new RegExp(String(pattern)).test(actual),
    $absent: (actual) => actual === undefined,
    $any: (actual) => actual !== undefined,
    $objectOrNull: (actual) => actual === null || isObject(actual),
    $oneOf: (actual, choices) => (choices as unknown[]).some((choice) => isAsExpected(actual, choice)),
    $not: (actual, other) => actual !== undefined && !isAsExpected(actual, other),
  } satisfies Record<string, Matcher>),
);

/** Describes each difference between a value and what is expected; objects may have additional members. */
export function differences(actual: unknown, expected: unknown, path: string): string[] {
  const difference = `${path} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`;
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return [difference];
    return expected.flatMap((item, place) => differences(actual[place], item, `${path}[${place}]`));
  }
  if (!isObject(expected)) return isDeepStrictEqual(actual, expected) ? [] : [difference];
  const [key = ''] = Object.keys(expected);
  const matcher = matchers.get(key);
  if (matcher) return matcher(actual, expected[key]) ? [] : [difference];
  if (!isObject(actual)) return [difference];
  return Object.entries(expected).flatMap(([name, value]) =>
    differences(Object.hasOwn(actual, name) ? actual[name] : undefined, value, `${path}.${name}`),
  );
}

function isAsExpected(actual: unknown, expected: unknown): boolean {
  return differences(actual, expected, '').length === 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
