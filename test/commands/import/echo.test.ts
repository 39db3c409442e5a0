import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type CliOptions, runCli, temporaryDirectory } from '../../support/cli.ts';
import { type ShownOrder, startPlainService } from '../../support/plain-service.ts';
import { rowsOf } from './setup.ts';

const file = `externalOrderId,customer.phone,items[].sku,collectionMode,collectionAmount,total,requestedDeliveryDate
E-1,99112233,TEA-001,COLLECT,45000,45000,2030-01-15
E-2,88112233,TEA-001,NONE,,20000,2030-01-15
E-3,88112244,TEA-001,NONE,,20000,2030-01-15
`;

/** Adds a fee to each order, and hides a part of its phone. */
function normalise(order: ShownOrder): ShownOrder {
  const { phone } = order.customer as { phone: string };
  const items = [...(order.items as object[]), { sku: 'DELIVERY-FEE' }];
  return { ...order, items, customer: { phone: `${phone.slice(0, 4)}****` } };
}

async function startShop(store = normalise) {
  const service = await startPlainService({ store });
  onTestFinished(() => service.stop());
  const csv = join(temporaryDirectory(), 'orders.csv');
  writeFileSync(csv, file);
  const configDirectory = temporaryDirectory();
  const run = (args: string[], options: CliOptions = {}) =>
    runCli(args, { env: service.env, configDirectory, ...options });
  return { service, run, csv, results: csv.replace('.csv', '.results.csv') };
}

it('is named in the results of an import, which an undo finds', async () => {
  const { service, run, csv, results } = await startShop();
  const { exitCode, stdout, stderr } = await run(['import', csv, '--yes', '--json']);
  const summary = JSON.parse(stdout);
  expect([exitCode, summary.orders.created, summary.warnings]).toEqual([
    0,
    3,
    [{ code: 'echo_differs', count: 3, rows: [2, 3, 4] }],
  ]);
  expect(stderr).toContain(
    'The service shows other values than were sent in 3 orders that were created (rows 2, 3, 4). The results file names them.\n',
  );
  const fee = 'was sent as "TEA-001", and the service shows "TEA-001, DELIVERY-FEE"';
  const phone = (sent: string) => `was sent as "${sent}", and the service shows "${sent.slice(0, 4)}****"`;
  expect(rowsOf(results).map(({ outcome, code, message }) => [outcome, code, message])).toEqual(
    ['99112233', '88112233', '88112244'].map((sent) => [
      'created',
      'echo_differs',
      `warning: items: ${fee}; warning: customer: ${phone(sent)}`,
    ]),
  );
  const again = await run(['import', csv, '--yes', '--json']);
  expect([JSON.parse(again.stdout).orders.already_exists, service.seen.creates]).toEqual([3, 3]);
  const undone = await run(['cancel', '--from', results, '--reason', 'test', '--yes']);
  expect([undone.exitCode, service.orders.map(({ status }) => status)]).toEqual([
    0,
    ['CANCELLED', 'CANCELLED', 'CANCELLED'],
  ]);
});
