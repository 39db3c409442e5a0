import { toJSONSchema } from 'zod';
import { statedOrder } from '../../../src/orders/order-schemas.ts';
import { defaultBehaviour } from '../../../src/sandbox/behaviour/parse.ts';

export type Schema = Record<string, unknown>;

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pickupFields = '^(?:fulfillmentType|deliveryMethod|shippingMethod|deliveryType)$';
const notPickup = { not: { enum: ['PICKUP', 'STORE_PICKUP'] } };
/** No pickup in these fields of an object. */
const noPickup = { patternProperties: { [pickupFields]: notPickup } };
/** Of an object, and of the objects in a list. */
// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
const noPickupBelow = { if: { type: 'array' }, then: { items: noPickup }, else: noPickup };

/** The zod schema of an order as JSON Schema, with those rules of the sandbox that zod cannot write there. */
export function newOrderSchema(): Schema {
  const { $schema, ...schema } = toJSONSchema(statedOrder, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.type === 'object') jsonSchema.additionalProperties = true;
    },
  });
  return merge(schema as Schema, {
    required: ['customer', ...defaultBehaviour.orders.required],
    properties: {
      externalOrderId: storable,
      customer: {
        ...noPickup,
        properties: { phone: storable, externalCustomerId: storable },
        // Generators of types make `unknown` of anyOf here, and of nothing that stands in if, then or else.
        if: { required: ['phone'] },
        else: { required: ['externalCustomerId'] },
      },
      items: { items: noPickup },
      // No calendar has the year 0000, which the format allows.
      requestedDeliveryDate: { format: 'date', pattern: '^(?!0000)' },
    },
    // Generators that read allOf leave out the properties beside it.
    patternProperties: { [pickupFields]: { ...notPickup, ...noPickupBelow } },
    additionalProperties: noPickupBelow,
    if: { properties: { collectionMode: { type: 'string', const: 'COLLECT' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['collectionAmount'], properties: { collectionAmount: { pattern: '[1-9]' } } },
    else: { properties: { collectionAmount: { pattern: '^0(?:\\.00)?$' } } },
  });
}

/** A null character would end the text in the database. */
const storable = { not: { pattern: '\\x00' } };

/** `added` wins, except between two objects. */
export function merge(schema: Schema, added: Schema): Schema {
  const both = Object.entries(added).map(([name, value]) => {
    const own = schema[name];
    return [name, isObject(own) && isObject(value) ? merge(own, value) : value];
  });
  return { ...schema, ...Object.fromEntries(both) };
}

const annotations = ['description', 'examples'];

/** The texts for people alone, or all the rest. */
export function split(schema: Schema): { texts: Schema; rules: Schema } {
  const texts: Schema = {};
  const rules: Schema = {};
  for (const [name, value] of Object.entries(schema)) {
    if (annotations.includes(name)) texts[name] = value;
    else if (isObject(value)) {
      const parts = split(value);
      if (Object.keys(parts.texts).length > 0) texts[name] = parts.texts;
      rules[name] = parts.rules;
    } else rules[name] = value;
  }
  return { texts, rules };
}
