import * as z from 'zod';
import type { FieldProblem } from './error-bodies.ts';
import { group } from './setting.ts';

const status = z.int().min(400).max(499);

function refusal(preset: number, code: string) {
  return group({ status: status.default(preset), code: z.string().min(1).default(code) });
}

export const refusals = group({
  keyMissing: refusal(401, 'UNAUTHORIZED'),
  keyRefused: refusal(401, 'UNAUTHORIZED'),
  scopeMissing: refusal(403, 'SCOPE_MISSING'),
  idempotencyKeyMissing: refusal(400, 'IDEMPOTENCY_KEY_MISSING'),
  idempotencyKeyInvalid: refusal(400, 'IDEMPOTENCY_KEY_INVALID'),
  idempotencyKeyInUse: refusal(409, 'IDEMPOTENCY_KEY_IN_USE'),
  idempotencyKeyRepeated: refusal(409, 'IDEMPOTENCY_KEY_REPEATED'),
  idempotencyKeyReused: refusal(422, 'IDEMPOTENCY_KEY_REUSED'),
  externalOrderIdExists: refusal(409, 'EXTERNAL_ORDER_ID_EXISTS'),
  bodyNotJson: refusal(400, 'INVALID_JSON'),
  bodyTooLarge: refusal(413, 'BODY_TOO_LARGE'),
  queryInvalid: refusal(400, 'INVALID_QUERY'),
  reasonMissing: refusal(422, 'REASON_REQUIRED'),
  orderUnknown: refusal(404, 'ORDER_NOT_FOUND'),
  orderNotCancellable: refusal(409, 'ORDER_NOT_CANCELLABLE'),
  // Interface section 7 states the code.
  orderInvalid: group({ status: status.default(422) }),
}).describe('The statuses (4xx) and codes of errors; the code of orderInvalid is that of the document');

type Refusals = z.output<typeof refusals>;

/** The same under every behaviour; interface section 7 states some of the codes. */
const fixedErrors = {
  hostRefused: { status: 403, code: 'HOST_NOT_ALLOWED' },
  adminTokenRefused: { status: 401, code: 'UNAUTHORIZED' },
  requestInvalid: { status: 400, code: 'INVALID_REQUEST' },
  notFound: { status: 404, code: 'NOT_FOUND' },
  methodRefused: { status: 405, code: 'METHOD_NOT_ALLOWED' },
  contentTypeRefused: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  skuUnknown: { status: 422, code: 'PRODUCT_SKU_NOT_FOUND' },
  skuInactive: { status: 422, code: 'PRODUCT_SKU_INACTIVE' },
  phoneAmbiguous: { status: 422, code: 'CUSTOMER_PHONE_AMBIGUOUS' },
  diskFull: { status: 507, code: 'INSUFFICIENT_STORAGE' },
  sandboxFailed: { status: 500, code: 'INTERNAL_ERROR' },
};

type ErrorName = keyof Refusals | keyof typeof fixedErrors;

export function findError(refusals: Refusals, name: ErrorName): { status: number; code: string } {
  return { code: 'MERCHANT_API_INVALID_ORDER', ...{ ...fixedErrors, ...refusals }[name] };
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
