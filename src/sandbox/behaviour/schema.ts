import * as z from 'zod';
import { refusals } from './api-error.ts';
import { listEnvelopes, orderEnvelopes } from './envelopes.ts';
import { errorBodies } from './error-bodies.ts';
import { faults } from './fault-settings.ts';

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

const scopes = z
  .strictObject({
    read: scope.default('orders:read').describe('The scope that reading an order requires'),
    list: scope.default('orders:read').describe('The scope that a list requires'),
    cancel: scope.default('orders:write').describe('The scope that a cancellation requires'),
  })
  .prefault({});

const orders = z
  .strictObject({
    required: z
      .array(z.string().regex(/^[\w.-]+$/))
      .default(['items', 'collectionMode'])
      .describe('Fields that a create must have, besides a customer with its phone or externalCustomerId'),
    fieldsBeyond: z
      .enum(['returned', 'dropped', 'moved', 'refused'])
      .default('returned')
      .describe(
        'Fields that the interface does not name, also in customer and items: returned, dropped, returned under platform (items[].platform.quantity), or rejected',
      ),
    pickup: z
      .enum(['refuse', 'accept'])
      .default('refuse')
      .describe(
        'Orders with PICKUP or STORE_PICKUP as their fulfillmentType, deliveryMethod, shippingMethod or deliveryType, at the top or one level below: rejected, or (against the document) accepted',
      ),
    externalOrderIdTaken: z
      .enum(['refused', 'old_order'])
      .default('refused')
      .describe('A create with a taken externalOrderId: is rejected, or returns the existing order with 200'),
    cancelFreesExternalOrderId: z
      .boolean()
      .default(false)
      .describe('Whether the externalOrderId of a cancelled order may be used again (against the document)'),
    createdAt: z
      .enum(['shown', 'hidden'])
      .default('shown')
      .describe('Whether an order is returned with its createdAt, which the interface does not name'),
    advanceAfterSeconds: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        'Seconds from each state to the next one, counted from the creation; null: only the admin API moves orders',
      ),
  })
  .prefault({});

const deliveries = z
  .strictObject({
    createdFor: z
      .enum(['every_order', 'collecting_orders', 'no_order'])
      .default('every_order')
      .describe('Which orders get a delivery at once: all, those that collect money, or none'),
  })
  .prefault({});

const limits = z
  .strictObject({
    items: z.int().min(1).nullable().default(null).describe('The most items of an order; null for no limit'),
    daysAhead: z
      .int()
      .min(0)
      .max(36_500)
      .nullable()
      .default(null)
      .describe(
        'How many days after the current UTC date a requestedDeliveryDate may be, and then none before it; null for any date',
      ),
  })
  .prefault({});

function namesIn<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[];
}

const answers = z
  .strictObject({
    createStatus: z.literal([201, 200, 202]).default(201).describe('The status of a successful create'),
    cancelStatus: z
      .literal([200, 202, 204])
      .default(200)
      .describe('The status of a successful cancellation; 204 has no body'),
    order: z
      .enum(namesIn(orderEnvelopes))
      .default('bare')
      .describe('Where the order is in a response with one order'),
    list: z.enum(namesIn(listEnvelopes)).default('data_page').describe('The envelope of a list'),
    error: z.enum(namesIn(errorBodies)).default('error_object').describe('The body of an error'),
  })
  .prefault({});

const paging = z
  .strictObject({
    firstPage: z.literal([1, 0]).default(1).describe('The number of the first page'),
    defaultPageSize: z.int().min(1).default(20).describe('Orders on a page without pageSize'),
    largestPageSize: z.int().min(1).default(100).describe('The most orders on a page'),
    unknownParameters: z
      .enum(['ignored', 'refused'])
      .default('ignored')
      .describe(
        'Query parameters that the interface does not name, and a pageSize above the largest, which is then reduced to it: ignored, or rejected',
      ),
    dates: z
      .enum(['days_and_instants', 'days', 'instants'])
      .default('days_and_instants')
      .describe(
        'The formats of createdFrom and createdTo: days such as 2026-11-25, which are whole UTC days, instants such as 2026-11-25T08:30:00Z, or both',
      ),
  })
  .prefault({});

const keys = z
  .strictObject({
    required: z
      .boolean()
      .default(true)
      .describe('Whether a create needs an Idempotency-Key; false is against the document'),
    format: z.enum(['any', 'uuid']).default('any').describe('The format of a key'),
    repeated: z
      .enum(['replayed', 'refused', 'ignored'])
      .default('replayed')
      .describe(
        'The same key with the same body: replays the stored response, is rejected, or has no effect',
      ),
    otherBody: z
      .enum(['refused', 'replayed', 'processed'])
      .default('refused')
      .describe(
        'The same key with another body: is rejected, replays the stored response, or is a new request',
      ),
    kept: z
      .enum(['nothing', 'successes', 'refusals', 'everything'])
      .default('successes')
      .describe(
        'Which responses are stored under a key: none, successes, also rejections (4xx), or also failures (5xx)',
      ),
    retentionSeconds: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe('How long a response is stored; null for no limit'),
  })
  .prefault({});

/** Everything that the interface leaves open, with the sandbox's choice as the default. */
export const behaviourSchema = z.strictObject({
  name: z.string().min(1).optional().describe('Shown by the sandbox; by default the name of the file'),
  description: z.string().optional().describe('A description for people'),
  scopes,
  orders,
  deliveries,
  limits,
  answers,
  paging,
  keys,
  refusals,
  faults,
});

export type Behaviour = z.output<typeof behaviourSchema>;
export type BehaviourSettings = z.input<typeof behaviourSchema>;
