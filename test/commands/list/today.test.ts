import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { afterEach, describe, expect, it } from 'vitest';
import { type ListService, listService } from '../../api/list-services.ts';
import { startStubService } from '../../api/stub-service.ts';
import { type CliOptions, runCli, temporaryDirectory } from '../../support/cli.ts';

const folder = process.cwd();
afterEach(() => process.chdir(folder));

const at = (day: string, hour = 12) =>
  new Date(`${day}T${String(hour).padStart(2, '0')}:00:00`).toISOString();
const orders = [
  { createdAt: at('2026-11-20', 9), requestedDeliveryDate: '2026-11-20', collectionAmount: '25000' },
  { createdAt: at('2026-11-19'), requestedDeliveryDate: '2026-11-20T00:00:00Z', collectionMode: 'NONE' },
  { createdAt: at('2026-11-20', 8), requestedDeliveryDate: '2026-11-21' },
  { createdAt: at('2026-11-18'), requestedDeliveryDate: '2026-11-21', status: 'CANCELLED' },
  { createdAt: at('2026-11-18'), requestedDeliveryDate: '2026-11-22', collectionAmount: '1' },
].map((order, place) => ({ id: `S-${place}`, status: 'CONFIRMED', ...order }));

async function startToday(all: object[] = orders, service: Partial<ListService> = {}) {
  process.chdir(temporaryDirectory());
  const respond = listService({ envelope: 'items, limit', count: all.length, orders: all, ...service });
  const { env } = await startStubService(respond);
  return (args: string[] = [], options: CliOptions = {}) => runCli(['today', ...args], { env, ...options });
}

const read = /^Read \d+ orders? created since \d{4}-\d\d-\d\d\.\n/;

describe('today', () => {
  it('says what is due, what is collected, and the command that goes on', async () => {
    const today = await startToday();
    const { stdout, stderr, exitCode } = await today(['--no-color'], { width: 80 });
    expect(stdout).toBe(
      `created today     2 orders, to collect 25,000 ₮.
                  1 order does not show how much.
                  merchant-orders list --created-from today --all
deliver today     2 orders, to collect 25,000 ₮.
                  merchant-orders list --deliver-on today --for courier
deliver tomorrow  1 order, to collect 0 ₮.
                  1 order does not show how much.
                  1 cancelled order is left out.
                  merchant-orders list --deliver-on tomorrow --for packing
outcome unknown   0 orders
`,
    );
    expect([stderr.replace(read, ''), exitCode]).toEqual(['', 0]);
  });

  it('is one object in JSON', async () => {
    const today = await startToday();
    const { stdout } = await today(['--json']);
    expect(JSON.parse(stdout)).toEqual({
      day: '2026-11-20',
      createdToday: {
        orders: 2,
        cancelled: 0,
        toCollect: '25000',
        notShown: 1,
        command: 'merchant-orders list --created-from today --all',
      },
      deliverToday: {
        orders: 2,
        cancelled: 0,
        toCollect: '25000',
        notShown: 0,
        command: 'merchant-orders list --deliver-on today --for courier',
      },
      deliverTomorrow: {
        orders: 1,
        cancelled: 1,
        toCollect: '0',
        notShown: 1,
        command: 'merchant-orders list --deliver-on tomorrow --for packing',
      },
      unknown: { orders: 0, command: 'merchant-orders settle' },
      stoppedImports: [],
      read: { orders: 5, createdSince: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), isComplete: true },
    });
  });

  it('names orders whose outcome is unknown, and what an import did not send, until it is sent', async () => {
    process.chdir(temporaryDirectory());
    const service = { isDown: true };
    const respond = listService({ envelope: 'items, limit', count: 0, orders: [] });
    const { env } = await startStubService((request) => {
      if (request.method !== 'POST') return respond(request);
      const { externalOrderId } = JSON.parse(request.body);
      if (service.isDown) return { status: externalOrderId === 'A-1' ? 500 : 401, json: {} };
      return { status: 201, json: { id: externalOrderId, externalOrderId, status: 'CONFIRMED' } };
    });
    const options = { env, configDirectory: temporaryDirectory() };
    writeFileSync(
      'two.csv',
      'externalOrderId,customer.phone,items[].sku,collectionMode\nA-1,99112233,T,NONE\nA-2,99112244,T,NONE\n',
    );
    const both = async () => {
      const { exitCode } = await runCli(['import', 'two.csv', '--yes', '--concurrency', '1'], options);
      const { unknown, stoppedImports } = JSON.parse((await runCli(['today', '--json'], options)).stdout);
      return { exitCode, unknown: unknown.orders, stoppedImports };
    };
    const command = 'merchant-orders import two.csv';
    const stopped = { file: 'two.csv', run: expect.any(String), notSent: 1, command };
    expect(await both()).toEqual({ exitCode: 4, unknown: 1, stoppedImports: [stopped] });
    const { stdout } = await runCli(['today', '--no-color'], { ...options, width: 80 });
    expect(stdout).toContain(`outcome unknown   1 order
                  merchant-orders settle
stopped import    two.csv: 1 order not sent
                  ${command}
`);
    service.isDown = false;
    expect(await both()).toEqual({ exitCode: 0, unknown: 0, stoppedImports: [] });
  });

  it.each<[string, object, number]>([
    ['does not answer', { status: 503, json: {} }, 7],
    ['refuses the key', { status: 401, json: {} }, 4],
  ])('says what it could not read when the service %s', async (_, reply, code) => {
    const { env } = await startStubService(() => reply as never);
    const { stdout, stderr, exitCode } = await runCli(['today', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      createdToday: null,
      deliverToday: null,
      deliverTomorrow: null,
      unknown: { orders: 0 },
      read: null,
    });
    expect([JSON.parse(stderr).error.exitCode, exitCode]).toEqual([code, code]);
    const text = await runCli(['today', '--no-color'], { env, width: 80 });
    expect(text.stdout).toContain('deliver today     not read\n');
  });
});
