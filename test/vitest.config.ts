import process from 'node:process';
import { defineConfig } from 'vitest/config';

const isSlow = process.env.TESTS === 'slow';
const isGuards = process.env.TESTS === 'guards';

/** What an import makes of every fixture, and what a person is asked about it. */
const guards = [
  'test/import/{plans,cases}.test.ts',
  'test/import/plan/{cures,draft-answers}.test.ts',
  'test/import/countries/{countries,first-answers}.slow.test.ts',
  'test/commands/import/questions/{columns,dialogue,lines}.test.ts',
];

/** As esbuild does in bin/build.mjs. */
const htmlAsText = {
  name: 'html as text',
  transform: (code: string, id: string) =>
    id.endsWith('.html') ? `export default ${JSON.stringify(code)};` : undefined,
};

export default defineConfig({
  plugins: [htmlAsText],
  test: {
    root: new URL('..', import.meta.url).pathname,
    // What takes long (sessions of the docs, sequences of runs, whole processes, long fuzzing) runs by itself.
    include: isGuards
      ? guards
      : isSlow
        ? ['test/**/*.slow.test.ts', 'test/import/hostile.test.ts']
        : ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(isSlow || isGuards ? [] : ['test/**/*.slow.test.ts'])],
    env: isSlow ? { HOSTILE_CELLS: process.env.HOSTILE_CELLS ?? '30000' } : {},
    globalSetup: [isGuards ? 'test/support/processor-time.ts' : 'test/support/build.ts'],
    // In one process, whose processor time is printed.
    ...(isGuards ? { pool: 'threads' as const, fileParallelism: false } : {}),
    ...(isGuards ? { reporters: ['dot'] } : {}),
    setupFiles: ['test/support/fast-check.ts', 'test/support/equal-sentences.ts'],
    // Tests talk to servers and processes of their own; a slow machine is no reason to fail one.
    testTimeout: isSlow ? 300_000 : 60_000,
    // Slow tests often wait for a terminal or another process.
    maxWorkers: isSlow ? 3 : 2,
    // No test replaces a module or a global, so files may share them.
    isolate: false,
    hookTimeout: 60_000,
  },
});
