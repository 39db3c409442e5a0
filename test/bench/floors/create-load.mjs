// Creates orders with autocannon: node create-load.mjs AUTOCANNON BASE_URL ORDERS LAST_NUMBER. Prints the rate per second.
import { createRequire } from 'node:module';
import process from 'node:process';

const [, , path, baseUrl, orders, lastNumber] = process.argv;
const autocannon = createRequire(import.meta.url)(path);
let number = Number(lastNumber) - Number(orders);

function setupRequest(request) {
  number += 1;
  const phone = `99${String(100_000 + (number % 5000)).padStart(6, '0')}`;
  const body = {
    customer: { phone },
    items: [{ sku: 'TEA-001', quantity: 2 }],
    externalOrderId: `UB-${number}`,
    collectionMode: 'COLLECT',
    collectionAmount: '25000',
    total: '25000.00',
    requestedDeliveryDate: '2026-11-25',
  };
  const headers = { ...request.headers, 'idempotency-key': crypto.randomUUID() };
  return { ...request, headers, body: JSON.stringify(body) };
}

const started = performance.now();
let ended = started;
const run = autocannon({
  url: `${baseUrl}/api/v1/merchant/orders`,
  connections: 32,
  amount: Number(orders),
  method: 'POST',
  headers: { authorization: 'Bearer sandbox_bench', 'content-type': 'application/json' },
  requests: [{ setupRequest }],
});
// Its own duration is in whole seconds.
run.on('response', () => {
  ended = performance.now();
});
const { '2xx': created } = await run;
if (created !== Number(orders)) throw new Error(`${created} of ${orders} orders were created`);
process.stdout.write(`${(1000 * created) / (ended - started)}\n`);
