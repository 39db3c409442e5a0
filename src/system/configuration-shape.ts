import { z } from 'zod';

/** The configuration file. Unknown keys are an error, since the next write would lose them. */
export const configurationShape = z.strictObject({
  currentProfile: z.string().optional(),
  profiles: z.record(
    z.string(),
    z.strictObject({
      // A password in an address would be shown with it.
      baseUrl: z
        .string()
        .regex(/^[^@?#]*$/)
        .optional(),
      apiKey: z.string().optional(),
      fields: z.record(z.string(), z.string()).optional(),
    }),
  ),
});
