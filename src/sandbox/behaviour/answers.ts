import { z } from 'zod';
import { errorBodyNames } from './error-bodies.ts';
import { listEnvelopeNames } from './list-envelopes.ts';
import { orderEnvelopeNames } from './order-envelopes.ts';

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
    order: z.enum(orderEnvelopeNames).default('bare').describe('Where in an answer its one order stands'),
    list: z.enum(listEnvelopeNames).default('data_page').describe('The envelope of a list'),
    error: z.enum(errorBodyNames).default('error_object').describe('The body of an error'),
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
