// undici alone: node request-loop.mjs BASE_URL CONNECTIONS FILE. Posts each line of the file as the body of an order.
// With the word "pages" instead of a file: reads the list page by page.
import { createReadStream } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';

const [, , baseUrl, connections, source] = process.argv;
const path = '/api/v1/merchant/orders';
const pool = new Pool(baseUrl, { connections: Number(connections) });
const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' };

async function readPages() {
  for (let page = 1; ; page += 1) {
    const query = `?page=${page}&pageSize=100`;
    const { body } = await pool.request({ method: 'GET', path: path + query, headers });
    const { data } = JSON.parse(await body.text());
    if (data.length < 100) return;
  }
}

async function post(lines) {
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const key = crypto.randomUUID();
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path,
      headers: { ...headers, 'idempotency-key': key },
      body: line.value,
    });
    await body.text();
    if (statusCode !== 201) throw new Error(`status ${statusCode}`);
  }
}

if (source === 'pages') await readPages();
else {
  const lines = createInterface({ input: createReadStream(source) })[Symbol.asyncIterator]();
  await Promise.all(Array.from({ length: Number(connections) }, () => post(lines)));
}
await pool.close();
