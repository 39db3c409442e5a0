import type { Json, JsonObject } from '../../orders/json.ts';
import { namesOf } from './error-body.ts';

/** Where in the answer to a create, a read and a cancellation the order stands. */
export const orderEnvelopes = {
  bare: (order: JsonObject): Json => order,
  data: (order: JsonObject): Json => ({ data: order }),
  order: (order: JsonObject): Json => ({ order }),
  result: (order: JsonObject): Json => ({ result: order }),
  'data.order': (order: JsonObject): Json => ({ data: { order } }),
};

export const orderEnvelopeNames = namesOf(orderEnvelopes);
