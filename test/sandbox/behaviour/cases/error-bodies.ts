import { expect } from 'vitest';
import type { Case } from '../case.ts';
import { anOrder, orders } from '../serve.ts';

interface Expected {
  value: string;
  contentType?: string | undefined;
  /** The body for an order whose first SKU is not text. */
  ofField: (requestId: string) => unknown;
  /** The body for an unknown order. */
  ofOrder: (requestId: string) => unknown;
}

const invalid = 'MERCHANT_API_INVALID_ORDER';
const field = 'items[0].sku';
const problem = 'is not text';
const message = `${field}: ${problem}`;
const unknownId = '00000000-0000-4000-8000-000000000000';
const missing = 'ORDER_NOT_FOUND';
const notFoundMessage = `There is no order with the id "${unknownId}"`;
const time = '2026-11-25T08:00:00.000Z';

const page = (title: string) =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;

/** A body with the same form for every error. */
function same(value: string, body: (code: string, message: string, requestId: string) => unknown): Expected {
  return {
    value,
    ofField: (requestId) => body(invalid, message, requestId),
    ofOrder: (requestId) => body(missing, notFoundMessage, requestId),
  };
}

const expected: Expected[] = [
  same('error_object', (code, message, requestId) => ({ error: { code, message, requestId } })),
  same('error_text', (_, message) => ({ error: message })),
  same('code_message', (code, message) => ({ code, message })),
  {
    value: 'code_message_details',
    ofField: () => ({ code: invalid, message, details: { [field]: problem } }),
    ofOrder: () => ({ code: missing, message: notFoundMessage, details: {} }),
  },
  same('error_code_message', (errorCode, errorMessage) => ({ errorCode, errorMessage })),
  same('message', (_, message) => ({ message })),
  same('success_false', (code, message) => ({ success: false, error: { code, message } })),
  same('data_null', (code, message) => ({ data: null, error: { code, message } })),
  {
    value: 'problem_details',
    contentType: 'application/problem+json',
    ofField: (requestId) => ({
      type: `https://api.example/problems/${invalid}`,
      title: 'Unprocessable Entity',
      status: 422,
      detail: message,
      instance: `urn:uuid:${requestId}`,
      errors: [{ detail: problem, pointer: '#/items/0/sku' }],
    }),
    ofOrder: (requestId) => ({
      type: `https://api.example/problems/${missing}`,
      title: 'Not Found',
      status: 404,
      detail: notFoundMessage,
      instance: `urn:uuid:${requestId}`,
      errors: [],
    }),
  },
  {
    value: 'nestjs',
    ofField: () => ({ statusCode: 422, message: [`${field} ${problem}`], error: 'Unprocessable Entity' }),
    ofOrder: () => ({ statusCode: 404, message: notFoundMessage, error: 'Not Found' }),
  },
  {
    value: 'spring',
    ofField: () => ({ timestamp: time, status: 422, error: 'Unprocessable Entity', path: orders, message }),
    ofOrder: () => ({
      timestamp: time,
      status: 404,
      error: 'Not Found',
      path: `${orders}/${unknownId}`,
      message: notFoundMessage,
    }),
  },
  {
    value: 'laravel',
    ofField: () => ({ message, errors: { [field]: [problem] } }),
    ofOrder: () => ({ message: notFoundMessage }),
  },
  {
    value: 'fastapi',
    ofField: () => ({ detail: [{ loc: ['body', 'items', '0', 'sku'], msg: problem, type: invalid }] }),
    ofOrder: () => ({ detail: notFoundMessage }),
  },
  {
    value: 'rails',
    ofField: () => ({ errors: { [field]: [problem] } }),
    ofOrder: () => ({ errors: [notFoundMessage] }),
  },
  {
    value: 'json_api',
    contentType: 'application/vnd.api+json',
    ofField: (id) => ({
      errors: [
        {
          id,
          status: '422',
          code: invalid,
          title: 'Unprocessable Entity',
          detail: problem,
          source: { pointer: '/items/0/sku' },
        },
      ],
    }),
    ofOrder: (id) => ({
      errors: [{ id, status: '404', code: missing, title: 'Not Found', detail: notFoundMessage }],
    }),
  },
  {
    value: 'stripe',
    ofField: (id) => ({
      error: {
        code: invalid,
        message,
        param: field,
        request_log_url: `https://dashboard.example/logs/${id}`,
        type: 'invalid_request_error',
      },
    }),
    ofOrder: (id) => ({
      error: {
        code: missing,
        message: notFoundMessage,
        request_log_url: `https://dashboard.example/logs/${id}`,
        type: 'invalid_request_error',
      },
    }),
  },
  {
    value: 'google',
    ofField: () => ({
      error: {
        code: 422,
        message,
        status: invalid,
        details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: invalid, domain: 'orders' }],
      },
    }),
    ofOrder: () => ({
      error: {
        code: 404,
        message: notFoundMessage,
        status: missing,
        details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: missing, domain: 'orders' }],
      },
    }),
  },
  same('oauth', (error, error_description) => ({ error, error_description })),
  {
    value: 'square',
    ofField: () => ({
      errors: [{ category: 'INVALID_REQUEST_ERROR', code: invalid, detail: message, field }],
    }),
    ofOrder: () => ({
      errors: [{ category: 'INVALID_REQUEST_ERROR', code: missing, detail: notFoundMessage }],
    }),
  },
  {
    value: 'paypal',
    ofField: (debug_id) => ({ name: invalid, message, debug_id, details: [{ field, issue: problem }] }),
    ofOrder: (debug_id) => ({ name: missing, message: notFoundMessage, debug_id, details: [] }),
  },
  same('apigee', (errorcode, faultstring) => ({ fault: { faultstring, detail: { errorcode } } })),
  same('aws', (__type, Message) => ({ __type, Message })),
  {
    value: 'html',
    contentType: 'text/html',
    ofField: () => page('422 Unprocessable Entity'),
    ofOrder: () => page('404 Not Found'),
  },
  {
    value: 'plain_text',
    contentType: 'text/plain; charset=utf-8',
    ofField: () => `${invalid}: ${message}\n`,
    ofOrder: () => `${missing}: ${notFoundMessage}\n`,
  },
  { value: 'empty', contentType: undefined, ofField: () => '', ofOrder: () => '' },
  same('json_text', (_, message) => message),
  same('json_array', (code, message) => [{ code, message }]),
  {
    value: 'mislabelled',
    contentType: 'text/html; charset=utf-8',
    ofField: () => `\uFEFF${JSON.stringify({ code: invalid, message })}`,
    ofOrder: () => `\uFEFF${JSON.stringify({ code: missing, message: notFoundMessage })}`,
  },
];

const texts = new Set(['html', 'plain_text', 'empty', 'mislabelled']);

export const errorBodyCases: Case[] = expected.map((shape) => ({
  setting: 'answers.error',
  value: shape.value,
  check: async ({ create, read }) => {
    const rejected = await create(anOrder({ items: [{ sku: 7 }] }));
    const unknown = await read(unknownId);
    expect([rejected.status, unknown.status]).toEqual([422, 404]);
    for (const [{ headers, text, json }, body] of [
      [rejected, shape.ofField],
      [unknown, shape.ofOrder],
    ] as const) {
      const type = 'contentType' in shape ? shape.contentType : 'application/json';
      expect(headers['content-type']).toBe(type);
      expect(texts.has(shape.value) ? text : json).toEqual(body(String(headers['x-request-id'])));
    }
  },
}));
