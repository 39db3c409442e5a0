import { z } from 'zod';

const json: z.ZodType<unknown> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(json), plainObject(json)]),
);

/** Expected JSON, in which an object may be a matcher. */
const expected: z.ZodType<unknown> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.strictObject({ $matches: z.string().refine(isPattern, 'is not a regular expression') }),
    z.strictObject({ $absent: z.literal(true) }),
    z.strictObject({ $any: z.literal(true) }),
    z.strictObject({ $objectOrNull: z.literal(true) }),
    z.strictObject({ $oneOf: z.array(expected).min(2) }),
    z.strictObject({ $not: expected }),
    z.array(expected),
    plainObject(expected),
  ]),
);

/** Fields that replace those of the valid order; `$absent` removes one. */
const orderFields = plainObject(z.union([z.strictObject({ $absent: z.literal(true) }), json]));

const keyName = z.enum([
  'own',
  'read-only',
  'write-only',
  'other client',
  'other merchant',
  'unknown',
  'none',
]);
const merchant = z.enum(['own', 'other merchant']);
const name = z.string().regex(/^(?!keys$)[a-z][a-z-]*$/);
const names = z.array(name);
const time = z.iso.datetime();

const given = z
  .strictObject({
    products: z
      .array(z.strictObject({ merchant: merchant.optional(), sku: z.string().min(1), active: z.boolean() }))
      .min(1),
    orders: z
      .array(
        z.strictObject({
          as: name,
          key: keyName.optional(),
          at: time.optional(),
          state: z.enum(['terminal', 'not cancellable']).optional(),
          order: orderFields,
        }),
      )
      .min(1),
    customers: z.array(z.strictObject({ merchant: merchant.optional(), phoneOf: name })).min(1),
    deliveries: z.enum(['at once', 'never']),
    timeZone: z.enum(['Asia/Ulaanbaatar', 'America/New_York']),
  })
  .partial();

const request = z
  .strictObject({
    method: z.enum(['GET', 'POST']),
    path: z.string().startsWith('/'),
    key: keyName.optional(),
    query: z.record(z.string(), z.string()).optional(),
    headers: z.record(z.string(), z.string().nullable()).optional(),
    order: orderFields.optional(),
    body: plainObject(json).optional(),
    rawBody: z.string().optional(),
  })
  .refine(
    ({ method, order, body, rawBody }) =>
      [order, body, rawBody].filter((one) => one !== undefined).length === (method === 'POST' ? 1 : 0),
    'a POST has one of order, body and rawBody, a GET none',
  );

const response = z.strictObject({
  status: z.union([z.enum(['2xx', '4xx', 'any']), z.int().min(200).max(599)]),
  code: z
    .string()
    .regex(/^[A-Z_]+$/)
    .optional(),
  order: plainObject(expected).optional(),
  orders: names.optional(),
  count: z.int().min(0).optional(),
  headers: plainObject(expected).optional(),
});

const step = z.strictObject({ request, as: name.optional(), expect: response });

const after = z.strictObject({
  newOrders: z.int().min(0),
  newCustomers: z.int().min(0).optional(),
  newProducts: z.int().min(0).optional(),
  sameCustomer: names.min(2).optional(),
  differentCustomers: names.min(2).optional(),
  deliveryMatches: names.min(1).optional(),
  unchanged: names.min(1).optional(),
  listed: names.min(1).optional(),
});

const contractCase = z
  .strictObject({
    sentence: z.string().regex(/^\d[\w.]* \S/),
    name: z.string().min(1),
    given: given.optional(),
    steps: z.array(step).min(1),
    after,
  })
  .superRefine(({ given, steps }, context) => {
    const all = [...(given?.orders ?? []), ...steps].flatMap(({ as }) => (as === undefined ? [] : [as]));
    if ((given?.orders ?? []).some(({ as }, place) => all.indexOf(as) !== place)) {
      context.addIssue('two given orders have one name');
    }
    const needsClock = given?.orders?.some(({ at }) => at !== undefined);
    if (given?.timeZone && (given.products || given.deliveries || needsClock)) {
      context.addIssue('a sandbox in a time zone has its own clock, any product, and its deliveries');
    }
  });

export const caseFile = z.strictObject({
  section: z.string().regex(/^\d(?:\.\d)? \S/),
  cases: z.array(contractCase).min(1),
});

export type ContractCase = z.infer<typeof contractCase>;
export type Given = z.infer<typeof given>;
export type KeyName = z.infer<typeof keyName>;
export type Request = z.infer<typeof request>;
export type ExpectedResponse = z.infer<typeof response>;
export type After = z.infer<typeof after>;

/** An object that is not a matcher; a mistyped matcher is invalid. */
function plainObject<Value>(value: z.ZodType<Value>) {
  return z.record(z.string().regex(/^[^$]/), value);
}

function isPattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text));
  } catch {
    return false;
  }
}
