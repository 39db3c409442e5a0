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

  it('has the orders that every filter matches', async () => {
    const { listIds, cancel, created } = await startWithOrders(
      edges,
      ['1', '2', '2', '2'].map((digit) => ({ customer: { phone: `9911223${digit}` } })),
    );
    await cancel(created[2].id);
    const filters = { createdTo: '2026-11-25', customerPhone: '99112232' };
    expect([await listIds(filters), await listIds({ ...filters, status: 'CONFIRMED' })]).toEqual([
      '2 1',
      '1',
    ]);
  });

  it('takes huge numbers: an empty page, and the largest page size', async () => {
    const { list } = await startWithOrders([noon]);
    expect(await list({ page: '9'.repeat(400) })).toMatchObject({ data: [], total: 1 });
    expect((await list({ pageSize: '9'.repeat(400) })).pageSize).toBe(100);
  });
});
