import type { Mutant } from '../mutant.ts';

const findHeader = 'src/import/read/find-header.ts';
const headerTests = ['test/import/plan/header-row.test.ts'];
const damage = 'src/import/read/damage.ts';
const typedDate = 'src/import/words/typed-date.ts';

export const reading: readonly Mutant[] = [
  {
    name: 'header-that-rows-do-not-fit',
    promise: 'The header is the first row with rows below that fit its columns.',
    file: findHeader,
    find: 'if (2 * fitting.length < rows.length) return false;',
    replace: 'if (2 * fitting.length < 0) return false;',
    tests: headerTests,
  },
  {
    name: 'lost-letters-sent',
    promise: 'A question mark inside a Cyrillic word is text_damaged.',
    file: damage,
    find: '/[?\\uFFFD]/.test(text) &&',
    replace: '/[\\uFFFD]/.test(text) &&',
    tests: ['test/import/plan/cells.test.ts', 'test/commands/import/bad-file.test.ts'],
  },
  {
    name: 'id-in-scientific-notation-sent',
    promise: 'A number that a spreadsheet wrote with an exponent is refused.',
    file: damage,
    find: '/^[+-]?\\d(?:[.,]\\d+)?E[+-]\\d{2,3}$/i',
    replace: '/^[+-]?\\d(?:[.,]\\d+)?E[-]\\d{2,3}$/i',
    tests: ['test/import/plan/cells.test.ts', 'test/import/plan/column-values.test.ts'],
  },
  {
    name: 'rows-swallowed-by-a-quote',
    promise: 'A quoted cell that swallows whole rows is an error that names it.',
    file: 'src/csv/quotes.ts',
    find: 'const minWidth = 3;',
    replace: 'const minWidth = 300;',
    tests: ['test/csv/read-csv.test.ts', 'test/import/plan/files.test.ts'],
  },
  {
    name: 'day-and-month-exchanged',
    promise: 'Dates are read in the order that the file or the flag states.',
    file: 'src/import/words/dates.ts',
    find: "return order === 'dmy' ?",
    replace: "return order === 'mdy' ?",
    tests: ['test/import/plan/cells.test.ts'],
  },
  {
    name: 'today-is-next-year',
    promise: 'A day without a year that is today is today.',
    file: typedDate,
    find: '!isBefore(date, today)',
    replace: 'isBefore(today, date)',
    tests: ['test/import/words/typed-date.test.ts'],
  },
];
