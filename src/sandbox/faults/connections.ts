import { z } from 'zod';

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
