/** A Postman collection with the operations of the interface. `{{proxy}}` is the base URL, `{{key}}` the API key. */

interface Step {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  status: number;
  /** A request that the document forbids as well: only its response has to match. */
  isInvalid?: boolean;
  /** Statements that keep something of the response for later steps. */
  keep?: string;
}

const collection = '/api/v1/merchant/orders';
const order = {
  externalOrderId: 'NEWMAN-1',
  customer: { phone: '99112233', externalCustomerId: 'C-1' },
  items: [{ sku: 'TEA', quantity: 2 }, { name: 'ad-hoc' }],
  collectionMode: 'COLLECT',
  collectionAmount: '25000.50',
  total: '30000',
  requestedDeliveryDate: '2030-01-15',
};
const missing = '0197f5a2-7d1c-7c43-9a50-3f4b8f0f2a11';
const create = (
  name: string,
  key: string,
  body: unknown,
  status: number,
  others: Partial<Step> = {},
): Step => ({
  name,
  method: 'POST',
  path: collection,
  body,
  headers: { 'Idempotency-Key': key },
  status,
  ...others,
});
const keepId = 'pm.collectionVariables.set("id", pm.response.json().id);';

const steps: Step[] = [
  create('create', 'K-1', order, 201, { keep: keepId }),
  create('the same again', 'K-1', order, 201),
  create('the key with another body', 'K-1', { ...order, total: '1' }, 422),
  create('the external order ID again', 'K-2', order, 409),
  create('an unknown SKU', 'K-3', { ...order, externalOrderId: 'NEWMAN-2', items: [{ sku: 'NONE' }] }, 422),
  create('an inactive SKU', 'K-4', { ...order, externalOrderId: 'NEWMAN-2', items: [{ sku: 'OLD' }] }, 422),
  create(
    'an ambiguous phone',
    'K-5',
    { ...order, externalOrderId: 'NEWMAN-2', customer: { phone: '99000000' } },
    422,
  ),
  create('nothing to collect', 'K-6', { ...order, collectionAmount: '0' }, 422, { isInvalid: true }),
  create('no lines', 'K-7', { ...order, items: [] }, 422, { isInvalid: true }),
  create('no Idempotency-Key', '', order, 400, { headers: {}, isInvalid: true }),
  create('prepaid', 'K-8', { customer: { phone: '88112233' }, items: [{}], collectionMode: 'NONE' }, 201),
  create(
    'the first attempt for 99000504',
    'K-9',
    { ...order, externalOrderId: 'NEWMAN-3', customer: { phone: '99000504' } },
    504,
  ),
  { name: 'read', method: 'GET', path: `${collection}/{{id}}`, status: 200 },
  { name: 'read an unknown order', method: 'GET', path: `${collection}/${missing}`, status: 404 },
  { name: 'list', method: 'GET', path: collection, status: 200 },
  {
    name: 'list with filters',
    method: 'GET',
    path: `${collection}?status=CONFIRMED&customerPhone=99112233&createdFrom=2020-01-01&page=1&pageSize=2`,
    status: 200,
  },
  { name: 'a wrong page', method: 'GET', path: `${collection}?page=x`, status: 400, isInvalid: true },
  {
    name: 'without a key',
    method: 'GET',
    path: collection,
    headers: { Authorization: '' },
    status: 401,
    isInvalid: true,
  },
  {
    name: 'cancel',
    method: 'POST',
    path: `${collection}/{{id}}/cancel`,
    body: { reason: 'changed my mind' },
    status: 200,
  },
  {
    name: 'cancel again',
    method: 'POST',
    path: `${collection}/{{id}}/cancel`,
    body: { reason: 'changed my mind' },
    status: 409,
  },
  {
    name: 'cancel without a reason',
    method: 'POST',
    path: `${collection}/{{id}}/cancel`,
    body: {},
    status: 422,
    isInvalid: true,
  },
];

/** Prism lists what breaks the document in the header `sl-violations`. */
function testOf({ status, isInvalid = false, keep = '' }: Step): string[] {
  return [
    `pm.test('status ${status}', () => pm.expect(pm.response.code, pm.response.text()).to.equal(${status}));`,
    "const violations = JSON.parse(pm.response.headers.get('sl-violations') || '[]');",
    "const inResponse = violations.filter(({ location }) => location[0] === 'response');",
    "pm.test('the response is as described', () => pm.expect(inResponse).to.eql([]));",
    `pm.test('the request is ${isInvalid ? 'not ' : ''}as described', () => pm.expect(violations.length > inResponse.length).to.equal(${isInvalid}));`,
    keep,
  ];
}

export const postmanCollection = {
  info: {
    name: 'Merchant orders',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  item: steps.map((step) => ({
    name: step.name,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: testOf(step) } }],
    request: {
      method: step.method,
      url: `{{proxy}}${step.path}`,
      header: Object.entries({
        Authorization: 'Bearer {{key}}',
        ...(step.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...step.headers,
      })
        .filter(([, value]) => value !== '')
        .map(([key, value]) => ({ key, value })),
      ...(step.body === undefined ? {} : { body: { mode: 'raw', raw: JSON.stringify(step.body) } }),
    },
  })),
};
