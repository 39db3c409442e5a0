import type { BehaviourSettings } from '../../../src/sandbox/behaviour/schema.ts';

/** Another value than the default for everything that the document leaves open; its statements must still hold. */
export const otherChoices: BehaviourSettings = {
  customers: { phone: 'digits', externalId: 'latest_order' },
  orders: {
    states: ['READY', 'ON_THE_ROAD', 'DONE'],
    cancelled: 'VOID',
    cancellable: ['READY', 'ON_THE_ROAD', 'VOID'],
    fieldsBeyond: 'refused',
    externalOrderIdTaken: 'old_order',
    cancelFreesExternalOrderId: true,
  },
  deliveries: { createdFor: 'collecting_orders', states: ['NEW', 'GONE'], whenOrderCancelled: 'removed' },
  answers: {
    createStatus: 202,
    cancelStatus: 204,
    cancelBody: 'nothing',
    order: 'data.order',
    list: 'nested_orders',
    error: 'problem_details',
  },
  paging: {
    firstPage: 0,
    defaultPageSize: 3,
    largestPageSize: 10,
    beyondLargest: 'refused',
    order: 'oldest_first',
    unknownParameters: 'refused',
  },
  keys: {
    format: 'uuid',
    longest: 36,
    repeated: 'refused',
    otherBody: 'processed',
    kept: 'everything',
    retentionSeconds: 60,
    replayHeader: null,
  },
  refusals: {
    keyMissing: { status: 400 },
    keyRefused: { status: 403 },
    scopeMissing: { status: 401 },
    idempotencyKeyMissing: { status: 422 },
    orderInvalid: { status: 400 },
    orderUnknown: { status: 410 },
    orderNotCancellable: { status: 400 },
  },
};
