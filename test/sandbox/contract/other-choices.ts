import type { BehaviourSettings } from '../../../src/sandbox/behaviour/schema.ts';

/** Another value than the default for everything that the document leaves open; its statements must still hold. */
export const otherChoices: BehaviourSettings = {
  scopes: { read: 'none', list: 'none', cancel: 'none' },
  orders: {
    fieldsBeyond: 'refused',
    required: ['customer'],
    externalOrderIdTaken: 'old_order',
    cancelFreesExternalOrderId: true,
    createdAt: 'hidden',
  },
  deliveries: { createdFor: 'collecting_orders' },
  limits: { items: 100 },
  answers: {
    createStatus: 202,
    cancelStatus: 204,
    order: 'data',
    list: 'link_header',
    error: 'problem_details',
  },
  paging: { firstPage: 0, defaultPageSize: 3, largestPageSize: 10, unknownParameters: 'refused' },
  keys: {
    format: 'uuid',
    repeated: 'refused',
    otherBody: 'processed',
    kept: 'everything',
    retentionSeconds: 60,
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
