import { textField } from '../../orders/order.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import { parseHttpDate, parseTime } from './http-date.ts';
import type { ServiceOrder } from './order.ts';

/** Whether a create was answered with the order of an earlier request: a header says so, or the order is older than our first attempt. The interface defines neither (section 4.1). */
export function isReplay(response: ServiceResponse, order: ServiceOrder, times: AttemptTimes): boolean {
  return saysReplayed(response) || wasCreatedBefore(order, response, times);
}

/** In milliseconds since the epoch. */
interface AttemptTimes {
  firstAttemptAt: number;
  completedAt: number;
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

function saysReplayed(response: ServiceResponse): boolean {
  return replayHeaders.some((name) => /^(?:true|1|yes|replayed)$/i.test(response.headers[name] ?? ''));
}

const maxClockDifference = 5 * 60_000;
/** A service that keeps only the date may show it as the beginning of the day. */
const midnight = /[Tt]00:00:00(?:\.0+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Whether an order was certainly created before our first attempt, on the clock of the service: then the response is a replay, although no header says so. */
function wasCreatedBefore(
  { order }: ServiceOrder,
  { headers }: ServiceResponse,
  { firstAttemptAt, completedAt }: AttemptTimes,
): boolean {
  const text = textField(order, 'createdAt');
  if (text === undefined || midnight.test(text) || headers.date === undefined) return false;
  const createdAt = parseTime(text);
  const respondedAt = parseHttpDate(headers.date);
  if (respondedAt === undefined || createdAt === undefined) return false;
  const sentAt = respondedAt - (completedAt - firstAttemptAt);
  return createdAt < sentAt - maxClockDifference;
}
