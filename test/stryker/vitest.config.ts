import { defineConfig } from 'vitest/config';
import config from '../vitest.config.ts';

/** Not the tests that read the sources, which Stryker has changed, or that set the umask, which a worker cannot. */
const rooms = ['orders', 'csv', 'api', 'import'];

export default defineConfig({
  ...config,
  test: { ...config.test, include: rooms.map((room) => `test/${room}/**/*.test.ts`) },
});
