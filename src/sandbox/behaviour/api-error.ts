import * as z from 'zod';
import type { FieldProblem } from './error-bodies.ts';

const code = z.string().min(1);

function errorSetting<const Status extends number>(
  when: string,
  statuses: readonly [Status, ...Status[]],
  presetCode: string,
) {
  return z
    .strictObject({
      status: z
        .literal(statuses)
        .default(statuses[0] as never)
        .describe(`${when}: the status`),
      code: code.default(presetCode).describe(`${when}: the code`),
    })
    .prefault({});
}

export const refusals = z
  .strictObject({
    keyMissing: errorSetting('No API key', [401, 400, 403], 'UNAUTHORIZED'),
    keyRefused: errorSetting('A wrong API key', [401, 403], 'UNAUTHORIZED'),
    scopeMissing: errorSetting('A key without the scope', [403, 401], 'SCOPE_MISSING'),
    idempotencyKeyMissing: errorSetting('No Idempotency-Key', [400, 422], 'IDEMPOTENCY_KEY_MISSING'),
    idempotencyKeyInvalid: errorSetting('A key in the wrong format', [400, 422], 'IDEMPOTENCY_KEY_INVALID'),
    idempotencyKeyInUse: errorSetting(
      'The same key while a request with it has no response yet, if rejected',
      [409, 425],
      'IDEMPOTENCY_KEY_IN_USE',
    ),
    idempotencyKeyRepeated: errorSetting(
      'The same key with the same body, if rejected',
      [409, 422],
      'IDEMPOTENCY_KEY_REPEATED',
    ),
    idempotencyKeyReused: errorSetting(
      'The same key with another body, if rejected',
      [422, 409, 400],
      'IDEMPOTENCY_KEY_REUSED',
    ),
    externalOrderIdExists: errorSetting(
      'A taken externalOrderId, if rejected',
      [409, 422, 400],
      'EXTERNAL_ORDER_ID_EXISTS',
    ),
    orderInvalid: z
      .strictObject({
        status: z
          .literal([422, 400])
          .default(422)
          .describe('An invalid order: the status; the interface states the code'),
      })
      .prefault({}),
    bodyNotJson: errorSetting('A body that is not a JSON object', [400, 422], 'INVALID_JSON'),
    bodyTooLarge: errorSetting('A body over the limit', [413, 400], 'BODY_TOO_LARGE'),
    queryInvalid: errorSetting('An invalid query parameter', [400, 422], 'INVALID_QUERY'),
    reasonMissing: errorSetting('A cancellation without its reason', [422, 400], 'REASON_REQUIRED'),
    orderUnknown: errorSetting('An unknown order', [404, 410, 400], 'ORDER_NOT_FOUND'),
    orderNotCancellable: errorSetting(
      'A cancellation in a state that does not allow it',
      [409, 422, 400],
      'ORDER_NOT_CANCELLABLE',
    ),
  })
  .prefault({});

/** The same under every behaviour. */
const fixedErrors = {
  hostRefused: { status: 403, code: 'HOST_NOT_ALLOWED' },
  adminTokenRefused: { status: 401, code: 'UNAUTHORIZED' },
  routeUnknown: { status: 404, code: 'NOT_FOUND' },
  methodRefused: { status: 405, code: 'METHOD_NOT_ALLOWED' },
  contentTypeRefused: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  skuUnknown: { status: 422, code: 'PRODUCT_SKU_NOT_FOUND' },
  skuInactive: { status: 422, code: 'PRODUCT_SKU_INACTIVE' },
  phoneAmbiguous: { status: 422, code: 'CUSTOMER_PHONE_AMBIGUOUS' },
  diskFull: { status: 507, code: 'INSUFFICIENT_STORAGE' },
  sandboxFailed: { status: 500, code: 'INTERNAL_ERROR' },
};

type Refusals = z.output<typeof refusals>;

export type ErrorName = keyof Refusals | keyof typeof fixedErrors;

/** The code of an invalid order is stated in interface section 7. */
export function findError(refusals: Refusals, name: ErrorName): { status: number; code: string } {
  const configurable = {
    ...refusals,
    orderInvalid: { ...refusals.orderInvalid, code: 'MERCHANT_API_INVALID_ORDER' },
  };
  return { ...fixedErrors, ...configurable }[name];
}

/** A rejected request; the behaviour defines status and code by name. */
export class ApiError extends Error {
  override readonly name: ErrorName;
  readonly fields: readonly FieldProblem[];

  constructor(name: ErrorName, message: string, fields: readonly FieldProblem[] = []) {
    super(message);
    this.name = name;
    this.fields = fields;
  }
}

export function fieldError(name: ErrorName, field: string, problem: string): ApiError {
  return new ApiError(name, `${field}: ${problem}`, [{ field, problem }]);
}
