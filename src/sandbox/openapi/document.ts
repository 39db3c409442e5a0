import { type ErrorName, findError } from '../behaviour/api-error.ts';
import { defaultBehaviour } from '../behaviour/parse.ts';
import { cancelledState, listParameters, orderStates, replayHeader } from '../behaviour/schema.ts';
import { schemas } from './schemas.ts';

const { answers, keys, paging, refusals } = defaultBehaviour;

const idHeader = {
  'X-Request-Id': {
    description: 'The ID of this request, also in the request log.',
    schema: { type: 'string', format: 'uuid' },
  },
};

const challenge = {
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } },
};

function success(description: string, schema: string, headers: object = {}) {
  return {
    description,
    headers: { ...idHeader, ...headers },
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  };
}

function errors(causes: Partial<Record<ErrorName, string>>) {
  const byStatus = new Map<number, [code: string, cause: string][]>();
  for (const [name, cause] of Object.entries(causes)) {
    const { status, code } = findError(refusals, name as ErrorName);
    byStatus.set(status, [...(byStatus.get(status) ?? []), [code, cause]]);
  }
  const responses = [...byStatus].map(([status, found]) => [
    String(status),
    {
      description: found.map(([code, cause]) => `\`${code}\`: ${cause}.`).join('\n'),
      headers: status === 401 ? { ...idHeader, ...challenge } : idHeader,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(found.map(([code, cause]) => [code, exampleOf(code, cause)])),
        },
      },
    },
  ]);
  return {
    ...Object.fromEntries(responses),
    default: {
      description: 'Any other error, such as those of the phones for demonstrations.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  };
}

function exampleOf(code: string, message: string) {
  return { value: { error: { code, message, requestId: '0f4c3b7e-8a52-4f7b-9d0c-5b1f6a2e7c11' } } };
}

const ofEveryOperation = {
  keyMissing: 'there is no API key (section 5)',
  keyRefused: 'the API key is unknown',
  scopeMissing: 'the API key does not have the scope',
  hostRefused: 'the Host is not one that the sandbox is served as',
} as const;

const ofBodies = {
  bodyNotJson: 'the body is not a JSON object',
  bodyTooLarge: 'the body has more than 1 MiB',
  contentTypeRefused: 'the Content-Type is not application/json',
} as const;

const createOrder = {
  operationId: 'createOrder',
  summary: 'Create an order',
  description:
    'The order is ready for fulfilment at once; there is no draft (sections 3 and 4.1). Needs the scope `orders:write`. The same request under the same Idempotency-Key returns the first response again.',
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: keys.required,
      description: 'Unique for each order; the same for each attempt to create it (section 4.1).',
      schema: { type: 'string', minLength: 1 },
    },
  ],
  requestBody: bodyOf('NewOrder'),
  responses: {
    [answers.createStatus]: success('The order as it was created', 'Order', {
      [replayHeader]: {
        description: 'Present when the response is that of an earlier request with the same key.',
        schema: { const: 'true' },
      },
    }),
    ...errors({
      idempotencyKeyInUse: 'a request with the Idempotency-Key is under way',
      idempotencyKeyMissing: 'the header Idempotency-Key is missing',
      ...ofBodies,
      ...ofEveryOperation,
      externalOrderIdExists: 'an order of this client has the externalOrderId',
      orderInvalid: 'the order breaks a rule of sections 2.2 to 2.4',
      skuUnknown: 'no product of the catalogue has the SKU',
      skuInactive: 'the product with the SKU is inactive',
      phoneAmbiguous: 'several customers have the phone',
      idempotencyKeyReused: 'the Idempotency-Key was used before, with another body',
    }),
  },
};

const parameterSchemas: Record<(typeof listParameters)[number], { description: string; schema: object }> = {
  externalOrderId: { description: 'Only the order with this ID', schema: { type: 'string' } },
  orderNumber: { description: 'Only the order with this number', schema: { type: 'string' } },
  status: {
    description: `Only orders in this state: ${[...orderStates, cancelledState].join(', ')}`,
    schema: { type: 'string' },
  },
  customerPhone: { description: 'Only orders for this phone', schema: { type: 'string' } },
  createdFrom: {
    description: 'Only orders created then or later: a UTC date or a time',
    schema: timeBound(),
  },
  createdTo: {
    description: 'Only orders created then or earlier: a UTC date or a time',
    schema: timeBound(),
  },
  page: {
    description: 'The number of the page',
    schema: { type: 'integer', minimum: 1, default: paging.firstPage },
  },
  pageSize: {
    description: `Orders on a page, at most ${paging.largestPageSize}`,
    schema: { type: 'integer', minimum: 1, default: paging.defaultPageSize },
  },
};

function timeBound() {
  return { type: 'string', examples: ['2030-01-15', '2030-01-15T08:30:00Z'] };
}

const listOrders = {
  operationId: 'listOrders',
  summary: 'List orders',
  description: 'The newest first; only orders of the merchant of the key (section 4.3). Needs `orders:read`.',
  parameters: listParameters.map((name) => ({ name, in: 'query', ...parameterSchemas[name] })),
  responses: {
    200: success('A page of orders', 'OrderPage'),
    ...errors({ ...ofEveryOperation, queryInvalid: 'a parameter has a wrong format' }),
  },
};

const orderId = {
  name: 'orderId',
  in: 'path',
  required: true,
  description: 'The id of the order.',
  schema: { type: 'string', format: 'uuid' },
};

const getOrder = {
  operationId: 'getOrder',
  summary: 'Read one order',
  description: 'Only an order of the merchant of the key (section 4.2). Needs `orders:read`.',
  parameters: [orderId],
  responses: {
    200: success('The order', 'Order'),
    ...errors({ ...ofEveryOperation, orderUnknown: 'this merchant has no such order' }),
  },
};

const cancelOrder = {
  operationId: 'cancelOrder',
  summary: 'Cancel an order',
  description:
    'Its delivery is cancelled with it (section 4.4). Only orders that are not under way yet can be cancelled. Needs `orders:write`.',
  parameters: [orderId],
  requestBody: bodyOf('Cancellation'),
  responses: {
    [answers.cancelStatus]: success('The cancelled order', 'Order'),
    ...errors({
      ...ofBodies,
      ...ofEveryOperation,
      reasonMissing: 'the reason is missing',
      orderUnknown: 'this merchant has no such order',
      orderNotCancellable: 'the state of the order does not allow it',
    }),
  },
};

function bodyOf(schema: string) {
  return {
    required: true,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  };
}

/** OpenAPI 3.1, with the default behaviour for what the interface leaves open. */
export const openapi = {
  openapi: '3.1.0',
  info: {
    title: 'Merchant orders (sandbox)',
    version: '1',
    description:
      "Delivery orders of a merchant. Sections are those of the interface document; what it leaves open is the choice of the sandbox's default behaviour, and the real service may differ there.",
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'This sandbox, whose orders are never delivered' }],
  security: [{ apiKey: [] }],
  paths: {
    '/api/v1/merchant/orders': { get: listOrders, post: createOrder },
    '/api/v1/merchant/orders/{orderId}': { get: getOrder },
    '/api/v1/merchant/orders/{orderId}/cancel': { post: cancelOrder },
  },
  components: {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'The API key, which names the merchant and the client (section 5).',
      },
    },
    schemas,
  },
} as const;
