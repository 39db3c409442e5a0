import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/fast-check.ts'],
    // Tests talk to servers and processes of their own; a slow machine is no reason to fail one.
    testTimeout: 60_000,
    maxWorkers: 2,
    hookTimeout: 60_000,
  },
});
