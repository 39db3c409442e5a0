import { expect } from 'vitest';
import type { GatewayResponse } from './gateway.ts';
import { leaveUnknown } from './re-runs.ts';
import {
  at,
  changedInList,
  errorResponse,
  forgetsKeys,
  type Sequences,
  type Steps,
  storesRejections,
  under,
} from './sequence.ts';

const lostOnce: Steps = (shop) => {
  shop.treatCreates('lose', 'pass');
  return shop.import();
};
const onOtherMachine: Steps = async (shop) => {
  await shop.expectImport('A created', 0);
  return shop.import({ on: 'second' });
};
const hidesExternalOrderIds = { fields: 'no externalOrderId' };

export const services: Sequences = {
  'keys are ignored, a response is lost': under(forgetsKeys, lostOnce),
  'keys are ignored, unknown and there, again, listed without an id': under(forgetsKeys, async (shop) => {
    await leaveUnknown(shop, true);
    shop.treatLists(changedInList({ id: null }));
    const result = await shop.import();
    expect(result.creates).toBe(0);
    return result;
  }),
  'a repeated key is rejected with 409, a response is lost': under(
    { keys: { repeated: 'refused' } },
    lostOnce,
  ),
  'a repeated key is rejected with 422, a response is lost': under(
    { keys: { repeated: 'refused' }, refusals: { idempotencyKeyRepeated: { status: 422 } } },
    lostOnce,
  ),
  'keys are kept for an hour, unknown, two hours later': under(
    { keys: { retentionSeconds: 3600 } },
    async (shop) => {
      await leaveUnknown(shop, true);
      shop.wait(120);
      return shop.import();
    },
  ),
  'keys are kept for an hour, rejected, two hours later': under(
    { keys: { ...storesRejections.keys, retentionSeconds: 3600 } },
    async (shop) => {
      shop.file.edit('A', { 'items[].sku': 'NEW-1' });
      await shop.expectImport('A rejected', 6);
      await shop.addProduct('NEW-1');
      shop.wait(120);
      return shop.import();
    },
  ),
  'another body gets the old response, edited, ledger lost': under(
    { keys: { kept: 'refusals', otherBody: 'replayed' } },
    async (shop) => {
      await shop.expectImport('A created', 0);
      shop.loseLedger();
      shop.file.edit('A', { total: '2000' });
      return shop.import();
    },
  ),
  'the same response whatever is sent, edited': async (shop) => {
    const responses: GatewayResponse[] = [];
    shop.treatCreates({
      change: (response) => {
        responses.push(response);
        return response;
      },
    });
    await shop.expectImport('A created', 0);
    shop.treatCreates(...responses);
    shop.loseLedger();
    shop.file.edit('A', { total: '2000' });
    shop.wait(2);
    return shop.import();
  },
  'a taken id gets the old order, the same': under(
    { orders: { externalOrderIdTaken: 'old_order' } },
    async (shop) => {
      await shop.createElsewhere('A');
      return shop.import();
    },
  ),
  'a taken id gets the old order, another': under(
    { orders: { externalOrderIdTaken: 'old_order' } },
    async (shop) => {
      await shop.createElsewhere('A', { total: '2000' });
      shop.wait(2);
      return shop.import();
    },
  ),
  'a taken id gets the old order, lost': under(
    { ...forgetsKeys, orders: { externalOrderIdTaken: 'old_order' } },
    lostOnce,
  ),
  'a taken id gets the old order, which is cancelled': under(
    { orders: { externalOrderIdTaken: 'old_order' } },
    async (shop) => {
      await shop.createElsewhere('A');
      await shop.cancelElsewhere('A');
      shop.wait(2);
      return shop.import();
    },
  ),
  'the filter is ignored, another machine': at(
    { ignores: ['externalOrderId'] },
    async (shop) => {
      await shop.expectImport('A created', 0);
      for (let count = 0; count < 25; count += 1) await shop.createElsewhere(`X${count}`);
      const result = await shop.import({ on: 'second' });
      expect(result.requests).toBeGreaterThan(2);
      return result;
    },
    { ...forgetsKeys, paging: { largestPageSize: 10 } },
  ),
  'the filter and the page are ignored, another machine': at(
    { ignores: ['externalOrderId', 'page', 'pageSize'] },
    async (shop) => {
      await shop.expectImport('A created', 0);
      for (let count = 0; count < 10; count += 1) await shop.createElsewhere(`X${count}`);
      return shop.import({ on: 'second' });
    },
    { ...forgetsKeys, paging: { defaultPageSize: 5 } },
  ),
  'external order IDs are not shown': at(hidesExternalOrderIds, lostOnce),
  'external order IDs are not shown, another machine': at(hidesExternalOrderIds, onOtherMachine),
  'external order IDs are not shown, keys are ignored, another machine': at(
    hidesExternalOrderIds,
    onOtherMachine,
    forgetsKeys,
  ),
  'external order IDs are not shown, keys are ignored, eleven minutes later': at(
    hidesExternalOrderIds,
    async (shop) => {
      await shop.expectImport('A created', 0);
      await shop.expectImport('A unknown', 8, { on: 'second' });
      shop.wait(11);
      return shop.import({ on: 'second' });
    },
    forgetsKeys,
  ),
  'a create gets 202 without an order': at({ showsNothing: true }, (shop) => shop.import(), {
    responses: { createStatus: 202 },
  }),
  'a create gets 202, the order is listed late': at(
    { showsNothing: true },
    async (shop) => {
      shop.treatCreates({ status: 202, body: '' });
      await shop.expectImport('A unknown', 8);
      shop.treatCreates('pass');
      return shop.import();
    },
    { responses: { createStatus: 202 } },
  ),
  'a create gets 201 without an order': at({ showsNothing: true }, (shop) => shop.import()),
  'amounts are numbers, another machine': at({ fields: 'amounts as numbers' }, onOtherMachine, forgetsKeys),
  'the key may only write, a known code': async (shop) => {
    shop.treatLists(errorResponse(403));
    shop.file.edit('A', { 'items[].sku': 'NEW-1' });
    return shop.import();
  },
  'the key may only write, an unknown code': async (shop) => {
    shop.treatLists(errorResponse(403));
    shop.treatCreates(errorResponse(400, 'ODD'));
    return shop.import();
  },
  'the key may only write, a lost request, an unknown code': async (shop) => {
    shop.treatLists(errorResponse(403));
    shop.treatCreates('drop', errorResponse(400, 'ODD'));
    return shop.import();
  },
};
