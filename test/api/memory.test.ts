import { expect, it } from 'vitest';
import { runProgram } from '../support/program.ts';
import { startStubService } from './stub-service.ts';

it.each([
  ['three million empty orders', `{"orders":[${'{},'.repeat(3_000_000)}{}]}`, 'response_too_large'],
  ['a text of escapes', `{"orders":["${'\\n'.repeat(5_000_000)}"]}`, 'unreadable_answer'],
])('a page of 10 MiB is read in little memory: %s', async (_name, text, code) => {
  const { baseUrl } = await startStubService(({ path }) => (path === '/' ? { status: 404 } : { text }));
  const env = {
    MERCHANT_ORDERS_BASE_URL: baseUrl,
    MERCHANT_ORDERS_API_KEY: 'live_key-of-the-tests',
    NODE_OPTIONS: '--max-old-space-size=128',
  };
  const { exitCode, stderr } = await runProgram(['list', '--json'], { env });
  expect(exitCode, stderr).toBe(7);
  expect(JSON.parse(stderr).error.code).toBe(code);
});
