import fc from 'fast-check';

const marks = [...'\'"\\$`!%^&|<>(){}[];,~#*?= \t\n\r-/@+:.“”„‘’'];

/** Values of users, full of what shells read as something else. No argument of a process can hold NUL. */
export const words: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: fc.oneof(fc.constantFrom(...marks), fc.constantFrom(...'aZ9өҮ'), letters()) }),
  fc.constantFrom('', '-', '--', '-n', '--help', '~', '.', '*', 'C:\\orders\\1.csv', '%PATH%', '$HOME', '!!'),
);

function letters(): fc.Arbitrary<string> {
  return fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((letter) => letter !== '\0');
}
