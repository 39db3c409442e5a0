import { isJsonNumber, isJsonObject, type Json, member } from '../../orders/json.ts';

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
