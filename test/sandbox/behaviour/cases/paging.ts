import { expect } from 'vitest';
import { listParameters } from '../../../../src/sandbox/behaviour/schema.ts';
import type { Case } from '../case.ts';
import { anOrder, type Service } from '../serve.ts';

/** Creates orders with the external order IDs 0, 1, 2 … one second apart. */
async function createMany({ create, clock }: Service, count: number): Promise<void> {
  for (let place = 0; place < count; place += 1) {
    clock.now += 1000;
    await create(anOrder({ externalOrderId: `${place}`, customer: { phone: `9911223${place % 10}` } }));
  }
}

async function externalOrderIds({ list }: Service, query = ''): Promise<string> {
  const { json } = await list(query);
  return json.data.map((order: { externalOrderId: string }) => order.externalOrderId).join(' ');
}

async function expectInvalid({ list }: Service, query: string): Promise<void> {
  const { status, json } = await list(query);
  expect([status, json.error?.code]).toEqual([400, 'INVALID_QUERY']);
}

/** A value of each parameter. */
const narrowing: Record<string, string> = {
  externalOrderId: '1',
  orderNumber: 'ORD-2026-000001',
  status: 'DELIVERED',
  customerPhone: '99112231',
  createdFrom: '2026-11-26',
  createdTo: '2026-11-24',
  page: '2',
  pageSize: '1',
};

export const pagingCases: Case[] = [
  ...[1, 0].map(
    (value): Case => ({
      setting: 'paging.firstPage',
      value,
      check: async (service) => {
        await createMany(service, 3);
        const pages = [];
        for (const page of [value, value + 1, value + 2]) {
          pages.push(await externalOrderIds(service, `?pageSize=2&page=${page}`));
        }
        expect(pages).toEqual(['2 1', '0', '']);
        expect((await service.list()).json.page).toBe(value);
        if (value === 1) await expectInvalid(service, '?page=0');
      },
    }),
  ),
  ...[20, 2].map(
    (value): Case => ({
      setting: 'paging.defaultPageSize',
      value,
      check: async (service) => {
        await createMany(service, 21);
        const { data, pageSize } = (await service.list()).json;
        expect([data.length, pageSize]).toEqual([value, value]);
      },
    }),
  ),
  ...[100, 3].map(
    (value): Case => ({
      setting: 'paging.largestPageSize',
      value,
      check: async (service) => {
        await createMany(service, 5);
        expect((await service.list('?pageSize=200')).json.pageSize).toBe(value);
        expect((await service.list('?pageSize=200')).json.data).toHaveLength(Math.min(5, value));
      },
    }),
  ),
  {
    setting: 'paging.unknownParameters',
    value: 'ignored',
    check: async ({ list }) => {
      expect((await list('?sort=id')).status).toBe(200);
      expect((await list('?pageSize=101')).json.pageSize).toBe(100);
    },
  },
  {
    setting: 'paging.unknownParameters',
    value: 'refused',
    check: async (service) => {
      await expectInvalid(service, '?sort=id');
      await expectInvalid(service, '?pageSize=101');
      const stated = listParameters.map((name) => `${name}=${narrowing[name]}`).join('&');
      expect((await service.list(`?${stated}`)).status).toBe(200);
      expect((await service.list('?pageSize=100')).json.pageSize).toBe(100);
    },
  },
  ...[
    ['days_and_instants', true, true] as const,
    ['days', true, false] as const,
    ['instants', false, true] as const,
  ].map(
    ([value, takesDays, takesInstants]): Case => ({
      setting: 'paging.dates',
      value,
      check: async (service) => {
        await createMany(service, 2);
        const texts = ['2026-11-25', '2026-11-25T08:00:02Z', '2026-11-25T08:00:02%2B00:00', 'today'];
        const found = [];
        for (const text of texts) found.push((await service.list(`?createdFrom=${text}`)).json.total);
        const instant = takesInstants ? 1 : undefined;
        expect(found).toEqual([takesDays ? 2 : undefined, instant, instant, undefined]);
      },
    }),
  ),
];
