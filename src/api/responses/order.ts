import { isJsonNumber, isJsonObject, type Json, member } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import { isUuid } from '../../orders/order-reference.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';

/** An order with the ID that the service assigned (interface section 2.1). */
export interface ServiceOrder {
  id: string;
  order: Order;
}

/** The order in a body, bare or in an envelope: the interface defines none (4.1, 4.2). Undefined for an error. */
export function readOrder(body: Json | undefined): ServiceOrder | undefined {
  const isBare = isOrderLike(body);
  if (!isBare && isErrorBody(body)) return undefined;
  const data = member(body, 'data');
  const nested = [member(data, 'order'), data, member(body, 'order'), member(body, 'result')];
  // An envelope may have an id too, so the nested objects come before it; an order comes before what it contains.
  for (const object of isBare ? [body] : [...nested, body]) {
    const id = textField(object, 'id');
    if (isJsonObject(object) && id !== undefined && id !== '') return { id, order: object };
  }
  return undefined;
}

/** Whether two IDs are the same; the letters of a UUID may differ in case. */
export function isSameId(one: string, other: string): boolean {
  return one === other || (isUuid(one) && one.toLowerCase() === other.toLowerCase());
}

/** The only assumption about a status: `CANCELLED` or `CANCELED`, in any case. */
export function isCancelled({ order }: ServiceOrder): boolean {
  return /^cancell?ed$/i.test(textField(order, 'status') ?? '');
}

const replayHeaders = [
  'idempotent-replayed',
  'idempotency-replayed',
  'idempotency-replay',
  'x-idempotency-replayed',
  'x-idempotency-status',
  'idempotency-status',
  'request-idempotency',
];

/** Whether a response is marked as the repetition of an earlier one. The interface defines no such header (section 4.1). */
export function isReplayed(response: ServiceResponse): boolean {
  return replayHeaders.some((name) => /^(?:true|1|yes|replayed)$/i.test(response.headers[name] ?? ''));
}

const errorNames = ['error', 'errors'];
/** These only make a body an error that is not an order: an order may have such fields. */
const envelopeNames = ['fault', 'errorCode', 'error_code', '__type'];
const successWord = /^(?:OK|SUCCESS|SUCCEEDED|DONE|ACCEPTED|CREATED|COMPLETED|CANCELL?ED)$/;

/** Whether a body describes an error, whatever the status of the response. */
export function isErrorBody(body: Json | undefined): boolean {
  if (member(body, 'success') === false) return true;
  if (errorNames.some((name) => isPresent(member(body, name)))) return true;
  return !isOrderLike(body) && isErrorEnvelope(body);
}

function isErrorEnvelope(body: Json | undefined): boolean {
  if (member(body, 'ok') === false || envelopeNames.some((name) => isPresent(member(body, name))))
    return true;
  const isErrorStatus = ['status', 'statusCode', 'code'].some((name) => {
    const value = member(body, name);
    return isJsonNumber(value) && /^[45]\d\d$/.test(value.toString());
  });
  const code = member(body, 'code');
  const isCoded = typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) && !successWord.test(code);
  return (
    isErrorStatus ||
    /^(?:error|fail|failed|failure)$/.test(String(member(body, 'status'))) ||
    (isCoded && typeof member(body, 'message') === 'string')
  );
}

function isPresent(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  if (isJsonNumber(value)) return !/^0+$/.test(value.toString());
  if (Array.isArray(value)) return value.length > 0;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}

const orderFields = ['orderNumber', 'externalOrderId', 'items', 'collectionMode', 'customer'];

/** Whether a value has a field that only an order has (interface section 2), so that it is not an envelope around one. */
export function isOrderLike(value: Json | undefined): boolean {
  return orderFields.some((field) => member(value, field) !== undefined);
}
