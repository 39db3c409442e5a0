import { type ApiClient, readFrom } from './client.ts';
import { isSameId, readOrder, type ServiceOrder } from './read-order.ts';
import { getRequest } from './requests.ts';

/**
 * Reads one order by its `id` (interface section 4.2). The answer counts only when it is about that order.
 * Errors: `order_not_found`, `key_refused`, `permission_missing`, `unreachable`, `unreadable_answer`.
 */
export function getOrder(client: ApiClient, id: string): Promise<ServiceOrder> {
  return readFrom(client, 'get', getRequest(id), `the order ${id}`, (answer) => {
    const found = readOrder(answer.body);
    return found !== undefined && isSameId(found.id, id) ? found : undefined;
  });
}
