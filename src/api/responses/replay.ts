import type { Difference } from '../../orders/compare.ts';
import { member } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import { clockAhead, momentOf, parseTime } from '../../orders/shown-values.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import type { ServiceOrder } from './order.ts';

/**
 * Whether the response to a create has the order of an earlier request: a header says so, or the order is older than
 * our first attempt. The interface defines neither (section 4.1).
 */
export function isReplay(response: ServiceResponse, order: ServiceOrder, times: AttemptTimes): boolean {
  return saysReplayed(response) || wasCreatedBefore(order, response, times);
}

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
/** Services that store only a date show it as midnight. */
const midnight = /[Tt]00:00:00(?:\.0+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Compares on the clock of the service: an older order is a replay, even if no header says so. */
function wasCreatedBefore(
  order: ServiceOrder,
  response: ServiceResponse,
  { firstAttemptAt, completedAt }: AttemptTimes,
): boolean {
  const createdAt = creationTime(order);
  const ahead = clockAhead(response.headers.date, completedAt);
  if (createdAt === undefined || ahead === undefined) return false;
  return createdAt < firstAttemptAt + ahead - maxClockDifference;
}

function creationTime({ order }: ServiceOrder): number | undefined {
  const text = textField(order, 'createdAt');
  return text === undefined || midnight.test(text) ? undefined : parseTime(text);
}

/** Whether an order was certainly created before this time of ours, in milliseconds since the epoch. */
export function isOlderThan(order: ServiceOrder, time: number, ahead: number | undefined): boolean {
  const createdAt = creationTime(order);
  const tolerance = ahead === undefined ? maxClockDifference : maxCreationDifference;
  return createdAt !== undefined && createdAt - (ahead ?? 0) < time - tolerance;
}

/** When requests of ours may have created an order, on our clock, and by how much that of the service is ahead. */
interface CreationSpan {
  from: number;
  until: number;
  clockAhead: number | undefined;
}

const maxCreationDifference = 60_000;
const dayMilliseconds = 86_400_000;

/**
 * Whether an order that differs from what was sent is the one that our request created: services normalise, and add.
 * `isCreated`: it is in the 201 response to the first request.
 */
export function isEcho(
  differences: readonly Difference[],
  found: ServiceOrder,
  { from, until, clockAhead: ahead }: CreationSpan,
  isCreated: boolean,
): boolean {
  if (differences.some(({ kind }) => kind === 'essential')) return false;
  const createdAt = creationTime(found);
  const isInFuture = createdAt !== undefined && createdAt - (ahead ?? 0) > until + maxCreationDifference;
  if (createdAt !== undefined && !isInFuture)
    return ahead !== undefined && createdAt - ahead >= from - maxCreationDifference;
  return isCreated && differences.every(({ kind }) => kind === 'usual') && !isOld(found, until);
}

/** A date, or a time in another form than RFC 3339, shows at least that an order is days old. */
function isOld({ order }: ServiceOrder, now: number): boolean {
  const moment = momentOf(member(order, 'createdAt'));
  return moment !== undefined && moment < now - 2 * dayMilliseconds;
}
