import type { ApiClient } from '../../src/api/client.ts';
import type { Operation, ServiceResponse } from '../../src/api/http/attempt-result.ts';
import type { HttpRequest } from '../../src/api/http/transport.ts';
import type { CallResult } from '../../src/api/pacing/attempts.ts';
import { cancelRequest, createRequest, getRequest } from '../../src/api/requests.ts';
import { readOrder } from '../../src/api/responses/order.ts';
import { readOrderPage } from '../../src/api/responses/page.ts';

const holdsOrder = ({ body }: ServiceResponse) => readOrder(body) !== undefined;
const body = '{"externalOrderId":"UB-1","note":"Өдөр"}';
const requests: Record<Operation, HttpRequest> = {
  create: createRequest(body, 'K-1'),
  get: getRequest('S-1'),
  list: { method: 'GET', path: '', query: { externalOrderId: 'UB-1' } },
  cancel: cancelRequest('S-1', 'out of stock'),
};

/** Makes one call with the request and options of its operation. */
export function callOnce(client: ApiClient, operation: Operation): Promise<CallResult> {
  return client.call(operation, requests[operation], {
    accepts: operation === 'list' ? (response) => readOrderPage(response) !== undefined : holdsOrder,
    resendsUnknown: operation !== 'cancel',
  });
}

/** A body that every operation accepts. */
export const goodJson = { order: { id: 'S-1', externalOrderId: 'UB-1' }, data: [] };
