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

/** An order for this phone through the command line, and what the service has in its ledger of it. */
async function order(phone: string, demos = true) {
  const { sandbox, cli } = await startService({ behaviour: { faults: { demoPhones: demos } } });
  const flags = ['--external-order-id', 'UB-1', '--phone', phone, '--prepaid', '--item', 'TEA-1', '--json'];
  const { stdout, exitCode } = await cli(['create', ...flags], { waits: true });
  const { json } = await admin(sandbox).get('/ledger');
  const attempts: Attempt[] = json.attempts.filter(({ route }: { route: string }) => route === 'create');
  return { exitCode, told: JSON.parse(stdout), orders: json.orders, attempts };
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

describe('the phones for demonstrations', () => {
  it.each(demoPhones.map(({ phone, description }) => [phone, description]))(
    '%s: %s; the order is created, once',
    async (phone) => {
      const begun = performance.now();
      const { exitCode, told, orders, attempts } = await order(phone);
      expect(exitCode).toBe(0);
      expect(JSON.stringify(told)).toContain('ORD-');
      expect(orders).toEqual([{ externalOrderId: 'UB-1', commits: 1 }]);
      expected[phone]?.(attempts);
      if (phone === '99000003') expect(performance.now() - begun).toBeGreaterThanOrEqual(2999);
    },
  );

  it('are all looked at here', () => {
    expect(Object.keys(expected).sort()).toEqual(demoPhones.map(({ phone }) => phone).sort());
  });

  it('are known with their country too', async () => {
    const { exitCode, attempts } = await order('+976 9900 0500');
    expect([exitCode, attempts.map(({ fault }) => fault)]).toEqual([0, ['reset', null]]);
  });

  it('are phones like any other where there are none', async () => {
    const { exitCode, attempts } = await order('99000500', false);
    expect([exitCode, attempts.map(({ fault }) => fault)]).toEqual([0, [null]]);
  });
});
