import { describe, expect, it } from 'vitest';
import { createOrderFinder } from '../../../src/api/pages/order-finder.ts';
import { sendUnnamedOrder, type UnnamedSender } from '../../../src/import/send/send-unnamed-order.ts';
import { hashBody } from '../../../src/ledger/ledger.ts';
import type { UnnamedOrder } from '../../../src/ledger/unnamed-orders.ts';
import { writeOrderBody } from '../../../src/orders/order.ts';
import { startLedger } from '../../support/ledger.ts';
import { answer, lostAnswer, noConnection, refusal, type Service, serviceThat } from './services.ts';

const order = { customer: { phone: '99112233' }, collectionMode: 'NONE' };
const body = writeOrderBody(order);
const names = { orderId: 'S-1', orderNumber: 'ORD-1' };
const created: Service = (_, { body: sent }) =>
  answer(201, { ...JSON.parse(String(sent)), id: 'S-1', orderNumber: 'ORD-1' });
const entry: UnnamedOrder = {
  ...{ idempotencyKey: 'key-1', bodyHash: hashBody(body), state: 'intent', orderId: null, orderNumber: null },
  ...{ code: null, holder: 'run-1', begunAt: 1000 },
};

async function start(alive = new Set<string>()) {
  const ledger = await startLedger({ alive });
  let time = 1000;
  const send = async (service: Service, more: Partial<UnnamedSender> = {}, sent: typeof order = order) => {
    const client = serviceThat(service);
    const parts = { client, finder: createOrderFinder(client), ledger, run: 'run-1', now: () => time++ };
    const ended = sendUnnamedOrder(sent, { ...parts, key: 'key-1', isKeyGiven: false, ...more });
    const outcome = await ended.then((one) => (one.outcome === 'sent' ? one.creation.outcome : one.orderId));
    return { outcome, requests: client.seen };
  };
  const find = () => ledger.unnamed.recall('key-1');
  return { ledger, send, find };
}

describe('an order without an own id', () => {
  it('is in the ledger before it leaves, and after it with what came of it', async () => {
    const { send, find } = await start();
    const { outcome, requests } = await send((operation, request) => {
      expect(find()).toEqual(entry);
      return created(operation, request);
    });
    expect([outcome, find()]).toEqual(['created', { ...entry, ...names, state: 'created' }]);
    expect(requests).toEqual([{ method: 'POST', path: '', headers: { 'idempotency-key': 'key-1' }, body }]);
  });

  it.each<[string, Service, string, object | undefined]>([
    ['refused', () => refusal(422, 'SKU'), 'rejected', { ...entry, state: 'refused', code: 'SKU' }],
    ['unknown', () => lostAnswer, 'unknown', { ...entry, state: 'unknown' }],
    ['not sent', () => noConnection, 'not_sent', undefined],
    ['not processed', () => refusal(401, 'NO'), 'not_sent', undefined],
    ['forbidden', () => refusal(403, 'NO'), 'rejected', undefined],
  ])('that is %s', async (_, service, outcome, left) => {
    const { send, find } = await start();
    expect((await send(service)).outcome).toBe(outcome);
    expect(find()).toEqual(left);
  });

  it('may be created twice: two orders may be alike', async () => {
    const { send } = await start();
    await send(created);
    expect((await send(created, { key: 'key-2' })).outcome).toBe('created');
  });
});

describe('an attempt that nobody knows the end of', () => {
  const given = { isKeyGiven: true, run: 'run-2' };

  it('keeps the same content from being sent under another key', async () => {
    const { ledger, send } = await start();
    await send(() => lostAnswer);
    await expect(send(created, { key: 'key-2' })).rejects.toMatchObject({
      code: 'outcome_unknown',
      exitCode: 8,
      message: 'The same order was sent before, and nobody knows what came of that: it may exist.',
      details: {
        hint: 'Run the same command with --idempotency-key key-1: it sends that order again under its key.',
        outcome: 'unknown',
        idempotencyKey: 'key-1',
      },
    });
    expect(ledger.unnamed.recall('key-2')).toBeUndefined();
    expect((await send(created, { key: 'key-2' }, { ...order, collectionMode: 'COLLECT' })).outcome).toBe(
      'created',
    );
  });

  it('is also one of a process that died', async () => {
    const { ledger, send } = await start();
    ledger.unnamed.record({ ...entry, holder: 'dead' });
    await expect(send(created, { key: 'key-2' })).rejects.toMatchObject({ code: 'outcome_unknown' });
  });

  it('is sent again under its key by who gives it, and lies where it began', async () => {
    const { send, find } = await start();
    await send(() => lostAnswer);
    const { outcome, requests } = await send(created, given);
    expect([outcome, requests[0]?.headers]).toEqual(['created', { 'idempotency-key': 'key-1' }]);
    expect(find()).toEqual({ ...entry, ...names, state: 'created', holder: 'run-2' });
  });

  it.each<[string, Service, string]>([
    ['nobody is there', () => noConnection, 'not_sent'],
    ['the key may not', () => refusal(403, 'NO'), 'rejected'],
    ['it is refused', () => refusal(422, 'PRODUCT_SKU_NOT_FOUND'), 'rejected'],
    ['no answer comes again', () => lostAnswer, 'unknown'],
    ['the service says that it is there', () => refusal(409, 'EXISTS'), 'unknown'],
  ])('stays open when %s', async (_, service, outcome) => {
    const { send, find } = await start();
    await send(() => lostAnswer);
    expect((await send(service, given)).outcome).toBe(outcome);
    expect(find()).toMatchObject({ state: 'unknown', begunAt: 1000 });
  });
});

describe('a key that somebody gives', () => {
  const given = { isKeyGiven: true };

  it('means the order that was created under it', async () => {
    const { send } = await start();
    await send(created);
    expect(await send(created, given)).toEqual({ outcome: 'S-1', requests: [] });
  });

  it('is not for an order with other content', async () => {
    const { send, find } = await start();
    await send(created);
    const before = find();
    await expect(send(created, given, { ...order, collectionMode: 'COLLECT' })).rejects.toMatchObject({
      ...{ code: 'usage', message: 'The key key-1 belongs to an order with other content.' },
      details: {
        hint: 'Give the order as it was, or leave --idempotency-key out. Nothing was sent.',
        outcome: 'not_sent',
      },
    });
    expect(find()).toEqual(before);
  });

  it('sends an order again that was refused', async () => {
    const { send, find } = await start();
    await send(() => refusal(422, 'SKU'));
    expect((await send(created, given)).outcome).toBe('created');
    expect(find()?.state).toBe('created');
  });
});

describe('an order that a living run is sending', () => {
  it.each([
    ['the same', { key: 'key-2' }],
    ['its key', { key: 'key-1', isKeyGiven: true }],
  ])('is left to it: %s', async (_, more) => {
    const { ledger, send, find } = await start(new Set(['other']));
    ledger.unnamed.record({ ...entry, holder: 'other' });
    await expect(send(created, more)).rejects.toMatchObject({
      ...{ code: 'in_other_run', message: 'The same order is being sent now by another run.' },
      details: { outcome: 'not_sent' },
    });
    expect(find()).toEqual({ ...entry, holder: 'other' });
  });
});

describe('a ledger that cannot be written', () => {
  it('keeps it from leaving', async () => {
    const { ledger, send } = await start();
    ledger.database.exec('PRAGMA query_only = ON');
    let requests = 0;
    const counted: Service = (operation, request) => {
      requests += 1;
      return created(operation, request);
    };
    await expect(send(counted)).rejects.toMatchObject({ code: 'ledger_not_writable' });
    expect(requests).toBe(0);
  });
});
