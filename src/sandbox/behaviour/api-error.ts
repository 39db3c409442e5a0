import * as z from 'zod';
import type { FieldProblem } from './error-bodies.ts';

/** Those of which a behaviour may change status and code. */
const openErrors = {
  keyMissing: { status: 401, code: 'UNAUTHORIZED' },
  keyRefused: { status: 401, code: 'UNAUTHORIZED' },
  scopeMissing: { status: 403, code: 'SCOPE_MISSING' },
  idempotencyKeyMissing: { status: 400, code: 'IDEMPOTENCY_KEY_MISSING' },
  idempotencyKeyInvalid: { status: 400, code: 'IDEMPOTENCY_KEY_INVALID' },
  idempotencyKeyInUse: { status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' },
  idempotencyKeyRepeated: { status: 409, code: 'IDEMPOTENCY_KEY_REPEATED' },
  idempotencyKeyReused: { status: 422, code: 'IDEMPOTENCY_KEY_REUSED' },
  externalOrderIdExists: { status: 409, code: 'EXTERNAL_ORDER_ID_EXISTS' },
  bodyNotJson: { status: 400, code: 'INVALID_JSON' },
  bodyTooLarge: { status: 413, code: 'BODY_TOO_LARGE' },
  queryInvalid: { status: 400, code: 'INVALID_QUERY' },
  reasonMissing: { status: 422, code: 'REASON_REQUIRED' },
  orderUnknown: { status: 404, code: 'ORDER_NOT_FOUND' },
  orderNotCancellable: { status: 409, code: 'ORDER_NOT_CANCELLABLE' },
};

/** The same under every behaviour; interface section 7 states some of the codes. */
const fixedErrors = {
  hostRefused: { status: 403, code: 'HOST_NOT_ALLOWED' },
  adminTokenRefused: { status: 401, code: 'UNAUTHORIZED' },
  requestInvalid: { status: 400, code: 'INVALID_REQUEST' },
  notFound: { status: 404, code: 'NOT_FOUND' },
  methodRefused: { status: 405, code: 'METHOD_NOT_ALLOWED' },
  contentTypeRefused: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  orderOfOther: { status: 403, code: 'ORDER_OF_OTHER_MERCHANT' },
  skuUnknown: { status: 422, code: 'PRODUCT_SKU_NOT_FOUND' },
  skuInactive: { status: 422, code: 'PRODUCT_SKU_INACTIVE' },
  phoneAmbiguous: { status: 422, code: 'CUSTOMER_PHONE_AMBIGUOUS' },
  diskFull: { status: 507, code: 'INSUFFICIENT_STORAGE' },
  sandboxFailed: { status: 500, code: 'INTERNAL_ERROR' },
};

const invalidOrder = { status: 422, code: 'MERCHANT_API_INVALID_ORDER' };

const status = z.int().min(400).max(499).optional();
const change = z.strictObject({ status, code: z.string().min(1).optional() }).optional();
type OpenError = keyof typeof openErrors;
const names = Object.keys(openErrors) as OpenError[];

export const refusals = z
  .strictObject({
    ...(Object.fromEntries(names.map((name) => [name, change])) as Record<OpenError, typeof change>),
    // Interface section 7 states the code.
    orderInvalid: z.strictObject({ status }).optional(),
  })
  .default({})
  .describe('The statuses (4xx) and codes of errors; the code of orderInvalid is that of the document');

type Refusals = z.output<typeof refusals>;

export type ErrorName = OpenError | 'orderInvalid' | keyof typeof fixedErrors;

export function findError(refusals: Refusals, name: ErrorName): { status: number; code: string } {
  const error = { ...openErrors, ...fixedErrors, orderInvalid: invalidOrder }[name];
  return { ...error, ...(refusals as Partial<Record<ErrorName, object>>)[name] };
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

/** For at least one problem. */
export function fieldsError(name: ErrorName, fields: readonly FieldProblem[]): ApiError {
  return new ApiError(name, fields.map(({ field, problem }) => `${field}: ${problem}`).join('; '), fields);
}

export function fieldError(name: ErrorName, field: string, problem: string): ApiError {
  return fieldsError(name, [{ field, problem }]);
}
