import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import process from 'node:process';
import { createVitest } from 'vitest/node';

export interface SessionTask {
  tests: readonly string[];
  /** The source files that changed since the last task. */
  changed: readonly string[];
  builds: boolean;
}

/** Runs the tests of one task after the other, to the first test that fails. It starts once, which takes the longest. */
export async function runSession(): Promise<void> {
  const vitest = await createVitest('test', {
    config: 'test/mutation/vitest.config.ts',
    watch: false,
    bail: 1,
    reporters: [{}],
  });
  await vitest.standalone();
  process.on('message', async ({ tests, changed, builds }: SessionTask) => {
    if (builds) execFileSync(process.execPath, ['bin/build.mjs'], { stdio: 'ignore' });
    for (const path of changed) vitest.invalidateFile(resolve(path));
    vitest.state.filesMap.clear();
    vitest.state.idMap.clear();
    process.env.MUTANT_TESTS = tests.join('\n');
    const project = vitest.getRootProject();
    const specifications = tests.map((test) => project.createSpecification(resolve(test)));
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    const failed = testModules.find((module) => !module.ok());
    const [test] = failed ? [...failed.children.allTests('failed')] : [];
    const name = failed?.moduleId.slice(process.cwd().length + 1);
    const where = failed ? `${name}: ${test?.fullName ?? failed.errors()[0]?.message}` : '';
    process.send?.(where || (unhandledErrors.length > 0 ? 'an error outside of the tests' : ''));
  });
  process.send?.('ready');
}
