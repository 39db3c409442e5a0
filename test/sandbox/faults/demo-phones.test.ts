import { describe, expect, it } from 'vitest';
import { demoPhones } from '../../../src/sandbox/faults/fault-control.ts';
import { startService } from '../../support/service.ts';
import { admin } from '../admin/admin-client.ts';

interface Attempt {
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

/** The fault, the logged status and whether the order was created, of each attempt. */
const expected: Record<string, [fault: string | null, status: number | null, isNew: boolean][]> = {
  '99000429': [
    ['status', 429, false],
    [null, 201, true],
  ],
  '99000504': [
    ['status', 201, true],
    [null, 201, false],
  ],
  '99000500': [
    ['reset', 201, true],
    [null, 201, false],
  ],
  '99000003': [['wait', 201, true]],
};

describe('the demonstration phones', () => {
  it.each(demoPhones.map(({ phone, description }) => [phone, description]))(
    '%s: %s; the order is created once',
    async (phone) => {
      const { exitCode, output, orders, attempts } = await createOrder(phone);
      expect(exitCode).toBe(0);
      expect(JSON.stringify(output)).toContain('ORD-');
      expect(orders).toEqual([{ externalOrderId: 'UB-1', commits: 1 }]);
      expect(attempts.map(({ fault, status, orderId }) => [fault, status, orderId !== null])).toEqual(
        expected[phone],
      );
      expect(attempts.filter(({ earlyBy }) => earlyBy > 0)).toEqual([]);
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
