import type { PromiseReport } from './import/figures.ts';

export interface PromiseEntry {
  text: string;
  /** Measure it. */
  scripts: readonly string[];
  /** Covers the rest of it, or all of it. */
  tests?: string;
}

/** The promises of the client in order. */
export const promises: PromiseEntry[] = [
  {
    text: 'Killed at any moment, it or the service, an import loses no order and creates none twice',
    scripts: ['import-kills.ts', 'take-over-kills.ts', 'import-under-kills.ts'],
  },
  {
    text: 'One response in ten is lost: no order is created twice, and the results are correct',
    scripts: ['lost-responses.ts'],
  },
  {
    text: 'The same when the service forgets keys, ignores keys or stores rejections, or rows are edited',
    scripts: ['lost-responses.ts'],
  },
  { text: 'Every status and every fault leads to a correct outcome', scripts: ['outcomes.ts'] },
  {
    text: 'A wait that the service asks for is never cut short and never ignored, in any form',
    scripts: [],
    tests: 'test/api/pacing',
  },
  {
    text: 'A service that is down for five minutes has at most 500 requests',
    scripts: [],
    tests: 'test/api/outage.slow.test.ts',
  },
  {
    text: 'Hidden limits are used to 90 %, and at most 2 % of the requests are throttled',
    scripts: [],
    tests: 'test/api/pacing/concurrency.test.ts',
  },
  {
    text: 'The API key is in no output, file or process list, and at no other origin',
    scripts: ['import-kills.ts', 'import-under-kills.ts'],
    tests: 'test/api/http/transport.test.ts',
  },
  {
    text: 'With a lost or unusable ledger, or two imports at once: nothing is created twice or misreported',
    scripts: ['import-kills.ts'],
    tests: 'test/sequences/README.md',
  },
  {
    text: 'What a service without keys and IDs has twice is named by the last run, and nothing else',
    scripts: ['doubles-said.ts'],
  },
];

/**
 * Formats a promise. It is kept when each of its scripts reported figures, and all of them are right. `reportsOf` has
 * the reports of each script, for all promises.
 */
export function formatPromise(
  promise: number,
  { text, scripts, tests }: PromiseEntry,
  reportsOf: ReadonlyMap<string, readonly PromiseReport[]>,
): { line: string; isKept: boolean } {
  const all = scripts.map((script) => ({
    script,
    reports: (reportsOf.get(script) ?? []).filter((one) => one.promise === promise),
  }));
  const isKept = all.every(({ reports }) => reports.length > 0 && reports.every((one) => one.isKept));
  const texts = all.map(
    ({ script, reports }) => `${script} ${reports.map(formatFigures).join(', ') || 'shows nothing'}`,
  );
  const proof = [...texts, ...(tests ? [`see ${tests}`] : [])].join('; ');
  return { line: `${promise}. ${isKept ? '' : 'BROKEN: '}${text}: ${proof}`, isKept };
}

function formatFigures({ figures, isKept }: PromiseReport): string {
  const texts = Object.entries(figures).map(([name, figure]) => `${name} ${figure}`);
  return `${isKept ? '' : 'failed: '}${texts.join(', ')}`;
}
