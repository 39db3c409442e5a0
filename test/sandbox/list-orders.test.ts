import { describe, expect, it } from 'vitest';
import { anOrder, orders, start } from './start.ts';

type Started = Awaited<ReturnType<typeof start>>;

/** Creates an order at each time, named after its place, and gives the listing as own ids. */
async function startWithOrders(times: string[], fields: Record<string, unknown>[] = []) {
  const parts: Started = await start();
  const created = [];
  for (const [place, time] of times.entries()) {
    parts.clock.now = Date.parse(time);
    created.push((await parts.create(anOrder({ externalOrderId: `${place}`, ...fields[place] }))).json);
  }
  const list = async (query: Record<string, string>) =>
    (await parts.get(`${orders}?${new URLSearchParams(query)}`)).json;
  const ownIds = async (query: Record<string, string>) => {
    const { data } = await list(query);
    return data.map((order: { externalOrderId: string }) => order.externalOrderId).join(' ');
  };
  return { ...parts, created, list, ownIds };
}

const noon = '2026-11-25T12:00:00Z';

describe('list', () => {
  it('gives whole orders, newest first, those of one millisecond in the order of their creation', async () => {
    const { list, created } = await startWithOrders([noon, '2026-11-24T12:00:00Z', noon]);
    expect(await list({})).toEqual({
      data: [created[2], created[0], created[1]],
      page: 1,
      pageSize: 20,
      total: 3,
    });
  });

  it('gives nothing as an empty page', async () => {
    const { list } = await startWithOrders([]);
    expect(await list({})).toEqual({ data: [], page: 1, pageSize: 20, total: 0 });
  });

  it.each(['externalOrderId', 'orderNumber'])('filters by %s, exactly', async (field) => {
    const { list, created } = await startWithOrders([noon, noon], [{ externalOrderId: 'x%' }]);
    expect((await list({ [field]: created[0][field] })).data).toEqual([created[0]]);
    for (const other of [created[0][field].slice(0, -1), 'X%', '%', '']) {
      expect(await list({ [field]: other })).toMatchObject({ data: [], total: 0 });
    }
  });

  it('filters by status, exactly', async () => {
    const { ownIds, created, cancel } = await startWithOrders([noon, noon, noon]);
    await cancel(created[1].id);
    expect(await ownIds({ status: 'CONFIRMED' })).toBe('2 0');
    expect(await ownIds({ status: 'CANCELLED' })).toBe('1');
    expect(await ownIds({ status: 'cancelled' })).toBe('');
  });

  it('filters by phone, however it is written', async () => {
    const phones = ['99112233', '88112233', '+976 9911 2233'];
    const { ownIds } = await startWithOrders(
      phones.map(() => noon),
      phones.map((phone) => ({ customer: { phone } })),
    );
    for (const customerPhone of ['99112233', '+97699112233', ' 97699112233', '9911-2233']) {
      expect(await ownIds({ customerPhone })).toBe('2 0');
    }
    expect(await ownIds({ customerPhone: '9911' })).toBe('');
  });

  it('finds an order by the phone it shows and not by another of its customer', async () => {
    const customers = [
      { phone: '99112233', externalCustomerId: 'C' },
      { phone: '88112233', externalCustomerId: 'C' },
    ];
    const { ownIds } = await startWithOrders(
      customers.map(() => noon),
      customers.map((customer) => ({ customer })),
    );
    expect(await ownIds({ customerPhone: '88112233' })).toBe('1');
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
    const { ownIds } = await startWithOrders(edges);
    expect(await ownIds(query)).toBe(expected);
  });

  it('joins filters', async () => {
    const { ownIds, created, cancel } = await startWithOrders([...edges, ...edges]);
    await cancel(created[1].id);
    const query = { createdTo: '2026-11-25', customerPhone: '99112233', status: 'CONFIRMED' };
    expect(await ownIds(query)).toBe('6 2 5 4 0');
    expect(await ownIds({ ...query, orderNumber: created[5].orderNumber })).toBe('5');
    expect(await ownIds({ ...query, externalOrderId: '1' })).toBe('');
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
  ])('answers 400 to %s=%s and names it', async (name = '', value = '') => {
    const { get } = await start();
    const { status, json } = await get(`${orders}?${new URLSearchParams({ [name]: value })}`);
    expect([status, json.error.code]).toEqual([400, 'INVALID_QUERY']);
    expect(json.error.message).toContain(`${name}:`);
  });

  it('ignores parameters that are not stated', async () => {
    const { ownIds } = await startWithOrders([noon]);
    expect(await ownIds({ sort: 'id', merchantId: '2' })).toBe('0');
  });
});

describe('paging', () => {
  it('gives every order once, page by page, and an empty page after the last', async () => {
    const { list, ownIds } = await startWithOrders(Array.from({ length: 5 }, () => noon));
    const pages = [];
    for (const page of ['1', '2', '3', '4']) pages.push(await ownIds({ page, pageSize: '2' }));
    expect(pages).toEqual(['4 3', '2 1', '0', '']);
    expect(await list({ page: '4', pageSize: '2' })).toEqual({ data: [], page: 4, pageSize: 2, total: 5 });
    expect(await ownIds({ page: '2', pageSize: '1', status: 'CONFIRMED' })).toBe('3');
  });

  it('has 20 orders on a page, 100 at most, and says which it was', async () => {
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

  it('has no order on a page that is beyond counting', async () => {
    const { list } = await startWithOrders([noon]);
    expect(await list({ page: '9'.repeat(400) })).toMatchObject({ data: [], total: 1 });
  });
});
