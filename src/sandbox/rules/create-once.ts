import { isDiskFull } from '../../errors.ts';
import type { Order } from '../../orders/order.ts';
import { isUuid } from '../../orders/order-reference.ts';
import { ApiError } from '../behaviour/api-error.ts';
import { toErrorResponse, type WireResponse } from '../behaviour/responses.ts';
import type { Behaviour } from '../behaviour/schema.ts';
import type { Caller } from '../store/accounts.ts';
import type { StoredResponse } from '../store/idempotency.ts';
import type { LoggedRequest } from '../store/requests.ts';
import { createOrder } from './create-order.ts';
import type { Service } from './service.ts';

interface CreateRequest {
  caller: Caller;
  logged: LoggedRequest;
  idempotencyKey: string | undefined;
  /** SHA-256 of the bytes. */
  bodyHash: string;
  order: Order;
  requestId: string;
}

type Keyed = Pick<CreateRequest, 'caller' | 'idempotencyKey' | 'bodyHash'>;

interface CreateResult {
  response: WireResponse;
  isReplay: boolean;
}

/** Interface section 4.1. Checks, writes and the request log are one transaction. @throws ApiError if it is not stored */
export async function createOnce(service: Service, request: CreateRequest): Promise<CreateResult> {
  const { requestLog, behaviour } = service;
  const { logged } = request;
  try {
    return await requestLog.write(logged, () => {
      const result = createOrReplay(service, request);
      logged.status = result.response.status;
      return result;
    });
  } catch (error) {
    if (error instanceof ApiError || !(error instanceof Error) || isDiskFull(error)) throw error;
    const response = toErrorResponse(behaviour, error, request.requestId);
    delete logged.orderId;
    logged.status = response.status;
    await requestLog.write(logged, () => storeResponse(service, request, response));
    return { response, isReplay: false };
  }
}

function createOrReplay(service: Service, request: CreateRequest): CreateResult {
  const { bodyHash, logged } = request;
  const stored = findStoredResponse(service, request);
  const replay = stored && responseToRepeat(service.behaviour.keys, stored, bodyHash);
  if (replay) return { response: replay, isReplay: true };
  const isKeyed = keyOf(service, request) !== undefined;
  const { response, orderId } = isKeyed ? createOrRespond(service, request) : createOrder(service, request);
  if (orderId !== undefined) logged.orderId = orderId;
  storeResponse(service, request, response);
  return { response, isReplay: false };
}

/** Errors become responses, which are stored in the same transaction. */
function createOrRespond(service: Service, request: CreateRequest): ReturnType<typeof createOrder> {
  try {
    return createOrder(service, request);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { response: toErrorResponse(service.behaviour, error, request.requestId) };
  }
}

export function findStoredResponse(service: Service, request: Keyed): StoredResponse | undefined {
  const key = keyOf(service, request);
  if (key === undefined) return undefined;
  return service.store.idempotency.find(request.caller.clientId, key, expiredUntil(service));
}

/** Unless the behaviour does not store such responses. */
export function storeResponse(service: Service, request: Keyed, response: WireResponse): void {
  const key = keyOf(service, request);
  if (key === undefined || !isStored(service.behaviour.keys, response.status)) return;
  const { text, ...others } = response;
  const { bodyHash, caller } = request;
  const storedAt = service.clock.now();
  service.store.idempotency.put({
    clientId: caller.clientId,
    key,
    bodyHash,
    ...others,
    response: text,
    storedAt,
  });
}

function keyOf({ behaviour }: Service, { idempotencyKey }: Keyed): string | undefined {
  return behaviour.keys.repeated === 'ignored' ? undefined : idempotencyKey;
}

function isStored({ kept }: Behaviour['keys'], status: number): boolean {
  if (kept === 'nothing') return false;
  if (status < 400) return true;
  return kept === 'everything' || (kept === 'refusals' && status < 500);
}

/** Responses stored at this time (epoch milliseconds) or before have expired. */
function expiredUntil({ behaviour, clock }: Service): number {
  const { retentionSeconds } = behaviour.keys;
  return retentionSeconds === null ? -1 : clock.now() - retentionSeconds * 1000;
}

/** Undefined to process the request. @throws ApiError */
function responseToRepeat(
  { repeated, otherBody }: Behaviour['keys'],
  stored: StoredResponse,
  bodyHash: string,
): StoredResponse | undefined {
  if (stored.bodyHash === bodyHash) {
    if (repeated === 'replayed') return stored;
    throw new ApiError('idempotencyKeyRepeated', 'This Idempotency-Key was used before');
  }
  if (otherBody === 'replayed') return stored;
  if (otherBody === 'processed') return undefined;
  throw new ApiError('idempotencyKeyReused', 'This Idempotency-Key was used before, with another body');
}

/** Interface section 4.1; undefined when the key is absent and not required. @throws ApiError */
export function checkKey(
  key: string | undefined,
  { required, format }: Behaviour['keys'],
): string | undefined {
  if (!key) {
    if (!required) return undefined;
    throw new ApiError('idempotencyKeyMissing', 'The header Idempotency-Key is missing');
  }
  if (format === 'uuid' && !isUuid(key)) {
    throw new ApiError('idempotencyKeyInvalid', 'The Idempotency-Key is not a UUID');
  }
  return key;
}
