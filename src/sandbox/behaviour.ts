import { phoneToE164 } from '../orders/phone.ts';
import { errorBody } from './wire/error-body.ts';
import { listEnvelope } from './wire/list-envelope.ts';

/**
 * The sandbox's own choices where the interface document is silent, by name. Choices about what happens
 * rather than how it looks are made in one place each: a repeated key and what is stored under it
 * (rules/repeat-answer.ts), whom an external customer id is remembered for (rules/resolve-customer.ts),
 * fields beyond the document (wire/order.ts), unknown query parameters (rules/list-query.ts),
 * and an `externalOrderId` that stays taken once its order is cancelled (store/schema.ts).
 */
export const behaviour = {
  status: { created: 201, read: 200, listed: 200, cancelled: 200 },
  errorBody,
  listEnvelope,
  paging: { firstPage: 1, defaultPageSize: 20, largestPageSize: 100 },
  orders: { created: 'CONFIRMED', cancelled: 'CANCELLED', cancellable: ['CONFIRMED'] },
  deliveries: { createdAtOnce: true, created: 'PENDING', cancelled: 'CANCELLED' },
  normalisePhone: (phone: string): string => phoneToE164(phone) ?? phone.trim(),
  replayHeader: 'Idempotent-Replayed',
  largestBody: 1024 * 1024,
  refusals: {
    hostRefused: { status: 403, code: 'HOST_NOT_ALLOWED' },
    keyRefused: { status: 401, code: 'UNAUTHORIZED' },
    scopeMissing: { status: 403, code: 'SCOPE_MISSING' },
    routeUnknown: { status: 404, code: 'NOT_FOUND' },
    bodyTooLarge: { status: 413, code: 'BODY_TOO_LARGE' },
    bodyNotJson: { status: 400, code: 'INVALID_JSON' },
    contentTypeRefused: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
    queryInvalid: { status: 400, code: 'INVALID_QUERY' },
    idempotencyKeyMissing: { status: 400, code: 'IDEMPOTENCY_KEY_MISSING' },
    idempotencyKeyReused: { status: 422, code: 'IDEMPOTENCY_KEY_REUSED' },
    externalOrderIdExists: { status: 409, code: 'EXTERNAL_ORDER_ID_EXISTS' },
    orderInvalid: { status: 422, code: 'MERCHANT_API_INVALID_ORDER' },
    skuUnknown: { status: 422, code: 'PRODUCT_SKU_NOT_FOUND' },
    skuInactive: { status: 422, code: 'PRODUCT_SKU_INACTIVE' },
    phoneAmbiguous: { status: 422, code: 'CUSTOMER_PHONE_AMBIGUOUS' },
    orderUnknown: { status: 404, code: 'ORDER_NOT_FOUND' },
    reasonMissing: { status: 422, code: 'REASON_REQUIRED' },
    orderNotCancellable: { status: 409, code: 'ORDER_NOT_CANCELLABLE' },
    sandboxFailed: { status: 500, code: 'INTERNAL_ERROR' },
  },
};

export type Behaviour = typeof behaviour;
export type RefusalName = keyof Behaviour['refusals'];
