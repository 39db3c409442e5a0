import { json, phraseOf, type ToErrorBody } from '../error-body.ts';

/** Bodies that the APIs of well-known services and gateways answer with. */
export const apiErrors = {
  stripe: ({ code, message, requestId, fields: [first] }) =>
    json({
      error: {
        code,
        message,
        ...(first === undefined ? {} : { param: first.field }),
        request_log_url: `https://dashboard.example/logs/${requestId}`,
        type: 'invalid_request_error',
      },
    }),
  // AIP-193: `code` is the status, and `status` is the code.
  google: ({ code, message, status }) =>
    json({
      error: {
        code: status,
        message,
        status: code,
        details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code, domain: 'orders' }],
      },
    }),
  // RFC 6749
  oauth: ({ code, message }) => json({ error: code, error_description: message }),
  square: ({ code, message, status, fields: [first] }) =>
    json({
      errors: [
        {
          category: status === 401 || status === 403 ? 'AUTHENTICATION_ERROR' : 'INVALID_REQUEST_ERROR',
          code,
          detail: message,
          ...(first === undefined ? {} : { field: first.field }),
        },
      ],
    }),
  paypal: ({ code, message, requestId, fields }) =>
    json({
      name: code,
      message,
      debug_id: requestId,
      details: fields.map(({ field, problem }) => ({ field, issue: problem })),
    }),
  apigee: ({ code, message }) => json({ fault: { faultstring: message, detail: { errorcode: code } } }),
  // What the gateway refuses never reaches the service, so it has neither its code nor its message.
  aws: ({ code, message, status }) =>
    status === 401 || status === 403
      ? json({ message: phraseOf(status) })
      : json({ __type: code, Message: message }),
} satisfies Record<string, ToErrorBody>;
