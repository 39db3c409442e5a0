import { describe, expect, it } from 'vitest';
import { idOf, type ListService, listService } from '../api/list-services.ts';
import { apiKey, type ReceivedRequest, type Reply, startStubService } from '../api/stub-service.ts';
import { runCli } from '../support/cli.ts';
import { startService } from '../support/service.ts';

async function startWithOrders(count: number) {
  const service = await startService();
  for (let number = 1; number <= count; number++) {
    const phone = number % 2 === 0 ? '99112233' : '88112233';
    await service.cli([
      'create',
      '--external-order-id',
      `UB-${number}`,
      '--phone',
      phone,
      '--item',
      'TEA-1',
      '--prepaid',
    ]);
  }
  const ids = async (...flags: string[]) => {
    const { stdout } = await service.cli(['list', ...flags, '--columns', 'externalOrderId', '--no-header']);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .sort();
  };
  return { ...service, ids };
}

describe('list', () => {
  it('sends each filter', async () => {
    const { cli, ids } = await startWithOrders(3);
    const { stdout } = await cli(['get', 'UB-2', '--json']);
    const { orderNumber } = JSON.parse(stdout);
    await cli(['cancel', 'UB-3', '--reason', 'test', '--yes']);
    expect(await ids('--external-order-id', 'UB-1')).toEqual(['UB-1']);
    expect(await ids('--order-number', orderNumber)).toEqual(['UB-2']);
    expect(await ids('--status', 'CANCELLED')).toEqual(['UB-3']);
    expect(await ids('--customer-phone', '+976 9911-2233')).toEqual(['UB-2']);
    expect(await ids('--created-from', '2000-01-01')).toEqual(['UB-1', 'UB-2', 'UB-3']);
    expect(await ids('--created-from', '2999-01-01')).toEqual([]);
    expect(await ids('--created-to', '2000-01-01T00:00:00Z')).toEqual([]);
    expect(await ids('--created-to', '2999-01-01')).toEqual(['UB-1', 'UB-2', 'UB-3']);
    expect(await ids('--created-from', '7d')).toEqual(['UB-1', 'UB-2', 'UB-3']);
  });

  it('prints the page and how to get the next one', async () => {
    const { cli } = await startWithOrders(3);
    const { stdout, stderr, exitCode } = await cli(['list', '--page-size', '2', '--json']);
    const { orders, ...page } = JSON.parse(stdout);
    expect(orders.map((order: { externalOrderId: string }) => order.externalOrderId)).toEqual([
      'UB-3',
      'UB-2',
    ]);
    expect(page).toEqual({ page: 1, pageSize: 2, total: 3, nextPage: 2 });
    expect(stderr).toBe('There are more orders. Add --page 2 or --all.\n');
    expect(exitCode).toBe(0);
  });

  it('lists all pages, each order once', async () => {
    const { ids } = await startWithOrders(5);
    expect(await ids('--all', '--page-size', '2')).toEqual(['UB-1', 'UB-2', 'UB-3', 'UB-4', 'UB-5']);
    expect(await ids('--limit', '3', '--page-size', '2')).toEqual(['UB-3', 'UB-4', 'UB-5']);
  });

  it('succeeds without orders', async () => {
    const { cli } = await startService();
    const { stdout, stderr, exitCode } = await cli(['list', '--json']);
    expect(JSON.parse(stdout)).toEqual({ orders: [], page: 1, pageSize: 20, total: 0, nextPage: null });
    expect({ stderr, exitCode }).toEqual({ stderr: 'No orders.\n', exitCode: 0 });
  });

  it('writes one order per line as ndjson', async () => {
    const { cli } = await startWithOrders(2);
    const { stdout } = await cli(['list', '--all', '--format', 'ndjson']);
    const ids = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).externalOrderId);
    expect(ids.sort()).toEqual(['UB-1', 'UB-2']);
  });

  it('rejects contradictory flags before it sends a request', async () => {
    const { cli, sandbox } = await startService();
    const { exitCode } = await cli(['list', '--page', '1', '--all']);
    expect({ exitCode, requests: sandbox.requestCount() }).toEqual({ exitCode: 2, requests: 0 });
  });
});

describe('list of another service', () => {
  const listOf = async (respond: (request: ReceivedRequest) => Reply, ...flags: string[]) => {
    const { baseUrl, received } = await startStubService(respond);
    const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: apiKey };
    const { stdout, stderr, exitCode } = await runCli(['list', ...flags, '--json'], { env });
    const { orders, ...page } = JSON.parse(stdout);
    return {
      ids: orders.map(({ id }: { id: string }) => id),
      page,
      stderr,
      exitCode,
      requestCount: received.length,
    };
  };
  const spring: ListService = { envelope: 'Spring', count: 45, base: 0 };

  it('prints the next page when pages begin at 0, until the last one', async () => {
    const respond = listService(spring);
    const nextPage = async (...flags: string[]) => (await listOf(respond, ...flags)).page.nextPage;
    expect(await nextPage()).toBe(1);
    expect(await nextPage('--page', '0')).toBe(1);
    expect(await nextPage('--page', '1')).toBe(2);
    expect(await nextPage('--page', '2')).toBeNull();
    const silent = listService({ ...spring, envelope: 'items, limit' });
    expect((await listOf(silent, '--page', '1')).page.nextPage).toBe(2);
    expect((await listOf(silent, '--page', '2')).page).toEqual({
      page: 2,
      pageSize: 20,
      total: 45,
      nextPage: null,
    });
  });

  it('warns that there may be more orders when every page is the same', async () => {
    const respond = listService({ envelope: 'bare array', count: 45, ignores: ['page'] });
    const { ids, stderr, exitCode } = await listOf(respond, '--all');
    expect({ count: ids.length, stderr, exitCode }).toEqual({
      count: 20,
      stderr:
        'The service returns the same page for every page number. If it has more than these 20 orders, they cannot be listed.\n',
      exitCode: 0,
    });
  });

  it('exits with 7 and prints what it has when more orders cannot be reached', async () => {
    const respond = listService({ envelope: 'data, has_more', count: 45, ignores: ['page'] });
    const { ids, stderr, exitCode } = await listOf(respond, '--all');
    expect(ids).toEqual(Array.from({ length: 20 }, (_, place) => idOf(place)));
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'search_incomplete', exitCode: 7 });
    expect(exitCode).toBe(7);
  });

  it('warns when the service counts more orders than it lists', async () => {
    const respond = listService({ envelope: 'items, limit', count: 45, total: () => 50 });
    const { ids, stderr, exitCode } = await listOf(respond, '--all');
    expect([ids.length, stderr, exitCode]).toEqual([
      45,
      'The service counts 50 orders, but its pages contain only 45.\n',
      0,
    ]);
  });

  it('requests only the pages that the limit needs', async () => {
    const { ids, requestCount } = await listOf(listService(spring), '--limit', '30');
    expect([ids.length, requestCount]).toEqual([30, 2]);
  });

  it('does not print an error with a success status as a list', async () => {
    const { baseUrl } = await startStubService(() => ({
      json: { success: false, data: [], error: { code: 'BUSY' } },
    }));
    const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: apiKey };
    const { stdout, stderr, exitCode } = await runCli(['list', '--json'], { env });
    expect([stdout, exitCode]).toEqual(['', 7]);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'unreadable_answer', serviceCode: 'BUSY' });
  });
});
