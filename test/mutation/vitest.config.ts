import process from 'node:process';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import base from '../vitest.config.ts';

const counts = process.env.MUTANT_COUNTS !== undefined;

/** Runs the test files in the order in which they are named. */
class NamedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = (process.env.MUTANT_TESTS ?? '').split('\n');
    const place = ({ moduleId }: TestSpecification) => order.findIndex((name) => moduleId.endsWith(name));
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

export default {
  ...base,
  cacheDir: '.vite',
  test: {
    ...base.test,
    globalSetup: counts ? base.test?.globalSetup : [],
    sequence: { sequencer: NamedOrder },
    setupFiles: ['test/support/fast-check.ts', ...(counts ? ['test/mutation/count-reached.ts'] : [])],
    maxWorkers: counts ? 2 : 1,
    experimental: { fsModuleCache: true },
  },
};
