import { z } from 'zod';
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

export const paging = z
  .strictObject({
    firstPage: z.literal([1, 0]).default(1).describe('The number of the first page'),
    defaultPageSize: z.int().min(1).default(20).describe('Orders on a page when pageSize is not given'),
    largestPageSize: z.int().min(1).default(100).describe('The most orders on a page'),
    beyondLargest: z
      .enum(['clamped', 'refused'])
      .default('clamped')
      .describe('A larger pageSize: the largest is used instead, or it is refused'),
    order: z
      .enum(['newest_first', 'oldest_first', 'by_id'])
      .default('newest_first')
      .describe('The order of the results'),
    unknownParameters: z
      .enum(['ignored', 'refused'])
      .default('ignored')
      .describe('Query parameters that the document does not state'),
    ignoredParameters: z
      .array(z.enum(listParameters))
      .default([])
      .describe('Stated query parameters that are not looked at'),
  })
  .prefault({});

function namesIn<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[];
}

export const answers = z
  .strictObject({
    createStatus: z.literal([201, 200, 202]).default(201).describe('The status of a create that succeeded'),
    createBody: z.enum(['order', 'nothing']).default('order').describe('The body of that answer'),
    cancelStatus: z
      .literal([200, 202, 204])
      .default(200)
      .describe('The status of a cancellation that succeeded'),
    cancelBody: z
      .enum(['order', 'nothing'])
      .default('order')
      .describe('The body of that answer; with 204 there is none in any case'),
    order: z
      .enum(namesIn(orderEnvelopes))
      .default('bare')
      .describe('Where in an answer its one order stands'),
    list: z.enum(namesIn(listEnvelopes)).default('data_page').describe('The envelope of a list'),
    error: z.enum(namesIn(errorBodies)).default('error_object').describe('The body of an error'),
    amounts: z
      .enum(['text', 'number'])
      .default('text')
      .describe('How total and collectionAmount are returned'),
    externalOrderId: z
      .boolean()
      .default(true)
      .describe('Whether an order is returned with its externalOrderId'),
  })
  .prefault({});

export const customers = z
  .strictObject({
    phone: z
      .enum(['libphonenumber', 'digits', 'as_typed'])
      .default('libphonenumber')
      .describe(
        'What of a phone is compared: its number as libphonenumber reads it in Mongolia, its digits, its text',
      ),
    externalId: z
      .enum(['first_order', 'latest_order', 'never'])
      .default('first_order')
      .describe(
        'Which customer an external id is remembered for: the one its first order came to, the one that the phone of its latest order leads to, none',
      ),
  })
  .prefault({});

const state = z.string().regex(/^\S+$/).meta({ title: 'a name without spaces' });

export const deliveries = z
  .strictObject({
    createdAtOnce: z.boolean().default(true).describe('Whether a create brings its delivery with it'),
    createdFor: z
      .enum(['every_order', 'collecting_orders', 'orders_with_address'])
      .default('every_order')
      .describe(
        'Which orders get a delivery at once: all, those that collect money, those with an address field',
      ),
    created: state.default('PENDING').describe('The state of a new delivery'),
    cancelled: state.default('CANCELLED').describe('The state of a delivery that was cancelled'),
    whenOrderCancelled: z
      .enum(['cancelled', 'untouched', 'removed'])
      .default('cancelled')
      .describe(
        'What a cancellation does to the delivery: cancelled too, left as it is, removed (then it is null)',
      ),
  })
  .prefault({});

export const keys = z
  .strictObject({
    required: z.boolean().default(true).describe('Whether a create without Idempotency-Key is refused'),
    format: z.enum(['any', 'uuid']).default('any').describe('What a key has to look like'),
    longest: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe('The most characters of a key; null for no limit'),
    repeated: z
      .enum(['replayed', 'refused', 'ignored'])
      .default('replayed')
      .describe(
        'The same key with the same body: the stored answer again, a refusal, as if there were no key',
      ),
    otherBody: z
      .enum(['refused', 'replayed', 'processed'])
      .default('refused')
      .describe(
        'The same key with another body: a refusal, the stored answer all the same, a request of its own',
      ),
    kept: z
      .enum(['nothing', 'successes', 'refusals', 'everything'])
      .default('successes')
      .describe(
        'What is stored under a key: nothing, successes, refusals (4xx) as well, failures (5xx) as well',
      ),
    retentionSeconds: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe('How long it is stored; null for as long as the database'),
    replayHeader: z
      .string()
      .regex(/^[\w-]+$/)
      .meta({ title: 'the name of a header' })
      .nullable()
      .default('Idempotent-Replayed')
      .describe('The header, with the value true, of an answer that was stored; null for none'),
  })
  .prefault({});

const stateOfOrders = z.string().regex(/^\S+$/).meta({ title: 'a name without spaces' });

export const orders = z
  .strictObject({
    states: z
      .array(stateOfOrders)
      .min(1)
      .default(['CONFIRMED', 'IN_DELIVERY', 'DELIVERED'])
      .describe('The states that an order passes through; it begins in the first'),
    cancelled: stateOfOrders.default('CANCELLED').describe('The state of an order that was cancelled'),
    cancellable: z
      .array(stateOfOrders)
      .default(['CONFIRMED'])
      .describe(
        'The states in which an order can be cancelled; with the cancelled one, cancelling again is fine',
      ),
    fieldsBeyond: z
      .enum(['returned', 'dropped', 'refused'])
      .default('returned')
      .describe(
        'Fields beyond the document, in the customer and the lines too: returned as they came, dropped, refused',
      ),
    externalOrderIdTaken: z
      .enum(['refused', 'old_order'])
      .default('refused')
      .describe('A create whose externalOrderId an order has: refused, or answered 200 with the old order'),
    cancelFreesExternalOrderId: z
      .boolean()
      .default(false)
      .describe('Whether the externalOrderId of a cancelled order may be used again'),
  })
  .refine(
    ({ states, cancelled, cancellable }) =>
      cancellable.every((name) => [...states, cancelled].includes(name)),
    { path: ['cancellable'], error: 'names what is neither in states nor the cancelled state' },
  )
  .prefault({});

/** Every point that the interface document leaves open, each with the sandbox's own choice as its default. */
export const behaviourSchema = z.strictObject({
  name: z.string().min(1).optional().describe('What the sandbox calls it; the name of its file when absent'),
  description: z.string().optional().describe('What it resembles, for people'),
  customers,
  orders,
  deliveries,
  answers,
  paging,
  keys,
  refusals,
  faults,
});

/** All settings, each with its value. */
export type Behaviour = z.output<typeof behaviourSchema>;
/** The settings that differ from the default, as they stand in a file. */
export type BehaviourSettings = z.input<typeof behaviourSchema>;
