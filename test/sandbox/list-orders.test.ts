import { describe, expect, it } from 'vitest';
import { anOrder, orders, start } from './start.ts';

type Started = Awaited<ReturnType<typeof start>>;

/** Creates an order at each time, with its place as external order ID. */
async function startWithOrders(times: string[], fields: Record<string, unknown>[] = []) {
  const service: Started = await start();
  const created = [];
  for (const [place, time] of times.entries()) {
    service.clock.now = Date.parse(time);
    created.push((await service.create(anOrder({ externalOrderId: `${place}`, ...fields[place] }))).json);
  }
  const list = async (query: Record<string, string>) =>
    (await service.get(`${orders}?${new URLSearchParams(query)}`)).json;
  const listIds = async (query: Record<string, string>) => {
    const { data } = await list(query);
    return data.map((order: { externalOrderId: string }) => order.externalOrderId).join(' ');
  };
  return { ...service, created, list, listIds };
}

const noon = '2026-11-25T12:00:00Z';

describe('list', () => {
  it('returns whole orders, newest first; those of one millisecond in reverse order of creation', async () => {
    const { list, created } = await startWithOrders([noon, '2026-11-24T12:00:00Z', noon]);
    expect(await list({})).toEqual({
      data: [created[2], created[0], created[1]],
      page: 1,
      pageSize: 20,
      total: 3,
    });
  });

  it('returns an empty page without orders', async () => {
    const { list } = await startWithOrders([]);
    expect(await list({})).toEqual({ data: [], page: 1, pageSize: 20, total: 0 });
  });

  it.each(['externalOrderId', 'orderNumber'])('filters by the exact %s', async (field) => {
    const { list, created } = await startWithOrders([noon, noon], [{ externalOrderId: 'x%' }]);
    expect((await list({ [field]: created[0][field] })).data).toEqual([created[0]]);
    for (const other of [created[0][field].slice(0, -1), 'X%', '%', '']) {
      expect(await list({ [field]: other })).toMatchObject({ data: [], total: 0 });
    }
  });

  it('filters by the exact status', async () => {
    const { listIds, created, cancel } = await startWithOrders([noon, noon, noon]);
    await cancel(created[1].id);
    expect(await listIds({ status: 'CONFIRMED' })).toBe('2 0');
    expect(await listIds({ status: 'CANCELLED' })).toBe('1');
    expect(await listIds({ status: 'cancelled' })).toBe('');
  });

  it('filters by phone in any spelling', async () => {
    const phones = ['99112233', '88112233', '+976 9911 2233'];
    const { listIds } = await startWithOrders(
      phones.map(() => noon),
      phones.map((phone) => ({ customer: { phone } })),
    );
    for (const customerPhone of ['99112233', '+97699112233', ' 97699112233', '9911-2233']) {
      expect(await listIds({ customerPhone })).toBe('2 0');
    }
    expect(await listIds({ customerPhone: '9911' })).toBe('');
  });

  it('finds an order by its own phone and not by another of its customer', async () => {
    const customers = [
      { phone: '99112233', externalCustomerId: 'C' },
      { phone: '88112233', externalCustomerId: 'C' },
    ];
    const { listIds } = await startWithOrders(
      customers.map(() => noon),
      customers.map((customer) => ({ customer })),
    );
    expect(await listIds({ customerPhone: '88112233' })).toBe('1');
  });

  const edges = [
    '2026-11-24T23:59:59.999Z',
    '2026-11-25T00:00:00.000Z',
    '2026-11-25T23:59:59.999Z',
    '2026-11-26T00:00:00.000Z',
  ];

  it.each([
    [{ createdFrom: '2026-11-25' }, '3 2 1'],
    [{ createdTo: '2026-11-25' }, '2 1 0'],
    [{ createdFrom: '2026-11-25', createdTo: '2026-11-25' }, '2 1'],
    [{ createdFrom: '2026-11-26T00:00:00Z' }, '3'],
    [{ createdTo: '2026-11-24T23:59:59.999Z' }, '0'],
    [{ createdFrom: '2026-11-26T08:00:00+08:00' }, '3'],
    [{ createdTo: '2026-11-25t00:00:00z' }, '1 0'],
    [{ createdFrom: '2026-11-27', createdTo: '2026-11-25' }, ''],
  ])('filters by creation time, both ends inclusive: %o', async (query, expected) => {
    const { listIds } = await startWithOrders(edges);
    expect(await listIds(query)).toBe(expected);
  });

  it('combines filters', async () => {
    const { listIds, created, cancel } = await startWithOrders([...edges, ...edges]);
    await cancel(created[1].id);
    const query = { createdTo: '2026-11-25', customerPhone: '99112233', status: 'CONFIRMED' };
    expect(await listIds(query)).toBe('6 2 5 4 0');
    expect(await listIds({ ...query, orderNumber: created[5].orderNumber })).toBe('5');
    expect(await listIds({ ...query, externalOrderId: '1' })).toBe('');
  });

  it.each([
    ...['createdFrom', 'createdTo'].flatMap((name) =>
      ['', 'yesterday', '2026-02-30', '2026-11-25T08:00:00', '2026-11-25T24:00:00Z', '1764057600'].map(
        (value) => [name, value],
      ),
    ),
    ...['page', 'pageSize'].flatMap((name) =>
      ['', '0', '-1', '1.5', 'two', '1e2'].map((value) => [name, value]),
    ),
  ])('responds 400 to %s=%s and names the parameter', async (name = '', value = '') => {
    const { get } = await start();
    const { status, json } = await get(`${orders}?${new URLSearchParams({ [name]: value })}`);
    expect([status, json.error.code]).toEqual([400, 'INVALID_QUERY']);
    expect(json.error.message).toContain(`${name}:`);
  });

  it('ignores undocumented parameters', async () => {
    const { listIds } = await startWithOrders([noon]);
    expect(await listIds({ sort: 'id', merchantId: '2' })).toBe('0');
  });
});

describe('paging', () => {
  it('returns every order once, and an empty page after the last', async () => {
    const { list, listIds } = await startWithOrders(Array.from({ length: 5 }, () => noon));
    const pages = [];
    for (const page of ['1', '2', '3', '4']) pages.push(await listIds({ page, pageSize: '2' }));
    expect(pages).toEqual(['4 3', '2 1', '0', '']);
    expect(await list({ page: '4', pageSize: '2' })).toEqual({ data: [], page: 4, pageSize: 2, total: 5 });
    expect(await listIds({ page: '2', pageSize: '1', status: 'CONFIRMED' })).toBe('3');
  });

  it('has 20 orders on a page by default, at most 100, and returns the page size', async () => {
    const { list } = await startWithOrders(Array.from({ length: 101 }, () => noon));
    const sizes = [];
    for (const query of [{}, { pageSize: '100' }, { pageSize: '101' }, { pageSize: '9'.repeat(400) }]) {
      const { data, pageSize } = await list(query);
      sizes.push([data.length, pageSize]);
    }
    expect(sizes).toEqual([
      [20, 20],
      [100, 100],
      [100, 100],
      [100, 100],
    ]);
  });

  it('returns an empty page for a huge page number', async () => {
    const { list } = await startWithOrders([noon]);
    expect(await list({ page: '9'.repeat(400) })).toMatchObject({ data: [], total: 1 });
  });
});
