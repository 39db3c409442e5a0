import { expect } from 'vitest';
import type { Case } from '../case.ts';
import { anOrder } from '../serve.ts';

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

const expected: Expected[] = [
  {
    value: 'error_object',
    ofField: (requestId) => ({
      error: { code: invalid, message, requestId, details: [{ field, message: problem }] },
    }),
    ofOrder: (requestId) => ({ error: { code: missing, message: notFoundMessage, requestId } }),
  },
  { value: 'message', ofField: () => ({ message }), ofOrder: () => ({ message: notFoundMessage }) },
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
];

export const errorBodyCases: Case[] = expected.map((shape) => ({
  setting: 'responses.error',
  value: shape.value,
  check: async ({ create, read }) => {
    const rejected = await create(anOrder({ items: [{ sku: 7 }] }));
    const unknown = await read(unknownId);
    expect([rejected.status, unknown.status]).toEqual([422, 404]);
    for (const [{ headers, json }, body] of [
      [rejected, shape.ofField],
      [unknown, shape.ofOrder],
    ] as const) {
      const type = 'contentType' in shape ? shape.contentType : 'application/json';
      expect(headers['content-type']).toBe(type);
      expect(json).toEqual(body(String(headers['x-request-id'])));
    }
  },
}));
