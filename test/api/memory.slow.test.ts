import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';
import { runProgram } from '../support/program.ts';
import { startStubService } from './stub-service.ts';

it('64 responses of 9 MB at once end an import with its results, not with the memory', async () => {
  const text = `{"orders":[${'{},'.repeat(3_000_000)}{}]}`;
  const { baseUrl } = await startStubService(({ path }) => (path === '/' ? { status: 404 } : { text }));
  const file = join(temporaryDirectory(), 'orders.csv');
  const rows = Array.from({ length: 64 }, (_, row) => `UB-${row},99112233,TEA-1,NONE`);
  writeFileSync(file, ['externalOrderId,phone,sku,collectionMode', ...rows].join('\n'));
  const env = {
    MERCHANT_ORDERS_BASE_URL: baseUrl,
    MERCHANT_ORDERS_API_KEY: 'live_key-of-the-tests',
    NODE_OPTIONS: '--max-old-space-size=256',
  };
  const flags = ['--yes', '--concurrency', '64', '--timeout', '10', '--max-outage', '5'];
  const { exitCode, stderr } = await runProgram(['import', file, ...flags], { env });
  expect(exitCode, stderr).toBe(8);
  const results = readFileSync(file.replace('.csv', '.results.csv'), 'utf8').trim().split('\n');
  expect(results.length).toBe(65);
});

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
