import { expect, it, onTestFinished } from 'vitest';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { type PlainOptions, startPlainService } from '../../support/plain-service.ts';

const args = [
  ...['create', '--external-order-id', 'Q-1', '--phone', '99112233', '--item', 'TEA-001', '--prepaid'],
  ...['--yes', '--json'],
];

async function startShop(options: PlainOptions) {
  const service = await startPlainService(options);
  onTestFinished(() => service.stop());
  const configDirectory = temporaryDirectory();
  const run = (...words: string[]) => runCli(words, { env: service.env, configDirectory });
  return { service, run };
}

const errorIn = (stderr: string) =>
  JSON.parse(stderr.split('\n').find((line) => line.startsWith('{')) ?? '').error;

it('says that an order exists twice, and shows the one to keep', async () => {
  const { service, run } = await startShop({ losesResponse: (create) => create === 1 });
  const { stdout, stderr, exitCode } = await run(...args);
  expect(JSON.parse(stdout)).toMatchObject({ orderNumber: 'ORD-2026-000001', _outcome: 'created' });
  expect(stderr).toContain('Q-1: there are 2 orders of it: ORD-2026-000001, ORD-2026-000002\n');
  expect(errorIn(stderr)).toEqual({
    code: 'twice',
    message: '1 order exists more than once.',
    hint: "To cancel the younger ones, run:\n  merchant-orders cancel ORD-2026-000002 --reason 'created twice'",
    exitCode: 6,
  });
  expect(exitCode).toBe(6);
  const again = await run(...args);
  expect([JSON.parse(again.stdout)._outcome, errorIn(again.stderr).code, again.exitCode]).toEqual([
    'already_exists',
    'twice',
    6,
  ]);
  await run('cancel', 'ORD-2026-000002', '--reason', 'created twice', '--yes');
  const last = await run(...args);
  expect([JSON.parse(last.stdout).orderNumber, last.exitCode]).toEqual(['ORD-2026-000001', 0]);
  expect(service.orders.length).toBe(2);
});

it('names the copy that is left when the other one was cancelled', async () => {
  const { run } = await startShop({ losesResponse: (create) => create === 1 });
  await run(...args);
  await run('cancel', 'ORD-2026-000001', '--reason', 'created twice', '--yes');
  const { stdout, exitCode } = await run('settle', 'Q-1', '--json');
  expect(JSON.parse(stdout).orders).toMatchObject([{ outcome: 'created', orderNumber: 'ORD-2026-000002' }]);
  expect(exitCode).toBe(0);
});

it('says that the service shows a new order cancelled', async () => {
  const { run } = await startShop({ store: (order) => ({ ...order, status: 'CANCELLED' }) });
  const { stdout, stderr, exitCode } = await run(...args);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'CANCELLED', _outcome: 'created' });
  expect(errorIn(stderr)).toMatchObject({
    code: 'order_cancelled',
    message: 'Order ORD-2026-000001 was created, and the service shows it cancelled.',
    exitCode: 5,
  });
  expect(exitCode).toBe(5);
  const again = await run(...args);
  expect([errorIn(again.stderr).code, again.exitCode]).toEqual(['order_cancelled', 5]);
});
