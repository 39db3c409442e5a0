import type { Ending } from '../../src/api/attempts.ts';
import type { ApiClient } from '../../src/api/client.ts';
import { readOrderPage } from '../../src/api/list-envelope.ts';
import type { Answer, Operation } from '../../src/api/observation.ts';
import { readOrder } from '../../src/api/read-order.ts';
import { cancelRequest, createRequest, getRequest } from '../../src/api/requests.ts';
import type { HttpRequest } from '../../src/api/transport.ts';

const holdsOrder = ({ body }: Answer) => readOrder(body) !== undefined;
const body = '{"externalOrderId":"UB-1","note":"Өдөр"}';
const requests: Record<Operation, HttpRequest> = {
  create: createRequest(body, 'K-1'),
  get: getRequest('S-1'),
  list: { method: 'GET', path: '', query: { externalOrderId: 'UB-1' } },
  cancel: cancelRequest('S-1', 'out of stock'),
};

/** One call of each kind, as its operation makes it. */
export function callOnce(client: ApiClient, operation: Operation): Promise<Ending> {
  return client.call(operation, requests[operation], {
    accepts: operation === 'list' ? (answer) => readOrderPage(answer) !== undefined : holdsOrder,
    resendsUnknown: operation !== 'cancel',
  });
}

/** An answer that each of them takes. */
export const goodJson = { order: { id: 'S-1', externalOrderId: 'UB-1' }, data: [] };
