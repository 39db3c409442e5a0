import process from 'node:process';
import { defineConfig } from 'vitest/config';

const isSlow = process.env.TESTS === 'slow';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    // What takes long (sessions of the docs, dialogues at a terminal, long fuzzing) runs by itself.
    include: [isSlow ? 'test/**/*.slow.test.ts' : 'test/**/*.test.ts'],
    exclude: isSlow ? [] : ['test/**/*.slow.test.ts'],
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/fast-check.ts'],
    // Tests talk to servers and processes of their own; a slow machine is no reason to fail one.
    testTimeout: 60_000,
    maxWorkers: 2,
    // No test replaces a module or a global, so files may share them.
    isolate: false,
    hookTimeout: 60_000,
  },
});
