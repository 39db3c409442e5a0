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

export const maxBodyBytes = 1024 * 1024;

const customers = z
  .strictObject({
    phone: z
      .enum(['libphonenumber', 'digits', 'as_typed'])
      .default('libphonenumber')
      .describe(
        'How phones are compared, to find a customer and to filter a list by the phone that each order was sent with: as numbers parsed by libphonenumber for Mongolia, by their digits, or (against the document) as text',
      ),
    externalId: z
      .enum(['first_order', 'latest_order', 'never'])
      .default('first_order')
      .describe(
        'Which customer an externalCustomerId finds: that of its first order, the one with the phone of its latest order, or (against the document) none',
      ),
  })
  .prefault({});

const state = z.string().regex(/^\S+$/).meta({ title: 'a name without spaces' });

const deliveries = z
  .strictObject({
    createdAtOnce: z.boolean().default(true).describe('Whether a create also creates a delivery'),
    createdFor: z
      .enum(['every_order', 'collecting_orders', 'orders_with_address'])
      .default('every_order')
      .describe(
        'Which orders get a delivery at once: all, those that collect money, or those with an address field',
      ),
    states: z
      .array(state)
      .min(1)
      .default(['PENDING', 'IN_DELIVERY', 'DELIVERED'])
      .describe(
        'The states of a delivery in sequence; a new one has the first, that of an order in its last state the last',
      ),
    cancelled: state.default('CANCELLED').describe('The state of a cancelled delivery'),
    whenOrderCancelled: z
      .enum(['cancelled', 'untouched', 'removed'])
      .default('cancelled')
      .describe(
        'What a cancellation does to the delivery: cancels it, leaves it as it is, or removes it (then it is null)',
      ),
  })
  .prefault({});

const orders = z
  .strictObject({
    states: z
      .array(state)
      .min(1)
      .default(['CONFIRMED', 'IN_DELIVERY', 'DELIVERED'])
      .describe('The states of an order in sequence; a new one has the first'),
    advanceAfterSeconds: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        'Seconds from each state to the next one, counted from the creation; null: only the admin API moves orders',
      ),
    cancelled: state.default('CANCELLED').describe('The state of a cancelled order'),
    cancellable: z
      .array(state)
      .default(['CONFIRMED'])
      .describe(
        'The states in which an order can be cancelled; with the cancelled one (against the document), cancelling again succeeds',
      ),
    required: z
      .array(
        z
          .string()
          .regex(/^[\w.-]+$/)
          .meta({ title: 'a field, such as total or customer.name' }),
      )
      .default(['items', 'collectionMode'])
      .describe('Fields that a create must have, besides a customer with its phone or externalCustomerId'),
    fieldsBeyond: z
      .enum(['returned', 'dropped', 'refused'])
      .default('returned')
      .describe(
        'Fields that the interface does not name, also in customer and items: returned, dropped, or rejected',
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
  })
  .refine(
    ({ states, cancelled, cancellable }) =>
      cancellable.every((name) => [...states, cancelled].includes(name)),
    { path: ['cancellable'], error: 'names a state that is neither in states nor the cancelled state' },
  )
  .prefault({});

const limits = z
  .strictObject({
    bodyBytes: z
      .int()
      .min(1)
      .max(maxBodyBytes)
      .default(maxBodyBytes)
      .meta({ title: `a whole number from 1 to ${maxBodyBytes}` })
      .describe('The largest body of a request'),
    items: z.int().min(1).nullable().default(null).describe('The most items of an order; null for no limit'),
    textLength: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe('The most characters of a text in an order; null for no limit'),
    pastDates: z
      .enum(['accepted', 'refused'])
      .default('accepted')
      .describe('A requestedDeliveryDate before the current UTC date'),
    daysAhead: z
      .int()
      .min(0)
      .max(36_500)
      .nullable()
      .default(null)
      .meta({ title: 'a whole number from 0 to 36500, or null' })
      .describe('How many days after the current UTC date a requestedDeliveryDate may be; null for no limit'),
  })
  .prefault({});

const paging = z
  .strictObject({
    firstPage: z.literal([1, 0]).default(1).describe('The number of the first page'),
    defaultPageSize: z.int().min(1).default(20).describe('Orders on a page without pageSize'),
    largestPageSize: z.int().min(1).default(100).describe('The most orders on a page'),
    beyondLargest: z
      .enum(['clamped', 'refused'])
      .default('clamped')
      .describe('A larger pageSize: replaced by the largest, or rejected'),
    order: z
      .enum(['newest_first', 'oldest_first', 'by_id'])
      .default('newest_first')
      .describe('The order of the results'),
    unknownParameters: z
      .enum(['ignored', 'refused'])
      .default('ignored')
      .describe('Query parameters that the interface does not name'),
    ignoredParameters: z
      .array(z.enum(listParameters))
      .default([])
      .describe('Query parameters of the interface that have no effect (against the document)'),
  })
  .prefault({});

function namesIn<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[];
}

const answers = z
  .strictObject({
    createStatus: z.literal([201, 200, 202]).default(201).describe('The status of a successful create'),
    createBody: z
      .enum(['order', 'nothing'])
      .default('order')
      .describe('The body of that response; without the order, it is against the document'),
    cancelStatus: z.literal([200, 202, 204]).default(200).describe('The status of a successful cancellation'),
    cancelBody: z
      .enum(['order', 'nothing'])
      .default('order')
      .describe('The body of that response; 204 never has one'),
    order: z
      .enum(namesIn(orderEnvelopes))
      .default('bare')
      .describe('Where the order is in a response with one order'),
    list: z.enum(namesIn(listEnvelopes)).default('data_page').describe('The envelope of a list'),
    error: z.enum(namesIn(errorBodies)).default('error_object').describe('The body of an error'),
    amounts: z
      .enum(['text', 'number'])
      .default('text')
      .describe('How total and collectionAmount are returned; numbers are against the document'),
    externalOrderId: z
      .boolean()
      .default(true)
      .describe('Whether an order is returned with its externalOrderId; false is against the document'),
    absentFields: z
      .enum(['absent', 'null'])
      .default('absent')
      .describe('How the fields of an order that have no value are returned'),
  })
  .prefault({});

const keys = z
  .strictObject({
    required: z
      .boolean()
      .default(true)
      .describe('Whether a create needs an Idempotency-Key; false is against the document'),
    format: z.enum(['any', 'uuid']).default('any').describe('The format of a key'),
    longest: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe('The maximum length of a key; null for no limit'),
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
    underWay: z
      .enum(['refused', 'waits'])
      .default('refused')
      .describe('The same key while a request with it has no response yet: is rejected, or waits its turn'),
    sameBody: z
      .enum(['json', 'bytes'])
      .default('json')
      .describe('What the same body is: equal as JSON, with numbers as written, or byte by byte'),
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
    replayHeader: z
      .string()
      .regex(/^[\w-]+$/)
      .meta({ title: 'the name of a header' })
      .nullable()
      .default('Idempotent-Replayed')
      .describe('The header (with the value true) of a replayed response; null for none'),
  })
  .prefault({});

const scope = z.enum(['orders:read', 'orders:write', 'none']);

const scopes = z
  .strictObject({
    read: scope.default('orders:read').describe('The scope that reading an order requires'),
    list: scope.default('orders:read').describe('The scope that a list requires'),
    cancel: scope.default('orders:write').describe('The scope that a cancellation requires'),
  })
  .prefault({});

/** Everything that the interface leaves open, with the sandbox's choice as the default. */
export const behaviourSchema = z.strictObject({
  name: z.string().min(1).optional().describe('Shown by the sandbox; by default the name of the file'),
  description: z.string().optional().describe('A description for people'),
  scopes,
  customers,
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
