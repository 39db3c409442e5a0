import * as z from 'zod';

/** The configuration file. Unknown keys are an error, since the next write would lose them. */
export const configurationShape = z.strictObject({
  currentProfile: z.string().optional(),
  profiles: z.record(
    z.string(),
    z.strictObject({
      // A password in an address would be shown with it.
      baseUrl: z
        .string()
        .regex(/^[^@?#]*$/, 'has a user, password, ? or #')
        .optional(),
      apiKey: z.string().optional(),
      fields: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

/** The file of remembered mappings. */
export const mappingsShape = z.strictObject({
  mappings: z.array(
    z.strictObject({
      name: z.string(),
      profile: z.string(),
      columns: z.array(z.string()),
      mapping: z.string(),
      seen: z.record(z.string(), z.array(z.string())),
      savedAt: z.string(),
      usedAt: z.string(),
    }),
  ),
});

/** The file of product codes that were used before. */
export const skusShape = z.strictObject({
  used: z.array(z.strictObject({ profile: z.string(), service: z.string(), skus: z.array(z.string()) })),
});

/** The path of the first problem and its rule, without the value. */
export function problemOf({ issues }: z.ZodError): string {
  const [issue] = issues;
  const path = issue?.path.join('.') || 'it';
  if (issue?.code === 'unrecognized_keys') return `${path} has an unknown name`;
  if (issue?.code !== 'invalid_type') return `${path} ${issue?.message}`;
  const expected = { string: 'text', array: 'a list' }[issue.expected as string];
  return `${path} is not ${expected ?? 'an object'}`;
}
