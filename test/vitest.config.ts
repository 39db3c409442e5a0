import process from 'node:process';
import { defineConfig } from 'vitest/config';

const isSlow = process.env.TESTS === 'slow';

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
    include: isSlow ? ['test/**/*.slow.test.ts', 'test/import/hostile.test.ts'] : ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(isSlow ? [] : ['test/**/*.slow.test.ts'])],
    env: isSlow ? { HOSTILE_CELLS: process.env.HOSTILE_CELLS ?? '100000' } : {},
    globalSetup: ['test/support/build.ts', 'test/support/memory.ts'],
    setupFiles: ['test/support/fast-check.ts', 'test/support/equal-sentences.ts'],
    // Tests talk to servers and processes of their own; a slow machine is no reason to fail one.
    testTimeout: isSlow ? 300_000 : 60_000,
    maxWorkers: 2,
    // No test replaces a module or a global, so files may share them.
    isolate: false,
    hookTimeout: 60_000,
  },
});
