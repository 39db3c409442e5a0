import { STATUS_CODES } from 'node:http';

/** Of an error of the sandbox, in its default form. */
export interface ErrorContent {
  code: string;
  message: string;
  status: number;
  requestId: string;
  fields: readonly { field: string; problem: string }[];
  path: string;
}

interface ErrorBody {
  text: string;
  contentType: string | undefined;
}

type ToErrorBody = (error: ErrorContent) => ErrorBody;

function json(value: unknown, contentType = 'application/json'): ErrorBody {
  return { text: JSON.stringify(value), contentType };
}

function phraseOf(status: number): string {
  return STATUS_CODES[status] ?? 'Error';
}

/** Such as `/items/0/sku` (RFC 6901). */
function pointerTo(field: string): string {
  return `/${segmentsOf(field).join('/')}`;
}

function segmentsOf(field: string): string[] {
  return field.split(/[.[\]]+/).filter((segment) => segment !== '');
}

/** Without fields, the message is under `base`. */
function problemsByField({ fields, message }: ErrorContent) {
  if (fields.length === 0) return { base: [message] };
  return Object.fromEntries(fields.map(({ field, problem }) => [field, [problem]]));
}

/** Bodies of web frameworks and standards. */
const frameworkErrors = {
  spring: ({ message, status, path }) =>
    json({ timestamp: '2026-11-21T10:00:00.000+00:00', status, error: phraseOf(status), path, message }),
  laravel: (error) =>
    json({
      message: error.message,
      ...(error.fields.length === 0 ? {} : { errors: problemsByField(error) }),
    }),
  fastapi: ({ code, message, fields }) =>
    json({
      detail:
        fields.length === 0
          ? message
          : fields.map(({ field, problem }) => ({
              loc: ['body', ...segmentsOf(field)],
              msg: problem,
              type: code,
            })),
    }),
  rails: (error) => json({ errors: error.fields.length === 0 ? [error.message] : problemsByField(error) }),
  json_api: ({ code, message, status, requestId, fields }) =>
    json(
      {
        errors: (fields.length === 0 ? [undefined] : fields).map((found) => ({
          id: requestId,
          status: String(status),
          code,
          title: phraseOf(status),
          detail: found?.problem ?? message,
          ...(found === undefined ? {} : { source: { pointer: pointerTo(found.field) } }),
        })),
      },
      'application/vnd.api+json',
    ),
} satisfies Record<string, ToErrorBody>;

/** Bodies of well-known services and gateways. */
const apiErrors = {
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
  // The gateway itself rejects the key, without the service's code or message.
  aws: ({ code, message, status }) =>
    status === 401 || status === 403
      ? json({ message: phraseOf(status) })
      : json({ __type: code, Message: message }),
} satisfies Record<string, ToErrorBody>;

/** Bodies that are not a JSON object, or have the wrong content type. */
const plainErrors = {
  html: ({ status }) => {
    const title = `${status} ${phraseOf(status)}`;
    return {
      text: `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
      contentType: 'text/html',
    };
  },
  plain_text: ({ code, message }) => ({
    text: `${code}: ${message}\n`,
    contentType: 'text/plain; charset=utf-8',
  }),
  empty: () => ({ text: '', contentType: undefined }),
  json_text: ({ message }) => json(message),
  json_array: ({ code, message }) => json([{ code, message }]),
  mislabelled: (error) => ({
    text: `\uFEFF${json({ code: error.code, message: error.message }).text}`,
    contentType: 'text/html; charset=utf-8',
  }),
} satisfies Record<string, ToErrorBody>;

const simpleErrors = {
  error_text: ({ message }) => json({ error: message }),
  code_message: ({ code, message }) => json({ code, message }),
  code_message_details: ({ code, message, fields }) =>
    json({
      code,
      message,
      details: Object.fromEntries(fields.map(({ field, problem }) => [field, problem])),
    }),
  error_code_message: ({ code, message }) => json({ errorCode: code, errorMessage: message }),
  success_false: ({ code, message }) => json({ success: false, error: { code, message } }),
  data_null: ({ code, message }) => json({ data: null, error: { code, message } }),
} satisfies Record<string, ToErrorBody>;

/** Bodies of errors that the sandbox does not have, by name. */
export const errorBodies: Record<string, ToErrorBody> = {
  ...simpleErrors,
  ...frameworkErrors,
  ...apiErrors,
  ...plainErrors,
};
