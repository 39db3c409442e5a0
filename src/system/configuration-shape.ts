import { z } from 'zod';

/** The configuration file; anything else in it is refused rather than lost at the next write. */
export const configurationShape = z.strictObject({
  currentProfile: z.string().optional(),
  profiles: z.record(
    z.string(),
    z.strictObject({ baseUrl: z.string().optional(), apiKey: z.string().optional() }),
  ),
});
