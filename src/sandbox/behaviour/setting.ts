import * as z from 'zod';

/** Settings that belong together, each of which has a default. */
export function group<Shape extends z.ZodRawShape>(settings: Shape) {
  return z.strictObject(settings).prefault({} as z.input<z.ZodObject<Shape, z.core.$strict>>);
}

/** One of these words, by default the first. */
export function choice<const Words extends readonly [string, ...string[]]>(
  words: Words,
  description: string,
) {
  return z.enum(words).default(words[0]).describe(description);
}

/** By default null, for no limit. */
export function orNull(limit: z.ZodNumber, description: string) {
  return limit.nullable().default(null).describe(description);
}
