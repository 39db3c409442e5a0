import { isJsonNumber, isJsonObject, type Json, member } from '../../orders/json.ts';

const errorNames = ['error', 'errors'];
/** These only make a body an error that is not an order: an order may have such fields. */
const envelopeNames = ['fault', 'errorCode', 'error_code', '__type'];

/** Whether a code in capital letters, or a status in words, stands for a success of any operation. */
export function isSuccessWord(word: string): boolean {
  return /^(?:OK|SUCCESS|SUCCEEDED|DONE|ACCEPTED|CREATED|COMPLETED|CANCELL?ED)$/i.test(word);
}

/** Whether a body describes an error, whatever the status of the response. */
export function isErrorBody(body: Json | undefined): boolean {
  if (Array.isArray(body)) {
    return body.length > 0 && body.every((item) => member(item, 'id') === undefined && isErrorBody(item));
  }
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
  const isCoded = typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) && !isSuccessWord(code);
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

const orderFields = ['orderNumber', 'externalOrderId', 'collectionMode', 'customer'];

/** Whether a value has a field that only an order has (interface section 2), so that it is not an envelope around one. */
export function isOrderLike(value: Json | undefined): boolean {
  if (hasOrderField(value)) return true;
  // A list of orders may be called `items` too.
  const items = member(value, 'items');
  if (!Array.isArray(items) || items.length === 0) return false;
  return !items.some((item) => hasOrderField(item) || hasOrderField(member(item, 'attributes')));
}

/** As `isOrderLike`, but `items` do not count. */
export function hasOrderField(value: Json | undefined): boolean {
  return orderFields.some((field) => member(value, field) !== undefined);
}
