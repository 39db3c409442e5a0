import type { Mutant } from '../mutant.ts';

const redact = 'src/redact.ts';
const redactTests = ['test/redact.test.ts'];
const writeCsv = 'src/csv/write-csv.ts';
const csvTests = ['test/csv/write-csv.test.ts'];

export const output: readonly Mutant[] = [
  {
    name: 'key-in-base64-shown',
    promise: 'The API key is replaced in base64, wherever it begins in the encoded text.',
    file: redact,
    find: '...[0, 1, 2].flatMap(',
    replace: '...[0].flatMap(',
    tests: redactTests,
  },
  {
    name: 'url-encoded-key-shown',
    promise: 'The API key is replaced when it is URL-encoded.',
    file: redact,
    find: 'const encoded = `(?:%(?:25){0,3}|',
    replace: 'const encoded = `(?:',
    tests: redactTests,
  },
  {
    name: 'cut-key-shown',
    promise: 'The API key is replaced when its end is missing.',
    file: redact,
    find: 'const maxMissing = 4;',
    replace: 'const maxMissing = 0;',
    tests: redactTests,
  },
  {
    name: 'data-not-redacted',
    promise: 'No output shows the API key, also not data from the service.',
    file: 'src/output/print.ts',
    find: 'redact(terminal.stdout ? cleanStyled(text, colour.out) : cleanData(text))',
    replace: '(terminal.stdout ? cleanStyled(text, colour.out) : cleanData(text))',
    tests: ['test/output/print.test.ts', 'test/echoed-key.test.ts'],
  },
  {
    name: 'errors-not-cleaned',
    promise: 'Text from outside is stripped of control and escape characters in errors, too.',
    file: 'src/output/print.ts',
    find: 'redact(cleanText(text)).replace(',
    replace: 'redact(text).replace(',
    tests: ['test/output/print.test.ts', 'test/output/hostile.test.ts'],
  },
  {
    name: 'zero-width-characters-shown',
    promise: 'Invisible characters are taken out of what a terminal gets.',
    file: 'src/clean-text.ts',
    find: '\\\\p{Default_Ignorable_Code_Point}',
    replace: '\\\\p{Noncharacter_Code_Point}',
    tests: ['test/output/clean-text.test.ts'],
  },
  {
    name: 'formula-with-at-sign',
    promise: 'Spreadsheet formulas are neutralised in CSV.',
    file: writeCsv,
    find: "const formulaSigns = '=+\\\\-@|",
    replace: "const formulaSigns = '=+\\\\-|",
    tests: csvTests,
  },
  {
    name: 'unknown-before-key-refused',
    promise: 'When an import ends for several reasons, a refused key (4) comes before unknown orders (8).',
    file: 'src/import/results/summary.ts',
    find: 'if (stoppedBy?.exitCode === exitCodes.keyRefused) return',
    replace: 'if (stoppedBy?.exitCode === exitCodes.keyRefused && counts.unknown === 0) return',
    tests: ['test/import/results/summary.test.ts'],
  },
  {
    name: 'unreachable-before-unknown',
    promise:
      'When an import ends for several reasons, unknown orders (8) come before an unreachable service (7).',
    file: 'src/import/results/summary.ts',
    find: 'if (counts.unknown > 0) return unknownOrders(',
    replace: 'if (counts.unknown > 0 && stoppedBy === undefined) return unknownOrders(',
    tests: ['test/import/results/summary.test.ts'],
  },
  {
    name: 'conflicts-not-in-rejects',
    promise: 'The rejects file has every row of each order that needs fixing, conflicts included.',
    file: 'src/import/results/files.ts',
    find: "new Set(['invalid', 'rejected', 'conflict'])",
    replace: "new Set(['invalid', 'rejected'])",
    tests: ['test/import/results'],
  },
  {
    name: 'sandbox-key-sent-to-a-live-host',
    promise: 'A key that begins with sandbox_ goes to loopback only.',
    file: 'src/identity.ts',
    find: 'if (apiKey.startsWith(sandboxKeyPrefix) && !isLoopback(baseUrl.hostname))',
    replace: 'if (apiKey === sandboxKeyPrefix && !isLoopback(baseUrl.hostname))',
    tests: ['test/identity.test.ts'],
  },
  {
    name: 'key-sent-to-another-origin',
    promise: 'A stored key is sent to the origin it was stored for, and to no other.',
    file: 'src/identity.ts',
    find: 'if (requested !== undefined && !isSameOrigin(requested, stored.baseUrl)) return undefined;',
    replace: 'if (requested === stored.apiKey && !isSameOrigin(requested, stored.baseUrl)) return undefined;',
    tests: ['test/identity.test.ts'],
  },
];
