import { describe, expect, it } from 'vitest';
import { demoPhones } from '../../../src/sandbox/faults/fault-control.ts';
import { startService } from '../../support/service.ts';
import { admin } from '../admin/admin-client.ts';

interface Attempt {
  arrivedAt: number;
  endedAt: number;
  status: number | null;
  fault: string | null;
  orderId: string | null;
  earlyBy: number;
}

/** Creates an order for this phone on the command line, and reads the ledger of the sandbox. */
async function createOrder(phone: string, demos = true) {
  const clock = { ahead: 0 };
  const { sandbox, cli } = await startService({
    behaviour: { faults: { demoPhones: demos } },
    now: () => Date.now() + clock.ahead,
  });
  const flags = ['--external-order-id', 'UB-1', '--phone', phone, '--prepaid', '--item', 'TEA-1', '--json'];
  const { stdout, exitCode } = await cli(['create', ...flags], { clock });
  const { json } = await admin(sandbox).get('/ledger');
  const attempts: Attempt[] = json.attempts.filter(({ route }: { route: string }) => route === 'create');
  return { exitCode, output: JSON.parse(stdout), orders: json.orders, attempts };
}

const expected: Record<string, (attempts: Attempt[]) => void> = {
  '99000429': ([first, second, ...others]) => {
    expect([first, second]).toMatchObject([
      { status: 429, orderId: null },
      { status: 201, fault: null },
    ]);
    expect((second?.arrivedAt ?? 0) - (first?.arrivedAt ?? 0)).toBeGreaterThanOrEqual(2000);
    expect([others, second?.earlyBy]).toEqual([[], 0]);
  },
  '99000504': ([first, second, ...others]) => {
    expect(first).toMatchObject({ fault: 'status', status: 201, orderId: expect.any(String) });
    expect(second).toMatchObject({ fault: null, status: 201, orderId: null });
    expect(others).toEqual([]);
  },
  '99000500': ([first, second, ...others]) => {
    expect(first).toMatchObject({ fault: 'reset', orderId: expect.any(String) });
    expect(second).toMatchObject({ fault: null, status: 201, orderId: null });
    expect(others).toEqual([]);
  },
  '99000003': ([first, ...others]) => {
    expect(first).toMatchObject({ fault: 'wait', status: 201, orderId: expect.any(String) });
    expect(others).toEqual([]);
  },
};

describe('the demonstration phones', () => {
  it.each(demoPhones.map(({ phone, description }) => [phone, description]))(
    '%s: %s; the order is created once',
    async (phone) => {
      const startedAt = performance.now();
      const { exitCode, output, orders, attempts } = await createOrder(phone);
      expect(exitCode).toBe(0);
      expect(JSON.stringify(output)).toContain('ORD-');
      expect(orders).toEqual([{ externalOrderId: 'UB-1', commits: 1 }]);
      expected[phone]?.(attempts);
      if (phone === '99000003') expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2999);
    },
  );

  it('are all tested here', () => {
    expect(Object.keys(expected).sort()).toEqual(demoPhones.map(({ phone }) => phone).sort());
  });

  it('are recognized with a country code', async () => {
    const { exitCode, attempts } = await createOrder('+976 9900 0500');
    expect([exitCode, attempts.map(({ fault }) => fault)]).toEqual([0, ['reset', null]]);
  });

  it('have no effect when they are switched off', async () => {
    const { exitCode, attempts } = await createOrder('99000500', false);
    expect([exitCode, attempts.map(({ fault }) => fault)]).toEqual([0, [null]]);
  });
});
