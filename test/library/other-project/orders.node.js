import assert from 'node:assert/strict';
import { after, beforeEach, mock, test } from 'node:test';
import { startSandbox } from 'merchant-orders/sandbox';
import { placeOrder } from './client.js';

const sandbox = await startSandbox();
beforeEach(() => sandbox.reset());
after(() => sandbox.stop());

test('a stalled request of the test before does not commit', async () => {
  sandbox.setFaults({ rules: [{ when: 'before_commit', do: { kind: 'stall' } }] });
  void placeOrder(sandbox, 'LEFT').catch(() => undefined);
  sandbox.reset();
  assert.equal((await placeOrder(sandbox, 'NEXT')).status, 201);
});

test('the time of orders is that of the mocked Date', async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.parse('2031-01-02T03:04:05Z') });
  const { headers } = await placeOrder(sandbox, 'UB-1');
  mock.timers.reset();
  assert.equal(sandbox.orders()[0].createdAt, '2031-01-02T03:04:05.000Z');
  assert.equal(headers.get('date'), 'Thu, 02 Jan 2031 03:04:05 GMT');
});
