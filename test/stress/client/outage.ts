import { createOrder } from '../../../src/api/create-order.ts';
import { createVirtualClock } from '../../api/virtual-clock.ts';
import { startForeignService } from '../../support/foreign-service/service.ts';
import { connect, type Kept } from './connect.ts';

const outageSeconds = 300;
const orders = 2000;
const most = 500;

/** Promise 6: five minutes in which the service does nothing but fail, with 64 orders at a time; time is made up. */
export async function tryOutage(): Promise<Kept> {
  const { clock, run, passed } = createVirtualClock();
  let duringOutage = 0;
  const service = await startForeignService({
    intervene: () => {
      if (passed() >= outageSeconds) return undefined;
      duringOutage += 1;
      return duringOutage % 2 === 0
        ? { before: (response) => response.writeHead(503).end() }
        : { after: (response) => response.destroy() };
    },
  });
  let underWay = 0;
  const client = connect(service.baseUrl, service.apiKey, { clock }, (send) => (...asking) => {
    underWay += 1;
    return send(...asking).finally(() => {
      underWay -= 1;
    });
  });
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
      const body = JSON.stringify(order);
      const { outcome } = await createOrder(client, {
        order,
        body,
        key: externalOrderId,
        hasOpenAttempt: false,
      });
      if (outcome === 'created') created += 1;
    }
  };
  await run(Promise.all(Array.from({ length: 64 }, work)), () => underWay > 0);
  const twice = [...service.commits().values()].filter((commits) => commits > 1).length;
  await client.close();
  await service.stop();
  return {
    promise: '6. five minutes of outage with 64 at a time: at most 500 requests',
    figures: { requests: duringOutage, orders, created, twice },
    isKept: duringOutage <= most && created === orders && twice === 0,
  };
}
