import { isJsonNumber, isJsonObject, type Json, member } from '../../orders/json.ts';

/** Members by which an answer calls itself an error, when they have something in them. */
const errorNames = ['error', 'errors'];
/** The same in what is no order; an order may have fields of these names. */
const envelopeNames = ['fault', 'errorCode', 'error_code', '__type'];
const successWord = /^(?:OK|SUCCESS|SUCCEEDED|DONE|ACCEPTED|CREATED|COMPLETED|CANCELL?ED)$/;

/** Whether a body speaks of an error, whatever status it came with. */
export function isErrorBody(body: Json | undefined): boolean {
  if (member(body, 'success') === false) return true;
  if (errorNames.some((name) => isTold(member(body, name)))) return true;
  return !isOrderLike(body) && isErrorEnvelope(body);
}

function isErrorEnvelope(body: Json | undefined): boolean {
  if (member(body, 'ok') === false || envelopeNames.some((name) => isTold(member(body, name)))) return true;
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

function isTold(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  if (isJsonNumber(value)) return !/^0+$/.test(value.toString());
  if (Array.isArray(value)) return value.length > 0;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}

const signs = ['orderNumber', 'externalOrderId', 'items', 'collectionMode', 'customer'];

/** Whether a value carries a field that only an order has (interface section 2), and so is no envelope around one. */
export function isOrderLike(value: Json | undefined): boolean {
  return signs.some((field) => member(value, field) !== undefined);
}
