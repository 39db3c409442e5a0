import type { ApiClient } from '../../../src/api/client.ts';
import { createOne } from './create-one.ts';

/** Creates orders, several at a time, with their external order IDs as keys. Returns the number created. */
export async function createMany(client: ApiClient, orders: number, atATime: number): Promise<number> {
  let next = 0;
  let created = 0;
  const work = async () => {
    while (next < orders) {
      const externalOrderId = `A-${next++}`;
      const order = {
        externalOrderId,
        customer: { phone: '99112233' },
        items: [{ sku: 'TEA' }],
        collectionMode: 'NONE',
      };
      const { outcome } = await createOne(client, order, externalOrderId);
      if (outcome === 'created') created += 1;
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return created;
}
