import { createVirtualClock } from '../../api/virtual-clock.ts';
import { startForeignService } from '../../support/foreign-service/service.ts';
import { connect, type PromiseResult } from './connect.ts';
import { createMany } from './create-many.ts';

const outageSeconds = 300;
const orders = 2000;
const maxRequests = 500;

/** Promise 6: five minutes of failures with 64 orders at a time, in virtual time. */
export async function measureOutage(): Promise<PromiseResult> {
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
  const client = connect(service.baseUrl, service.apiKey, { clock }, (send) => (...args) => {
    underWay += 1;
    return send(...args).finally(() => {
      underWay -= 1;
    });
  });
  const created = await run(createMany(client, orders, 64), () => underWay > 0);
  const duplicated = [...service.commits().values()].filter((commits) => commits > 1).length;
  await client.close();
  await service.stop();
  return {
    number: 6,
    promise: 'five minutes of outage with 64 at a time: at most 500 requests',
    figures: { requests: duringOutage, orders, created, duplicated },
    isKept: duringOutage <= maxRequests && created === orders && duplicated === 0,
  };
}
