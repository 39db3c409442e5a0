import { describe, expect, it } from 'vitest';
import { startService } from '../support/service.ts';

async function startWithOrders(...ownIds: string[]) {
  const service = await startService();
  for (const ownId of ownIds) {
    await service.cli([
      ...['create', '--external-order-id', ownId, '--phone', '99112233', '--item', 'TEA-1'],
      ...['--collect', '25000', '--total', '30000'],
    ]);
  }
  const statusOf = async (ownId: string) => {
    const { stdout } = await service.cli(['get', ownId, '--columns', 'status', '--no-header']);
    return stdout.trim();
  };
  return { ...service, statusOf };
}

const why = ['--reason', 'the customer changed her mind'];

describe('cancel one order', () => {
  it('cancels it with the reason and prints the order as it is then', async () => {
    const { cli } = await startWithOrders('UB-1');
    const { stdout, exitCode } = await cli(['cancel', 'UB-1', ...why, '--yes', '--json']);
    const order = JSON.parse(stdout);
    expect(order).toMatchObject({ externalOrderId: 'UB-1', status: 'CANCELLED', cancelReason: why[1] });
    expect(order.delivery.status).toBe('CANCELLED');
    expect(exitCode).toBe(0);
  });

  it('shows whose it is and what it is worth, and asks', async () => {
    const { cli, statusOf } = await startWithOrders('UB-1');
    const { stderr, exitCode, asked } = await cli(['cancel', 'UB-1', ...why], { answers: [false] });
    for (const line of [
      /^order +ORD-\d{4}-000001$/m,
      /^own id +UB-1$/m,
      /^customer +99112233$/m,
      /^total +30,000 ₮$/m,
      /^to collect +25,000 ₮$/m,
      /^status +CONFIRMED$/m,
      /^delivery +PENDING$/m,
    ]) {
      expect(stderr).toMatch(line);
    }
    expect(asked).toEqual(['SANDBOX: cancel this order?']);
    expect(stderr).toContain('Nothing was cancelled.');
    expect({ exitCode, status: await statusOf('UB-1') }).toEqual({ exitCode: 2, status: 'CONFIRMED' });
  });

  it('asks for the reason at a terminal', async () => {
    const { cli } = await startWithOrders('UB-1');
    const { asked, exitCode } = await cli(['cancel', 'UB-1'], { answers: ['out of stock', true] });
    expect({ asked, exitCode }).toEqual({ asked: ['Reason', 'SANDBOX: cancel this order?'], exitCode: 0 });
  });

  it('sends nothing without --yes or without a reason when nobody can be asked', async () => {
    const { cli, sandbox } = await startWithOrders('UB-1');
    const before = sandbox.requestCount();
    const cases: [string[], string][] = [
      [why, 'Nobody is there to ask, and --yes is missing.'],
      [['--yes'], 'Nobody is there to ask, and --reason TEXT is missing.'],
      [[], 'Nobody is there to ask, and --reason TEXT and --yes are missing.'],
      [['--yes', '--reason', '  '], 'The reason is blank.'],
    ];
    for (const [flags, sentence] of cases) {
      const { stdout, stderr, exitCode } = await cli(['cancel', 'UB-1', ...flags]);
      expect([stderr.split('\n')[0], stdout, exitCode]).toEqual([`error: ${sentence}`, '', 2]);
    }
    expect(sandbox.requestCount()).toBe(before);
  });

  it('is refused the second time', async () => {
    const { cli } = await startWithOrders('UB-1');
    await cli(['cancel', 'UB-1', ...why, '--yes']);
    const { stdout, stderr, exitCode } = await cli(['cancel', 'UB-1', ...why, '--yes', '--quiet', '--json']);
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({
      code: 'cancellation_refused',
      status: 409,
      outcome: 'rejected',
      exitCode: 5,
    });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 });
  });

  it('ends with 3 for an order that is not there', async () => {
    const { cli } = await startWithOrders();
    const { exitCode, stderr } = await cli(['cancel', 'UB-9', ...why, '--yes']);
    expect(stderr).toContain('There is no order UB-9.');
    expect(exitCode).toBe(3);
  });

  it('shows the request and changes nothing with --dry-run', async () => {
    const { cli, statusOf, sandbox } = await startWithOrders('UB-1');
    const { stdout, exitCode } = await cli(['cancel', 'UB-1', ...why, '--dry-run', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      method: 'POST',
      url: expect.stringMatching(
        new RegExp(`^${sandbox.baseUrl}/api/v1/merchant/orders/[0-9a-f-]{36}/cancel$`),
      ),
      headers: {},
      body: { reason: why[1] },
    });
    expect({ exitCode, status: await statusOf('UB-1') }).toEqual({ exitCode: 0, status: 'CONFIRMED' });
  });
});

describe('cancel several orders', () => {
  it('cancels each and tells what became of it', async () => {
    const { cli } = await startWithOrders('UB-1', 'UB-2', 'UB-3');
    await cli(['cancel', 'UB-2', ...why, '--yes']);
    const { stdout, stderr, exitCode } = await cli([
      ...['cancel', 'UB-1', 'UB-2', 'UB-9', 'UB-3', ...why, '--yes', '--quiet', '--json'],
    ]);
    const { orders } = JSON.parse(stdout);
    const told = orders.map(({ order, outcome, status, code }: Record<string, never>) => {
      const { externalOrderId, reference } = order as unknown as Record<string, string>;
      return [externalOrderId ?? reference, outcome, status, code];
    });
    expect(new Set(told.map(String))).toEqual(
      new Set([
        'UB-1,cancelled,CANCELLED,',
        'UB-2,refused,CANCELLED,ORDER_NOT_CANCELLABLE',
        'UB-3,cancelled,CANCELLED,',
        'UB-9,not_found,,order_not_found',
      ]),
    );
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'some_orders_failed', exitCode: 6 });
    expect(exitCode).toBe(6);
  });

  it('names the order that is not there, before it asks and after', async () => {
    const { cli } = await startWithOrders('UB-1');
    const { stdout, stderr, exitCode } = await cli(['cancel', 'UB-1', 'UB-9', ...why, '--format', 'tsv'], {
      answers: [true],
    });
    expect(stderr).toContain('\nThere is no order UB-9.\n');
    expect(stdout.split('\n')[2]).toBe('\tUB-9\tnot_found\t\torder_not_found\tThere is no order UB-9.');
    expect(exitCode).toBe(6);
  });

  it('says that one was cancelled', async () => {
    const { cli } = await startWithOrders('UB-1');
    const { stderr } = await cli(['cancel', 'UB-1', ...why, '--yes']);
    expect(stderr).toMatch(/\nCancelled ORD-\d{4}-000001 \(SANDBOX\)\.\n$/);
  });

  it('cancels an order once that is named twice', async () => {
    const { cli } = await startWithOrders('UB-1');
    const { stdout } = await cli(['get', 'UB-1', '--columns', 'orderNumber', '--no-header']);
    const { stdout: result, exitCode } = await cli([
      'cancel',
      'UB-1',
      stdout.trim(),
      ...why,
      '--yes',
      '--json',
    ]);
    expect({ count: JSON.parse(result).orders.length, exitCode }).toEqual({ count: 1, exitCode: 0 });
  });

  it('says how many it asks about', async () => {
    const { cli } = await startWithOrders('UB-1', 'UB-2');
    const { asked } = await cli(['cancel', 'UB-1', 'UB-2', ...why], { answers: [true] });
    expect(asked).toEqual(['SANDBOX: cancel these 2 orders?']);
  });
});
