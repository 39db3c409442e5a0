import { describe, expect, it, onTestFinished } from 'vitest';
import { admin } from './sandbox/admin/admin-client.ts';
import { temporaryDirectory } from './support/cli.ts';
import { brokenResponses } from './support/odd-service/broken.ts';
import { type Oddity, startOddService } from './support/odd-service/service.ts';
import { startService } from './support/service.ts';

async function startOdd(oddity: Oddity) {
  const { sandbox, cli } = await startService();
  const service = await startOddService(sandbox.baseUrl, oddity);
  onTestFinished(() => service.stop());
  const env = { MERCHANT_ORDERS_BASE_URL: service.baseUrl };
  const configDirectory = temporaryDirectory();
  return {
    create: (id: string) =>
      cli(
        [
          'create',
          '--external-order-id',
          id,
          '--phone',
          '99112233',
          '--item',
          'TEA-1',
          '--prepaid',
          '--json',
        ],
        { env, configDirectory },
      ),
    commits: async () => (await admin(sandbox).get('/ledger')).json.orders,
  };
}

describe('an order that was created, with a broken response', () => {
  it.each(Object.keys(brokenResponses))('is created once, and its outcome is true: %s', async (broken) => {
    const { create, commits } = await startOdd({ broken });
    const first = await create('UB-1');
    expect([broken, first.exitCode]).toEqual([broken, expect.toBeOneOf([0, 8])]);
    for (const text of ['\u001b', '\u202e', 'unexpected_failure']) {
      expect(first.stdout + first.stderr).not.toContain(text);
    }
    expect((await create('UB-1')).exitCode).toBe(0);
    expect(await commits()).toEqual([{ externalOrderId: 'UB-1', commits: 1 }]);
  });
});
