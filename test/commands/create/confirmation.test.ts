import { describe, expect, it } from 'vitest';
import { startStubService } from '../../api/stub-service.ts';
import { type CliOptions, runCli } from '../../support/cli.ts';

const order = [
  'create',
  '--external-order-id',
  'UB-1',
  '--phone',
  '99112233',
  '--item',
  'TEA-1',
  '--prepaid',
];

/** A service whose key is not that of a sandbox, so that its orders are real. */
async function startLiveService() {
  const { baseUrl, requests } = await startStubService(({ method }) => {
    if (method === 'GET') return { json: { data: [] } };
    return { status: 201, json: { id: '0b0e', orderNumber: 'ORD-2026-000001', externalOrderId: 'UB-1' } };
  });
  const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: 'key-of-a-shop' };
  const cli = (args: string[], options: CliOptions = {}) =>
    runCli(args, { ...options, env: { ...env, ...options.env } });
  return { cli, posts: () => requests('POST').length };
}

describe('create without a terminal', () => {
  it('creates no real order without --yes, and prints the command that does', async () => {
    const { cli, posts } = await startLiveService();
    const { stdout, stderr, exitCode } = await cli(order);
    expect(stderr).toContain(
      'error: A real order must be confirmed, and the program cannot ask questions here. Nothing was sent.',
    );
    expect(stderr).toContain('--prepaid --yes');
    expect([stdout, exitCode, posts()]).toEqual(['', 2, 0]);
  });

  it('creates it with --yes, and shows it with --dry-run', async () => {
    const { cli, posts } = await startLiveService();
    expect((await cli([...order, '--dry-run'])).exitCode).toBe(0);
    expect(posts()).toBe(0);
    expect((await cli([...order, '--yes'])).exitCode).toBe(0);
    expect(posts()).toBe(1);
  });

  it.each(['1', 'true'])('asks nothing at a terminal where CI is %s', async (CI) => {
    const { cli, posts } = await startLiveService();
    const { asked, exitCode } = await cli(order, { answers: [true], env: { CI } });
    expect([asked, exitCode, posts()]).toEqual([[], 2, 0]);
  });
});
