import type { Shown } from './import/figures.ts';

export interface Promised {
  says: string;
  /** The scripts that measure it. */
  scripts: readonly string[];
  /** The test that covers the rest of it, or all of it. */
  tests?: string;
}

/** The promises of the client, in order. What needs real time runs with --full only. */
export function promisesOf(isFull: boolean): Promised[] {
  return [
    {
      says: 'Killed at any moment, it or the service, an import loses no order and creates none twice',
      scripts: ['import-kills.ts', 'import-under-kills.ts'],
    },
    {
      says: 'One answer in ten is lost: nothing is created twice, and what is reported is so',
      scripts: ['lost-answers.ts'],
    },
    {
      says: 'The same where keys are forgotten or not known, refusals are kept, or rows are edited',
      scripts: ['lost-answers.ts'],
    },
    { says: 'Every status and every fault is taken for what it is', scripts: ['client.ts'] },
    {
      says: 'A wait that the service asks for is never cut short and never ignored, in any form',
      scripts: ['client.ts'],
    },
    { says: 'A service that is down for five minutes has at most 500 requests', scripts: ['client.ts'] },
    {
      says: 'Of limits that nobody tells 90 % are used, and at most 2 % of the requests are too many',
      scripts: isFull ? ['client.ts'] : [],
      tests: 'test/api/pacing/concurrency.test.ts',
    },
    {
      says: 'The API key is in no output, file or process list, and at no other origin',
      scripts: ['import-kills.ts', 'import-under-kills.ts', 'ledger-lost.ts'],
      tests: 'test/api/http/transport.test.ts',
    },
    {
      says: 'Without its ledger, with one that cannot be used, or two at once: nothing twice, nothing misreported',
      scripts: ['ledger-lost.ts'],
      tests: 'test/sequences/README.md',
    },
  ];
}

/**
 * The line of a promise, and whether it is kept: each of its scripts reported figures, and all of them are right.
 * `shown`: the figures of each script that ran, for all promises.
 */
export function tellPromise(
  promise: number,
  { says, scripts, tests }: Promised,
  shown: ReadonlyMap<string, readonly Shown[]>,
): { line: string; isKept: boolean } {
  const all = scripts.map((script) => ({
    script,
    own: (shown.get(script) ?? []).filter((one) => one.promise === promise),
  }));
  const isKept = all.every(({ own }) => own.length > 0 && own.every((one) => one.isKept));
  const told = all.map(
    ({ script, own }) => `${script} ${own.map(tellFigures).join(', ') || 'shows nothing'}`,
  );
  const proof = [...told, ...(tests ? [`see npm test (${tests})`] : [])].join('; ');
  return { line: `${promise}. ${isKept ? '' : 'BROKEN: '}${says}: ${proof}`, isKept };
}

function tellFigures({ figures, isKept }: Shown): string {
  const told = Object.entries(figures).map(([name, figure]) => `${name} ${figure}`);
  return `${isKept ? '' : 'failed: '}${told.join(', ')}`;
}
