import { describe, expect, it } from 'vitest';
import { startStubService } from '../../api/stub-service.ts';
import { type CliOptions, runCli, temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';

const order = ['create', '--external-order-id', 'UB-1', '--phone', '99112233', '--prepaid'];
/** No address, note, total and date. */
const nothingElse = ['', '', '', '', '', ''];

async function startLiveShop() {
  const configDirectory = temporaryDirectory();
  const bodies: unknown[] = [];
  const { baseUrl } = await startStubService(({ method, body }) => {
    if (method === 'GET') return { json: { data: [] } };
    bodies.push(JSON.parse(body).items);
    return { status: 201, json: { ...JSON.parse(body), id: '0b0e' } };
  });
  const run = (args: string[], options: CliOptions = {}) => runCli(args, { configDirectory, ...options });
  await run(['login', '--base-url', baseUrl, '--with-key'], { stdin: 'key-of-a-shop' });
  return { run, bodies };
}

describe('--item SKU x N', () => {
  it.each([
    ['TEA-1 x 2', { sku: 'TEA-1', quantity: 2 }],
    ['TEA-1 х 2', { sku: 'TEA-1', quantity: 2 }],
    ['TEA-1 × 2', { sku: 'TEA-1', quantity: 2 }],
    ['TEA-1 X 120', { sku: 'TEA-1', quantity: 120 }],
    // Off the prompt nothing else is a count.
    ['TEA-1 x2', { sku: 'TEA-1 x2' }],
    ['TEA-1 2ш', { sku: 'TEA-1 2ш' }],
    ['TEA-1 * 2', { sku: 'TEA-1 * 2' }],
    ['TEA-1 x 0', { sku: 'TEA-1 x 0' }],
    ['TEA-1 x 2.5', { sku: 'TEA-1 x 2.5' }],
    ['RUG 120 x 80', { sku: 'RUG 120 x 80' }],
    ['sku=TEA-1 x 2', { sku: 'TEA-1 x 2' }],
  ])('%s', async (item, line) => {
    const { cli } = await startService();
    const { stdout, exitCode } = await cli([...order, '--item', item, '--dry-run', '--json']);
    expect([JSON.parse(stdout).body.items, exitCode]).toEqual([[line], 0]);
  });

  it('stays a SKU that was sold before, also at a prompt', async () => {
    const { run, bodies } = await startLiveShop();
    await run(order, { answers: ['sku=RUG x 2', '', ...nothingElse, true] });
    const dialogue = await run(
      ['create', '-v', '--external-order-id', 'UB-2', '--phone', '99112233', '--prepaid'],
      { answers: ['RUG x 2', '3', '', ...nothingElse, true] },
    );
    expect(dialogue.stderr).toContain('--item \'sku="RUG x 2",quantity:=3\'');
    await run(['create', '--external-order-id', 'UB-3', ...order.slice(3), '--item', 'RUG x 2', '--yes']);
    expect(bodies).toEqual([[{ sku: 'RUG x 2' }], [{ sku: 'RUG x 2', quantity: 3 }], [{ sku: 'RUG x 2' }]]);
  });
});
