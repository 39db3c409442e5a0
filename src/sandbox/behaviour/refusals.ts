import { z } from 'zod';

const code = z.string().min(1);

function refusal<const Status extends number>(
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
    keyMissing: refusal('No API key', [401, 400, 403], 'UNAUTHORIZED'),
    keyRefused: refusal('A wrong API key', [401, 403], 'UNAUTHORIZED'),
    scopeMissing: refusal('A key without the scope', [403, 401], 'SCOPE_MISSING'),
    idempotencyKeyMissing: refusal('No Idempotency-Key', [400, 422], 'IDEMPOTENCY_KEY_MISSING'),
    idempotencyKeyInvalid: refusal('A key of another format', [400, 422], 'IDEMPOTENCY_KEY_INVALID'),
    idempotencyKeyRepeated: refusal(
      'The same key with the same body, where that is refused',
      [409, 422],
      'IDEMPOTENCY_KEY_REPEATED',
    ),
    idempotencyKeyReused: refusal(
      'The same key with another body, where that is refused',
      [422, 409, 400],
      'IDEMPOTENCY_KEY_REUSED',
    ),
    externalOrderIdExists: refusal(
      'An externalOrderId that is taken, where that is refused',
      [409, 422, 400],
      'EXTERNAL_ORDER_ID_EXISTS',
    ),
    orderInvalid: z
      .strictObject({
        status: z
          .literal([422, 400])
          .default(422)
          .describe('An invalid order: the status; its code is stated'),
      })
      .prefault({}),
    orderUnknown: refusal('An order that is not there', [404, 410, 400], 'ORDER_NOT_FOUND'),
    orderNotCancellable: refusal(
      'A cancellation in a state that does not allow it',
      [409, 422, 400],
      'ORDER_NOT_CANCELLABLE',
    ),
  })
  .prefault({});

/** What the document states, and what it does not ask about: the same under every behaviour. */
export const fixedRefusals = {
  hostRefused: { status: 403, code: 'HOST_NOT_ALLOWED' },
  adminTokenRefused: { status: 401, code: 'UNAUTHORIZED' },
  routeUnknown: { status: 404, code: 'NOT_FOUND' },
  bodyTooLarge: { status: 413, code: 'BODY_TOO_LARGE' },
  bodyNotJson: { status: 400, code: 'INVALID_JSON' },
  contentTypeRefused: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  queryInvalid: { status: 400, code: 'INVALID_QUERY' },
  skuUnknown: { status: 422, code: 'PRODUCT_SKU_NOT_FOUND' },
  skuInactive: { status: 422, code: 'PRODUCT_SKU_INACTIVE' },
  phoneAmbiguous: { status: 422, code: 'CUSTOMER_PHONE_AMBIGUOUS' },
  reasonMissing: { status: 422, code: 'REASON_REQUIRED' },
  sandboxFailed: { status: 500, code: 'INTERNAL_ERROR' },
};
