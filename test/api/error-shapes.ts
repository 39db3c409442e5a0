import type { ServiceError } from '../../src/api/responses/error-body.ts';

export interface ErrorShape {
  name: string;
  text: string;
  contentType: string;
  expected: ServiceError;
}

const code = 'NO_STOCK';
const message = 'There is none left';
const path = 'items[0].sku';
const problem = 'is not in the catalogue';
const issues = [{ path, message: problem }];

function json(
  name: string,
  body: unknown,
  expected: ServiceError,
  contentType = 'application/json',
): ErrorShape {
  return { name, text: JSON.stringify(body), contentType, expected };
}

/** Common shapes of error bodies, by number; all sent with status 422. */
export const errorShapes: ErrorShape[] = [
  json(
    '1 RFC 9457',
    {
      type: `https://e.mn/problems/${code}`,
      title: 'No stock',
      status: 422,
      detail: message,
      instance: '/orders/7',
      errors: [{ detail: problem, pointer: '#/items/0/sku' }],
    },
    { code, message, issues },
    'application/problem+json',
  ),
  json(
    '2 Stripe',
    { error: { code, message, type: 'invalid_request_error', param: 'items[0][sku]' } },
    { code, message, issues: [{ path, code, message }] },
  ),
  json(
    '2 Google',
    {
      error: {
        code: 422,
        status: code,
        message,
        details: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'OTHER', domain: 'e.mn' },
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field: 'items[0].sku', description: problem }],
          },
        ],
      },
    },
    { code, message, issues },
  ),
  json('3 a message', { error: message }, { message }),
  json('4 OAuth', { error: 'invalid_token', error_description: message }, { code: 'invalid_token', message }),
  json('5 code and message', { code, message }, { code, message }),
  json('6 details', { code, message, details: { [path]: problem } }, { code, message, issues }),
  json('7 camel case', { errorCode: code, errorMessage: message }, { code, message }),
  json('7 snake case', { error_code: code, error_message: message }, { code, message }),
  json('8 a message', { message }, { message }),
  json('9 NestJS', { statusCode: 422, message, error: 'Unprocessable Entity' }, { message }),
  json(
    '9 NestJS, a list',
    { statusCode: 422, message: ['items.0.sku must be a string', 'total is blank'], error: 'Bad Request' },
    {
      message: 'items.0.sku must be a string; total is blank',
      issues: [
        { path, message: 'items.0.sku must be a string' },
        { path: 'total', message: 'total is blank' },
      ],
    },
  ),
  json(
    '10 Spring',
    { timestamp: '2026-11-25T08:00:00Z', status: 422, error: 'Conflict', path: '/api/v1', message },
    { message },
  ),
  json(
    '11 Laravel',
    { message, errors: { 'items.0.sku': [problem, 'is blank'] } },
    { message, issues: [{ path, message: `${problem}; is blank` }] },
  ),
  json('12 FastAPI, a message', { detail: message }, { message }),
  json(
    '12 FastAPI',
    { detail: [{ loc: ['body', 'items', 0, 'sku'], msg: problem, type: 'value_error', input: 7 }] },
    {
      message: `${path}: ${problem}`,
      issues: [{ path, code: 'value_error', message: problem, value: '7' }],
    },
  ),
  json('13 Rails, by field', { errors: { [path]: [problem] } }, { message: `${path}: ${problem}`, issues }),
  json('13 Rails, a list', { errors: [message, 'Nor here'] }, { message: `${message}; Nor here` }),
  json(
    '14 JSON:API',
    {
      errors: [
        {
          status: '422',
          code,
          title: 'Invalid',
          detail: problem,
          source: { pointer: '/data/attributes/items/0/sku' },
        },
        { status: '422', code: 'BLANK', detail: 'is blank', source: { pointer: '/data/attributes/total' } },
      ],
    },
    {
      code,
      message: problem,
      issues: [
        { path, code, message: problem },
        { path: 'total', code: 'BLANK', message: 'is blank' },
      ],
    },
    'application/vnd.api+json',
  ),
  json(
    '15 Square',
    { errors: [{ category: 'INVALID_REQUEST_ERROR', code, detail: message, field: path }] },
    { code, message, issues: [{ path, code, message }] },
  ),
  json(
    '16 PayPal',
    { name: code, message, debug_id: 'd-1', details: [{ field: '/items/0/sku', issue: problem }] },
    { code, message, requestId: 'd-1', issues },
  ),
  json('17 success false', { success: false, error: { code, message } }, { code, message }),
  json('18 data null', { data: null, error: { code, message } }, { code, message }),
  json(
    '19 Apigee',
    { fault: { faultstring: message, detail: { errorcode: 'policies.NoStock' } } },
    { code: 'policies.NoStock', message },
  ),
  json(
    '20 AWS',
    { __type: 'com.example.orders#NoStockException', Message: message },
    { code: 'NoStockException', message },
    'application/x-amz-json-1.1',
  ),
  json('20 AWS gateway', { message: 'Forbidden' }, { message: 'Forbidden' }),
  {
    name: '21 nginx',
    text: '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center>nginx &amp; co</center>\r\n</body>\r\n</html>',
    contentType: 'text/html',
    expected: { message: '502 Bad Gateway nginx & co' },
  },
  {
    name: '22 plain text',
    text: `${code}: ${message}\n`,
    contentType: 'text/plain; charset=utf-8',
    expected: { code, message: `${code}: ${message}` },
  },
  { name: '23 an empty body', text: '', contentType: 'application/json', expected: {} },
  json('24 a JSON string', message, { message }),
  json('24 a JSON array', [{ code, message }], { code, message }),
  json('24 a JSON array of messages', [message, 'Nor here'], { message: `${message}; Nor here` }),
];
