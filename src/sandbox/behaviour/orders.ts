import { z } from 'zod';

const state = z.string().regex(/^\S+$/).meta({ title: 'a name without spaces' });

export const orders = z
  .strictObject({
    states: z
      .array(state)
      .min(1)
      .default(['CONFIRMED', 'IN_DELIVERY', 'DELIVERED'])
      .describe('The states that an order passes through; it begins in the first'),
    cancelled: state.default('CANCELLED').describe('The state of an order that was cancelled'),
    cancellable: z
      .array(state)
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
