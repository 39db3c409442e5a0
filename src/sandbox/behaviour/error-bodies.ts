import { STATUS_CODES } from 'node:http';
import { type Json, writeJson } from '../../orders/json.ts';

export interface ErrorContent {
  code: string;
  message: string;
  status: number;
  requestId: string;
  fields: readonly FieldProblem[];
  path: string;
  /** ISO 8601. */
  time: string;
}

export interface FieldProblem {
  /** Such as `items[0].sku`. */
  field: string;
  problem: string;
}

interface ErrorBody {
  text: string;
  contentType: string | undefined;
}

type ToErrorBody = (error: ErrorContent) => ErrorBody;

function json(value: Json, contentType = 'application/json'): ErrorBody {
  return { text: writeJson(value), contentType };
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
function problemsByField({ fields, message }: ErrorContent): Record<string, Json> {
  if (fields.length === 0) return { base: [message] };
  return Object.fromEntries(fields.map(({ field, problem }) => [field, [problem]]));
}

/** Bodies of web frameworks and standards. */
const frameworkErrors = {
  // RFC 9457: the type is a URI, and here its last segment is the code.
  problem_details: ({ code, message, status, requestId, fields }) =>
    json(
      {
        type: `https://api.example/problems/${code}`,
        title: phraseOf(status),
        status,
        detail: message,
        instance: `urn:uuid:${requestId}`,
        errors: fields.map(({ field, problem }) => ({ detail: problem, pointer: `#${pointerTo(field)}` })),
      },
      'application/problem+json',
    ),
  nestjs: ({ message, status, fields }) =>
    json({
      statusCode: status,
      message: fields.length === 0 ? message : fields.map(({ field, problem }) => `${field} ${problem}`),
      error: phraseOf(status),
    }),
  spring: ({ message, status, path, time }) =>
    json({ timestamp: time, status, error: phraseOf(status), path, message }),
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
  error_object: ({ code, message, requestId }) => json({ error: { code, message, requestId } }),
  error_text: ({ message }) => json({ error: message }),
  code_message: ({ code, message }) => json({ code, message }),
  code_message_details: ({ code, message, fields }) =>
    json({
      code,
      message,
      details: Object.fromEntries(fields.map(({ field, problem }) => [field, problem])),
    }),
  error_code_message: ({ code, message }) => json({ errorCode: code, errorMessage: message }),
  message: ({ message }) => json({ message }),
  success_false: ({ code, message }) => json({ success: false, error: { code, message } }),
  data_null: ({ code, message }) => json({ data: null, error: { code, message } }),
} satisfies Record<string, ToErrorBody>;

const all = { ...simpleErrors, ...frameworkErrors, ...apiErrors, ...plainErrors };

export const errorBodies: Record<keyof typeof all, ToErrorBody> = all;
