import { z } from 'zod';

export const customers = z
  .strictObject({
    phone: z
      .enum(['libphonenumber', 'digits', 'as_typed'])
      .default('libphonenumber')
      .describe(
        'How phones are compared: as numbers parsed by libphonenumber for Mongolia, by their digits, or as text',
      ),
    externalId: z
      .enum(['first_order', 'latest_order', 'never'])
      .default('first_order')
      .describe(
        'The customer of an external id: that of its first order, the one with the phone of its latest order, or none',
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
    cancelled: state.default('CANCELLED').describe('The state of a cancelled order'),
    cancellable: z
      .array(state)
      .default(['CONFIRMED'])
      .describe(
        'The states in which an order can be cancelled; with the cancelled one, cancelling again succeeds',
      ),
    fieldsBeyond: z
      .enum(['returned', 'dropped', 'refused'])
      .default('returned')
      .describe(
        'Fields that the interface does not name, also in customer and items: returned, dropped, or rejected',
      ),
    externalOrderIdTaken: z
      .enum(['refused', 'old_order'])
      .default('refused')
      .describe('A create with a taken externalOrderId: is rejected, or returns the existing order with 200'),
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
