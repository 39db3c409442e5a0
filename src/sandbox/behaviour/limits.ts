import { z } from 'zod';

export const maxBodyBytes = 1024 * 1024;

export const limits = z
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
