import { z } from 'zod';

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
