import { z } from 'zod';
import { afterCommit, beforeCommit } from './actions.ts';
import { latency } from './latency.ts';
import { limits } from './limits.ts';

const text = z.string().min(1);

const match = z
  .strictObject({
    method: z.enum(['GET', 'POST']).optional().describe('The method of the request'),
    route: z.enum(['create', 'get', 'list', 'cancel']).optional().describe('The operation'),
    externalOrderId: text.optional().describe('The externalOrderId of a create; * stands for any text'),
    customerPhone: text.optional().describe('The customer.phone of a create; * stands for any text'),
    attempt: z
      .union([
        z.int().min(1),
        z.strictObject({ from: z.int().min(1).default(1), to: z.int().min(1).optional() }),
      ])
      .optional()
      .describe('Which attempt at the same order, or list, from 1; or {"from", "to"}'),
    probability: z.number().min(0).max(1).default(1).describe('How often, of those that match otherwise'),
  })
  .prefault({});

const rule = z.discriminatedUnion('when', [
  z.strictObject({ match, when: z.literal('before_commit'), do: z.discriminatedUnion('kind', beforeCommit) }),
  z.strictObject({ match, when: z.literal('after_commit'), do: z.discriminatedUnion('kind', afterCommit) }),
]);

export const connections = z
  .strictObject({
    idleMs: z.int().min(1).default(5000).describe('How long a connection is kept that nobody uses'),
    idleTold: z.boolean().default(true).describe('Whether answers tell that time, in Keep-Alive'),
    requests: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe('Requests on one connection; null for no limit'),
  })
  .prefault({});

export const faults = z
  .strictObject({
    seed: z.string().default('1').describe('The same seed draws the same faults for the same attempts'),
    rules: z
      .array(rule)
      .meta({ title: 'a list, see below' })
      .default([])
      .describe('What befalls which requests; the first rule that matches counts'),
    demoPhones: z.boolean().default(true).describe('Whether some phones have faults of their own'),
    limits,
    latency,
    connections,
  })
  .prefault({});

export type Faults = z.output<typeof faults>;
export type FaultSettings = z.input<typeof faults>;
export type Rule = z.output<typeof rule>;
