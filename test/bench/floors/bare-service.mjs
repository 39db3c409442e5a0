// A service that only answers: node bare-service.mjs LATENCY_MS LISTED_ORDERS. Prints its address; /requests says how many
// requests it had before.
import { createServer } from 'node:http';
import process from 'node:process';

const [latencyMs = 0, listed = 0] = process.argv.slice(2).map(Number);
const orders = '/api/v1/merchant/orders';
let created = 0;
let requests = 0;

/** The order that was sent, with what the service adds. */
const orderBody = (number, sent) =>
  `{"id":"${id(number)}","orderNumber":"ORD-2026-${String(number).padStart(6, '0')}","status":"CONFIRMED",` +
  `"currency":"MNT","delivery":{"id":"${id(number + 500_000_000)}","status":"PENDING"},` +
  `"createdAt":"${new Date().toISOString()}",${sent.slice(1)}`;

const listedOrder = (number) =>
  orderBody(
    number,
    `{"externalOrderId":"A-${number}","customer":{"phone":"+976 9911-2233"},` +
      '"items":[{"sku":"TEA-001","quantity":2}],"collectionMode":"COLLECT","collectionAmount":"45000.00",' +
      '"total":"45000.00","requestedDeliveryDate":"2026-11-26"}',
  );

function id(number) {
  return `01a20150-9549-7d1b-a9d7-${String(number).padStart(12, '0')}`;
}

function listBody(url) {
  const query = new URL(url, 'http://127.0.0.1').searchParams;
  const page = Number(query.get('page') ?? 1);
  const pageSize = Math.min(Number(query.get('pageSize') ?? 20), 100);
  const first = (page - 1) * pageSize;
  const length = Math.max(0, Math.min(pageSize, listed - first));
  const data = Array.from({ length }, (_, index) => listedOrder(first + index + 1));
  return `{"data":[${data.join(',')}],"page":${page},"pageSize":${pageSize},"total":${listed}}`;
}

function answer(request, response, body) {
  const send = (status, text) => {
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    });
    response.end(text);
  };
  const { method, url } = request;
  if (url === '/requests') {
    send(200, JSON.stringify({ requests }));
    return;
  }
  requests += 1;
  if (method === 'POST' && url === orders) {
    created += 1;
    send(201, orderBody(created, body));
  } else if (method === 'GET' && url.startsWith(`${orders}/`)) send(200, listedOrder(1));
  else if (method === 'GET' && url.startsWith(orders)) send(200, listBody(url));
  else send(404, '{"error":{"code":"NOT_FOUND","message":"There is nothing at this path"}}');
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    if (latencyMs === 0) answer(request, response, body);
    else setTimeout(answer, latencyMs, request, response, body);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
process.stdin.resume().on('end', () => process.exit());
