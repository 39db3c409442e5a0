import { toJSONSchema } from 'zod';
import type { statedFields } from '../../orders/order.ts';
import { statedOrder } from '../../orders/order-schemas.ts';
import { defaultBehaviour } from '../behaviour/parse.ts';
import { cancelledState, deliveryStates, orderStates } from '../behaviour/schema.ts';

const { paging } = defaultBehaviour;

interface Schema {
  [keyword: string]: unknown;
  properties: Record<string, Schema>;
  items: Schema;
}

const { properties: stated } = toJSONSchema(statedOrder, { io: 'input' }) as unknown as Schema & {
  properties: Record<(typeof statedFields)[number], Schema>;
};
const { phone, externalCustomerId } = stated.customer.properties;
const { sku } = stated.items.items.properties;
const moneyFormat = 'Digits, or digits, a dot and two digits, in MNT (section 2.4).';
const money = { description: moneyFormat, examples: ['25000', '25000.50'] };

/** Interface section 2.2. */
const statedProperties = {
  externalOrderId: {
    ...stated.externalOrderId,
    description: 'The ID of the order in the system of the merchant, unique for each client (section 2.1).',
    examples: ['TRY-1'],
  },
  customer: {
    ...stated.customer,
    description:
      'The external customer ID finds the customer of earlier orders of this client; otherwise the phone does; otherwise a customer is created (section 4.1).',
    properties: {
      phone: { ...phone, description: 'Compared as a phone number of Mongolia.', examples: ['99112233'] },
      externalCustomerId: {
        ...externalCustomerId,
        description: "The customer's ID in the system of the merchant.",
      },
    },
    anyOf: [{ required: ['phone'] }, { required: ['externalCustomerId'] }],
  },
  items: {
    ...stated.items,
    items: {
      ...stated.items.items,
      properties: {
        sku: {
          ...sku,
          description: 'An active product of the catalogue; a line without it is ad-hoc (section 4.1).',
          examples: ['TEA-001'],
        },
      },
    },
  },
  collectionMode: {
    ...stated.collectionMode,
    description:
      'NONE: prepaid, with collectionAmount 0 or omitted. COLLECT: the driver collects exactly collectionAmount, which is positive (section 2.3).',
  },
  collectionAmount: { ...stated.collectionAmount, ...money },
  total: { ...stated.total, ...money, description: `${moneyFormat} Independent of collectionAmount.` },
  requestedDeliveryDate: {
    ...stated.requestedDeliveryDate,
    format: 'date',
    description: 'A calendar date, which is never shifted into another time zone (section 2.2).',
    examples: ['2030-01-15'],
  },
  currency: { const: 'MNT', description: 'Every amount is in it, and no other is accepted (section 2.4).' },
};

const exampleOrder = {
  externalOrderId: 'TRY-1',
  customer: { phone: '99112233' },
  items: [{ sku: 'TEA-001', quantity: 2 }],
  collectionMode: 'COLLECT',
  collectionAmount: '25000',
  total: '25000',
  requestedDeliveryDate: '2030-01-15',
};

const time = { type: 'string', format: 'date-time' };

export const schemas = {
  NewOrder: {
    type: 'object',
    description: 'Fields that are not listed here are stored, and returned as they came.',
    required: ['customer', 'items', 'collectionMode'],
    properties: statedProperties,
    examples: [exampleOrder],
  },
  Order: {
    type: 'object',
    description: 'An order as it is stored, with all fields that were sent.',
    required: ['id', 'orderNumber', 'status', 'customer', 'items', 'currency', 'delivery', 'createdAt'],
    properties: {
      id: { type: 'string', format: 'uuid', description: 'Names the order in paths (section 2.1).' },
      orderNumber: { type: 'string', pattern: '^ORD-\\d{4}-\\d+$', examples: ['ORD-2030-000001'] },
      status: { type: 'string', enum: [...orderStates, cancelledState] },
      ...statedProperties,
      delivery: {
        description: 'Null when no delivery was created with the order (section 1).',
        oneOf: [
          {
            type: 'object',
            required: ['id', 'status'],
            properties: {
              id: { type: 'string', format: 'uuid' },
              status: { type: 'string', enum: [...deliveryStates, cancelledState] },
              deliveredAt: { ...time, description: 'Only of a delivery that was delivered.' },
            },
          },
          { type: 'null' },
        ],
      },
      createdAt: time,
      cancelReason: { type: 'string', description: 'Only of a cancelled order.' },
      cancelledAt: { ...time, description: 'Only of a cancelled order.' },
    },
    examples: [
      {
        id: '0197f5a2-7d1c-7c43-9a50-3f4b8f0f2a11',
        orderNumber: 'ORD-2030-000001',
        ...exampleOrder,
        status: orderStates[0],
        currency: 'MNT',
        delivery: { id: '0197f5a2-7d1c-7f00-8b1e-52c9a3d4e5f6', status: deliveryStates[0] },
        createdAt: '2030-01-14T03:20:00.000Z',
      },
    ],
  },
  OrderPage: {
    type: 'object',
    required: ['data', 'page', 'pageSize', 'total'],
    properties: {
      data: {
        type: 'array',
        maxItems: paging.largestPageSize,
        items: { $ref: '#/components/schemas/Order' },
      },
      page: { type: 'integer', minimum: paging.firstPage },
      pageSize: { type: 'integer', minimum: 1, maximum: paging.largestPageSize },
      total: { type: 'integer', minimum: 0, description: 'Orders that match the filters, on all pages.' },
    },
  },
  Cancellation: {
    type: 'object',
    required: ['reason'],
    properties: { reason: { type: 'string', pattern: '\\S', examples: ['The customer changed their mind'] } },
  },
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'requestId'],
        properties: {
          code: { type: 'string', description: 'Stays the same; section 7 names some.' },
          message: { type: 'string', description: 'For people.' },
          requestId: { type: 'string', format: 'uuid', description: 'As in X-Request-Id.' },
        },
      },
    },
  },
};
