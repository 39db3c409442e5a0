import { expect, it } from 'vitest';
import { sharedPhone } from '../../src/sandbox/store/seed.ts';
import { anOrder, orders, type RequestParts, send, start } from './start.ts';

type Row = [method: 'GET' | 'POST', path: string, parts: RequestParts, refusal: string];

const order = (fields: object, refusal: string): Row => [
  'POST',
  orders,
  { body: anOrder({ ...fields }) },
  refusal,
];
const invalid = (fields: object, field: string) => order(fields, `422 MERCHANT_API_INVALID_ORDER ${field}:`);
const notJson = (body: string, problem: string): Row => [
  'POST',
  orders,
  { body },
  `400 INVALID_JSON The body ${problem}`,
];
const query = (text: string): Row => {
  const [name = ''] = text.split('=');
  return ['GET', `${orders}?${text}`, {}, `400 INVALID_QUERY ${name}:`];
};
const unauthorized = (headers: Record<string, string>, challenge: string): Row => [
  'GET',
  orders,
  { key: null, headers },
  `401 UNAUTHORIZED Bearer realm="sandbox"${challenge}`,
];
const cancel = (body: unknown, refusal: string, headers: Record<string, string> = {}): Row => [
  'POST',
  `${orders}/{id}/cancel`,
  { body, headers },
  refusal,
];
const noOrder = '404 ORDER_NOT_FOUND';
const badToken = ', error="invalid_token"';
const nullCharacter = (field: string) => `422 MERCHANT_API_INVALID_ORDER ${field}: has a null character`;

/** What is sent, and the status, the code and the beginning of the message; for 401 and 403 the challenge. */
const rows: Row[] = [
  invalid({ collectionMode: 'NONE', collectionAmount: '0.01' }, 'collectionAmount'),
  invalid({ collectionMode: 'COLLECT' }, 'collectionAmount'),
  invalid({ collectionMode: 'COLLECT', collectionAmount: '0.00', total: '5' }, 'collectionAmount'),
  invalid({ collectionMode: 'COLLECT', collectionAmount: 5 }, 'collectionAmount'),
  invalid({ collectionMode: 'collect', collectionAmount: '1' }, 'collectionMode'),
  invalid({ collectionMode: undefined }, 'collectionMode'),
  invalid({ total: 25000 }, 'total'),
  invalid({ total: '25,000' }, 'total'),
  invalid({ total: null }, 'total'),
  invalid({ requestedDeliveryDate: '2026-02-29' }, 'requestedDeliveryDate'),
  invalid({ requestedDeliveryDate: 20261125 }, 'requestedDeliveryDate'),
  invalid({ externalOrderId: 7 }, 'externalOrderId'),
  invalid({ externalOrderId: ' ' }, 'externalOrderId'),
  invalid({ customer: undefined }, 'customer'),
  invalid({ customer: '99112233' }, 'customer'),
  invalid({ customer: {} }, 'customer.phone'),
  invalid({ customer: { phone: ' ' } }, 'customer.phone'),
  invalid({ customer: { phone: '99112233', externalCustomerId: 7 } }, 'customer.externalCustomerId'),
  invalid({ items: undefined }, 'items'),
  invalid({ items: [] }, 'items'),
  invalid({ items: { sku: 'TEA' } }, 'items'),
  invalid({ items: [{ sku: 'TEA' }, 'TEA'] }, 'items[1]'),
  invalid({ items: [{ sku: 7 }] }, 'items[0].sku'),
  // The database would alter these texts.
  order({ externalOrderId: 'A\0B' }, nullCharacter('externalOrderId')),
  order({ externalOrderId: 'A\ud800' }, nullCharacter('externalOrderId')),
  order({ customer: { phone: '99112233\0' } }, nullCharacter('customer.phone')),
  order(
    { customer: { phone: '9', externalCustomerId: '\udc00' } },
    nullCharacter('customer.externalCustomerId'),
  ),
  order({ items: [{ sku: 'NEW' }] }, '422 PRODUCT_SKU_NOT_FOUND items[0].sku'),
  order({ items: [{ sku: 'tea' }] }, '422 PRODUCT_SKU_NOT_FOUND items[0].sku'),
  order({ items: [{ sku: '' }] }, '422 PRODUCT_SKU_NOT_FOUND items[0].sku'),
  order({ items: [{ sku: 'TEA' }, { sku: 'OLD' }] }, '422 PRODUCT_SKU_INACTIVE items[1].sku'),
  order({ customer: { phone: sharedPhone } }, '422 CUSTOMER_PHONE_AMBIGUOUS'),
  order({ customer: { phone: '9900 0000', externalCustomerId: 'NEW' } }, '422 CUSTOMER_PHONE_AMBIGUOUS'),
  order({ externalOrderId: 'A', items: [{ sku: 'NEW' }] }, '409 EXTERNAL_ORDER_ID_EXISTS'),
  ['POST', orders, { headers: { 'idempotency-key': '' }, body: anOrder() }, '400 IDEMPOTENCY_KEY_MISSING'],
  notJson('{"a":', 'is not JSON: it ends too early'),
  notJson('', 'is not JSON: it ends too early'),
  notJson('[]', 'is not a JSON object'),
  notJson('null', 'is not a JSON object'),
  notJson(`{"a":${'['.repeat(200_000)}`, 'is nested more than 500 levels deep'),
  notJson(`{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`, 'is nested more than 500 levels deep'),
  ...['', 'yesterday', '2026-02-30', '2026-11-25T08:00:00', '2026-11-25T24:00:00Z', '1764057600'].flatMap(
    (value) => ['createdFrom', 'createdTo'].map((name) => query(`${name}=${value}`)),
  ),
  ...['', '0', '-1', '1.5', 'two', '1e2'].flatMap((value) => [
    query(`page=${value}`),
    query(`pageSize=${value}`),
  ]),
  ...[{}, { reason: '' }, { reason: ' \n' }, { reason: 7 }, { reason: null }].map((body) =>
    cancel(body, '422 REASON_REQUIRED'),
  ),
  cancel('{', '400 INVALID_JSON'),
  ...['text/plain', 'application/jsonp', ''].map((type) =>
    cancel({ reason: 'x' }, '415 UNSUPPORTED_MEDIA_TYPE', { 'content-type': type }),
  ),
  ...['00000000-0000-4000-8000-000000000000', 'ORD-2026-000001', '%25', '..%2f', '%E0%A4%A', '%00'].flatMap(
    (id): Row[] => [
      ['GET', `${orders}/${id}`, {}, noOrder],
      ['POST', `${orders}/${id}/cancel`, { body: { reason: 'x' } }, noOrder],
    ],
  ),
  unauthorized({}, ''),
  unauthorized({ authorization: 'Basic c2FuZGJveA==' }, ''),
  unauthorized({ authorization: 'Bearer' }, ''),
  unauthorized({ authorization: 'Bearer sandbox_unknown' }, badToken),
  unauthorized({ authorization: 'Bearer live_1' }, badToken),
  [
    'POST',
    orders,
    { key: '{read-only}', body: anOrder() },
    '403 SCOPE_MISSING Bearer realm="sandbox", error="insufficient_scope"',
  ],
  ['GET', '/_sandbox/info', {}, `401 UNAUTHORIZED Bearer realm="sandbox admin"${badToken}`],
];

it('a refused request says why, and changes nothing', async () => {
  const { sandbox, create, store, countCustomers } = await start();
  const { json } = await create(anOrder({ externalOrderId: 'A' }));
  const customers = countCustomers();
  const refusals = await Promise.all(
    rows.map(async ([method, path, { key = sandbox.apiKey, ...parts }, expected]) => {
      const sent = key === '{read-only}' ? sandbox.readOnlyApiKey : key;
      const headers = { 'idempotency-key': crypto.randomUUID(), ...parts.headers };
      const all = { ...parts, key: sent, headers };
      const response = await send(sandbox.baseUrl, method, path.replace('{id}', json.id), all);
      const { code, message } = response.json.error ?? {};
      const challenge = response.headers['www-authenticate'];
      return `${response.status} ${code} ${challenge ?? message}`.slice(0, expected.length);
    }),
  );
  expect(refusals).toEqual(rows.map(([, , , refusal]) => refusal));
  expect([store.orders.count(), store.products.count(), countCustomers()]).toEqual([1, 2, customers]);
  expect(store.listOrders(1, { status: 'CONFIRMED' }, { offset: 0, limit: 10 }).total).toBe(1);
});

it('a key is compared whole, with its case', async () => {
  const { get, sandbox } = await start();
  expect(
    [sandbox.apiKey, sandbox.readOnlyApiKey].filter((key) => /^sandbox_[0-9a-f]{32}$/.test(key)),
  ).toHaveLength(2);
  expect(sandbox.apiKey).not.toBe(sandbox.readOnlyApiKey);
  for (const key of [
    `${sandbox.apiKey}0`,
    sandbox.apiKey.slice(0, -1),
    sandbox.apiKey.replace(/[a-f]/g, (letter) => letter.toUpperCase()),
  ]) {
    expect((await get(orders, { key })).status).toBe(401);
  }
  expect((await get(orders, { key: 'mk_live_1' })).json.error.message).toContain('begin with sandbox_');
});

it('a key without scopes does nothing, and a key to read only reads', async () => {
  const { create, get, post, sandbox, store } = await start();
  const { json } = await create(anOrder());
  const statusesOf = async (key: string) => [
    (await create(anOrder(), { key })).status,
    (await get(`${orders}/${json.id}`, { key })).status,
    (await get(orders, { key })).status,
    (await post(`${orders}/${json.id}/cancel`, { key, body: { reason: 'x' } })).status,
  ];
  store.accounts.addKey(1, '', 'sandbox_nothing');
  expect(await statusesOf('sandbox_nothing')).toEqual([403, 403, 403, 403]);
  expect(await statusesOf(sandbox.readOnlyApiKey)).toEqual([403, 200, 200, 403]);
  expect(store.orders.count()).toBe(1);
  expect(await statusesOf(sandbox.apiKey)).toEqual([201, 200, 200, 200]);
});
