import { describe, expect, it } from 'vitest';
import { startService } from './support/service.ts';

const question = (what: string) => `Order ${what} (phone, number or your own ID; Enter lists the newest)`;

async function startWithOrders() {
  const { cli, sandbox } = await startService();
  for (const [id, phone] of [
    ['UB-1', '99112233'],
    ['UB-2', '88112233'],
    ['UB-3', '99112233'],
  ] as const) {
    const flags = ['--external-order-id', id, '--phone', phone, '--item', 'TEA-1', '--collect', '45000'];
    await cli(['create', ...flags]);
  }
  const { stdout } = await cli(['list', '--json']);
  const orders = JSON.parse(stdout).orders as { id: string; externalOrderId: string }[];
  const idOf = (externalOrderId: string) =>
    orders.find((order) => order.externalOrderId === externalOrderId)?.id ?? '';
  return { cli, sandbox, idOf };
}

describe('an order that was not named', () => {
  it('is chosen among those of a phone, which may be written in another way', async () => {
    const { cli, idOf } = await startWithOrders();
    const { asked, stdout, exitCode } = await cli(
      ['get', '--columns', 'externalOrderId', '--format', 'tsv', '--no-header'],
      {
        answers: ['+976 9911-2233', idOf('UB-1')],
      },
    );
    expect(asked).toEqual([question('to show'), 'Which one?']);
    expect([stdout.trim(), exitCode]).toEqual(['UB-1', 0]);
  });

  it('is chosen among the newest', async () => {
    const { cli, idOf } = await startWithOrders();
    const { stdout } = await cli(['get', '--columns', 'externalOrderId', '--format', 'tsv', '--no-header'], {
      answers: ['', idOf('UB-2')],
    });
    expect(stdout.trim()).toBe('UB-2');
  });

  it('is named by its ID', async () => {
    const { cli } = await startWithOrders();
    const { asked, stdout } = await cli(
      ['get', '--columns', 'externalOrderId', '--format', 'tsv', '--no-header'],
      {
        answers: ['UB-3'],
      },
    );
    expect([asked, stdout.trim()]).toEqual([[question('to show')], 'UB-3']);
  });

  it('is the only one of a phone, and is shown before it is cancelled', async () => {
    const { cli } = await startWithOrders();
    const { asked, stderr, exitCode } = await cli(['cancel', '--reason', 'out of stock'], {
      answers: ['88112233', true],
    });
    expect(asked).toEqual([
      question('to cancel'),
      expect.stringMatching(/^SANDBOX: cancel ORD-\d+-000002, 88112233, 45,000 ₮\?$/),
    ]);
    expect(stderr).toContain('own id      UB-2');
    expect(exitCode).toBe(0);
    expect(JSON.parse((await cli(['get', 'UB-2', '--json'])).stdout).status).toBe('CANCELLED');
  });

  it('is not found for a phone without orders', async () => {
    const { cli } = await startWithOrders();
    const { stderr, exitCode } = await cli(['get'], { answers: ['95112233'] });
    expect(stderr).toContain('There is no order for the phone 95112233.');
    expect(exitCode).toBe(3);
  });

  it.each([['get'], ['cancel', '--reason', 'no', '--yes']])(
    'is an error without a terminal: %s',
    async (...args) => {
      const { cli, sandbox } = await startService();
      const { stderr, exitCode } = await cli(args);
      expect(stderr).toMatch(
        /^error: Please name the order\.\n.*merchant-orders list --customer-phone PHONE/,
      );
      expect([exitCode, sandbox.requestCount()]).toEqual([2, 0]);
    },
  );
});
