import * as z from 'zod';

/** Unknown keys are an error, because the next write would lose them. */
export const configurationShape = z.strictObject({
  currentProfile: z.string().optional(),
  /** Of what a person reads. */
  language: z.enum(['en', 'mn']).optional(),
  profiles: z.record(
    z.string(),
    z.strictObject({
      // An address is shown in messages, and so would be a password in it.
      baseUrl: z
        .string()
        .regex(/^[^@?#]*$/, 'has a user, password, ? or #')
        .optional(),
      apiKey: z.string().optional(),
      /** Field → the path that the user confirmed or set for it in the request body. */
      fields: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

export const mappingsShape = z.strictObject({
  mappings: z.array(
    z.strictObject({
      name: z.string(),
      profile: z.string(),
      /** Without blank names and those that begin with `_`. */
      columns: z.array(z.string()),
      /** JSON text, whose numbers keep their digits. */
      mapping: z.string(),
      /** Column → the values that its files had (`SeenValues`). */
      seen: z.record(z.string(), z.array(z.string())),
      /** File name → what is put before its order IDs, which only count. */
      prefixes: z.record(z.string(), z.string()).optional(),
      /** Times in RFC 3339. */
      savedAt: z.string(),
      usedAt: z.string(),
    }),
  ),
});

export const skusShape = z.strictObject({
  used: z.array(
    z.strictObject({
      profile: z.string(),
      service: z.string(),
      /** Of orders that were created here. */
      skus: z.array(z.string()),
    }),
  ),
});

/** Never the value, which may be an API key. */
export function problemOf({ issues }: z.ZodError): string {
  const [issue] = issues;
  const path = issue?.path.join('.') || 'it';
  if (issue?.code === 'unrecognized_keys') return `${path} has an unknown name`;
  if (issue?.code !== 'invalid_type') return `${path} ${issue?.message}`;
  const expected = { string: 'text', array: 'a list' }[issue.expected as string];
  return `${path} is not ${expected ?? 'an object'}`;
}
