import * as z from 'zod';

export const customers = z
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

export const deliveries = z
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

export const orders = z
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
