import { defineConfig } from 'vitest/config';
import config from '../vitest.config.ts';

/** Without the tests that read the sources, which Stryker has changed, and those that need the whole program. */
const rooms = ['orders', 'csv', 'ledger', 'api', 'import'];

export default defineConfig({
  test: { ...config.test, include: rooms.map((room) => `test/${room}/**/*.test.ts`) },
});
