import { z } from 'zod';

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
