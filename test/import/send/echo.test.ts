import { expect, it } from 'vitest';
import { hashBody } from '../../../src/ledger/order-log.ts';
import { writeOrderBody } from '../../../src/orders/order.ts';
import { ledgerEntry } from '../../support/ledger.ts';
import { listOf, orderOf, response, type Service, startSending } from './services.ts';

const order = orderOf('A-1', 7, { total: '5' });
const minute = 60_000;
const start = Date.parse('2026-11-25T08:00:00Z');
const attempt = { bodyHash: hashBody(writeOrderBody(order.order)), run: 'run-1', lastRun: 'run-1' };
const settled = { ...attempt, state: 'created', orderId: 'S-9', code: 'not_compared' } as const;
const unknown = { ...attempt, state: 'unknown', unknownAt: start } as const;
const rejected = { ...attempt, state: 'rejected', unknownAt: start } as const;

it.each([
  ['left open', unknown, 'created'],
  ['left open, and rejected since', rejected, 'created'],
  ['settled without a comparison', settled, 'already_exists'],
  ['left open with other content', { ...unknown, bodyHash: 'other' }, 'conflict'],
  ['rejected, and never open', { ...rejected, unknownAt: null }, 'conflict'],
  ['left open by a run that is not known', { ...unknown, run: 'run-0' }, 'conflict'],
])('an order that was %s, and is shown with another total: %s', async (_, entry, expected) => {
  const { ledger, send, clock } = await startSending();
  clock.now = start;
  await ledger.runs.begin({ id: 'run-1', kind: 'import', file: '', results: '', orders: 1 });
  const sendAfter = async (createdAt: number) => {
    clock.now = start + 5 * minute;
    ledger.orders.record(ledgerEntry(entry));
    const shown = { ...order.order, id: 'S-9', total: '7', createdAt: new Date(createdAt).toISOString() };
    const service: Service = (operation) => (operation === 'get' ? response(200, shown) : listOf(shown));
    return (await send('run-2', order, service)).outcome;
  };
  const outcome = await sendAfter(start - minute);
  const isOurs = expected !== 'conflict';
  expect([outcome.outcome, outcome.code, outcome.createdByRun]).toEqual([
    expected,
    isOurs ? 'echo_differs' : 'content_changed',
    isOurs ? 'run-1' : undefined,
  ]);
  expect((await sendAfter(start - minute - 1)).outcome).toBe('conflict');
});
