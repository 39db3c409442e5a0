import * as z from 'zod';
import { refusals } from './api-error.ts';
import { listEnvelopes, orderEnvelopes } from './envelopes.ts';
import { errorBodies } from './error-bodies.ts';
import { faults } from './fault-settings.ts';
import { choice, group, orNull } from './setting.ts';

export const listParameters = [
  'externalOrderId',
  'orderNumber',
  'status',
  'customerPhone',
  'createdFrom',
  'createdTo',
  'page',
  'pageSize',
] as const;

/** In sequence. Only an order in the first state can be cancelled. */
export const orderStates = ['CONFIRMED', 'IN_DELIVERY', 'DELIVERED'] as const;
/** In sequence; the delivery of an order in its last state has the last. */
export const deliveryStates = ['PENDING', 'IN_DELIVERY', 'DELIVERED'] as const;
export const cancelledState = 'CANCELLED';

/** With the value true on a replayed response. */
export const replayHeader = 'Idempotent-Replayed';

const scope = z.enum(['orders:read', 'orders:write', 'none']);

const scopes = group({
  read: scope.default('orders:read').describe('The scope that reading an order requires'),
  list: scope.default('orders:read').describe('The scope that a list requires'),
  cancel: scope.default('orders:write').describe('The scope that a cancellation requires'),
});

const orders = group({
  required: z
    .array(z.string().regex(/^[\w.-]+$/))
    .default(['items', 'collectionMode'])
    .describe('Fields that a create must have, besides a customer with its phone or externalCustomerId'),
  fieldsBeyond: choice(
    ['returned', 'dropped', 'moved', 'refused'],
    'Fields that the interface does not name, also in customer and items: returned, dropped, returned under platform (items[].platform.quantity), or rejected',
  ),
  pickup: choice(
    ['refuse', 'accept'],
    'Orders with PICKUP or STORE_PICKUP as their fulfillmentType, deliveryMethod, shippingMethod or deliveryType, at the top or one level below: rejected, or (against the document) accepted',
  ),
  externalOrderIdTaken: choice(
    ['refused', 'old_order'],
    'A create with a taken externalOrderId: is rejected, or returns the existing order with 200',
  ),
  cancelFreesExternalOrderId: z
    .boolean()
    .default(false)
    .describe('Whether the externalOrderId of a cancelled order may be used again (against the document)'),
  createdAt: choice(
    ['shown', 'hidden'],
    'Whether an order is returned with its createdAt, which the interface does not name',
  ),
  advanceAfterSeconds: orNull(
    z.int().min(1),
    'Seconds from each state to the next one, counted from the creation; null: only the admin API moves orders',
  ),
});

const deliveries = group({
  createdFor: choice(
    ['every_order', 'collecting_orders', 'no_order'],
    'Which orders get a delivery at once: all, those that collect money, or none',
  ),
});

const limits = group({
  items: orNull(z.int().min(1), 'The most items of an order; null for no limit'),
  daysAhead: orNull(
    z.int().min(0).max(36_500),
    'How many days after the current UTC date a requestedDeliveryDate may be, and then none before it; null for any date',
  ),
});

const namesOf = <Name extends string>(table: Record<Name, unknown>) =>
  Object.keys(table) as [Name, ...Name[]];

const responses = group({
  createStatus: z.literal([201, 200, 202]).default(201).describe('The status of a successful create'),
  cancelStatus: z
    .literal([200, 202, 204])
    .default(200)
    .describe('The status of a successful cancellation; 204 has no body'),
  order: choice(namesOf(orderEnvelopes), 'Where the order is in a response with one order'),
  list: choice(namesOf(listEnvelopes), 'The envelope of a list'),
  error: choice(namesOf(errorBodies), 'The body of an error'),
});

const paging = group({
  firstPage: z.literal([1, 0]).default(1).describe('The number of the first page'),
  defaultPageSize: z.int().min(1).default(20).describe('Orders on a page without pageSize'),
  largestPageSize: z.int().min(1).default(100).describe('The most orders on a page'),
  unknownParameters: choice(
    ['ignored', 'refused'],
    'Query parameters that the interface does not name, and a pageSize above the largest, which is then reduced to it: ignored, or rejected',
  ),
  dates: choice(
    ['days_and_instants', 'days', 'instants'],
    'The formats of createdFrom and createdTo: days such as 2026-11-25, which are whole UTC days, instants such as 2026-11-25T08:30:00Z, or both',
  ),
});

const keys = group({
  required: z
    .boolean()
    .default(true)
    .describe('Whether a create needs an Idempotency-Key; false is against the document'),
  format: choice(['any', 'uuid'], 'The format of a key'),
  repeated: choice(
    ['replayed', 'refused', 'ignored'],
    'The same key with the same body: replays the stored response, is rejected, or has no effect',
  ),
  otherBody: choice(
    ['refused', 'replayed', 'processed'],
    'The same key with another body: is rejected, replays the stored response, or is a new request',
  ),
  kept: z
    .enum(['nothing', 'successes', 'refusals', 'everything'])
    .default('successes')
    .describe(
      'Which responses are stored under a key: none, successes, also rejections (4xx), or also failures (5xx)',
    ),
  retentionSeconds: orNull(z.int().min(1), 'How long a response is stored; null for no limit'),
});

/** Everything that the interface leaves open, with the sandbox's choice as the default. */
export const behaviourSchema = z.strictObject({
  name: z.string().min(1).optional().describe('Shown by the sandbox; by default the name of the file'),
  description: z.string().optional().describe('A description for people'),
  scopes,
  orders,
  deliveries,
  limits,
  responses,
  paging,
  keys,
  refusals,
  faults,
});

export type Behaviour = z.output<typeof behaviourSchema>;
export type BehaviourSettings = z.input<typeof behaviourSchema>;
