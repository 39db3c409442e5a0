import { z } from 'zod';

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
