// The least that an import does: node least-import.mjs BASE_URL CONNECTIONS CSV DATABASE. Without any check, csv-parse
// reads the file twice; each order has a key made from its body, an intent on disk before its request, and its outcome after.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import process from 'node:process';
import { parse } from 'csv-parse';
import Database from 'libsql';
import { Pool } from 'undici';

const [, , baseUrl, connections, file, path] = process.argv;
const pool = new Pool(baseUrl, { connections: Number(connections) });
const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' };
const database = new Database(path);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE orders (id TEXT PRIMARY KEY, key TEXT, state TEXT, order_id TEXT, order_number TEXT) WITHOUT ROWID;
  CREATE TABLE outcomes (number INTEGER PRIMARY KEY, id TEXT, outcome TEXT);`);
const replace = database.prepare('INSERT OR REPLACE INTO orders VALUES (?, ?, ?, ?, ?)');
const insert = database.prepare('INSERT INTO outcomes VALUES (?, ?, ?)');

/** All writes of one turn of the event loop are one transaction. */
let pending = [];
function write(work) {
  return new Promise((resolve) => {
    if (pending.length === 0) setImmediate(commit);
    pending.push({ work, resolve });
  });
}

function commit() {
  const group = pending;
  pending = [];
  database.exec('BEGIN IMMEDIATE');
  for (const { work } of group) work();
  database.exec('COMMIT');
  for (const { resolve } of group) resolve();
}

async function* readOrders() {
  for await (const [id, phone, sku, quantity, street, mode, amount, date] of createReadStream(file).pipe(
    parse({ from: 2 }),
  )) {
    const order = {
      externalOrderId: id,
      customer: { phone },
      items: [{ sku, quantity: Number(quantity) }],
      collectionMode: mode,
      ...(amount === '' ? {} : { collectionAmount: amount }),
      requestedDeliveryDate: date,
      deliveryAddress: { street },
    };
    yield { id, body: JSON.stringify(order) };
  }
}

let orders = 0;
for await (const { body } of readOrders()) if (body !== '') orders += 1;

let sent = 0;
async function send(read) {
  for (let next = await read.next(); !next.done; next = await read.next()) {
    const { id, body } = next.value;
    const key = createHash('sha256').update(`${id}\n${body}`).digest('hex').slice(0, 36);
    sent += 1;
    const number = sent;
    await write(() => replace.run([id, key, 'intent', null, null]));
    const request = {
      method: 'POST',
      path: '/api/v1/merchant/orders',
      headers: { ...headers, 'idempotency-key': key },
    };
    const response = await pool.request({ ...request, body });
    const order = JSON.parse(await response.body.text());
    if (response.statusCode !== 201 || order.externalOrderId !== id) throw new Error(`${id} was not created`);
    await write(() => {
      replace.run([id, key, 'created', order.id, order.orderNumber]);
      insert.run([number, id, 'created']);
    });
  }
}

const read = readOrders();
await Promise.all(Array.from({ length: 2 * Number(connections) }, () => send(read)));
if (sent !== orders) throw new Error(`${sent} of ${orders} orders were sent`);
await pool.close();
database.close();
