import { z } from 'zod';

export const keys = z
  .strictObject({
    required: z.boolean().default(true).describe('Whether a create without Idempotency-Key is refused'),
    format: z.enum(['any', 'uuid']).default('any').describe('What a key has to look like'),
    longest: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe('The most characters of a key; null for no limit'),
    repeated: z
      .enum(['replayed', 'refused', 'ignored'])
      .default('replayed')
      .describe(
        'The same key with the same body: the stored answer again, a refusal, as if there were no key',
      ),
    otherBody: z
      .enum(['refused', 'replayed', 'processed'])
      .default('refused')
      .describe(
        'The same key with another body: a refusal, the stored answer all the same, a request of its own',
      ),
    kept: z
      .enum(['nothing', 'successes', 'refusals', 'everything'])
      .default('successes')
      .describe(
        'What is stored under a key: nothing, successes, refusals (4xx) as well, failures (5xx) as well',
      ),
    retentionSeconds: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe('How long it is stored; null for as long as the database'),
    replayHeader: z
      .string()
      .regex(/^[\w-]+$/)
      .meta({ title: 'the name of a header' })
      .nullable()
      .default('Idempotent-Replayed')
      .describe('The header, with the value true, of an answer that was stored; null for none'),
  })
  .prefault({});
