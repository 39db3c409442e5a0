import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';

const flags = [
  'create',
  '--external-order-id',
  'UB-1',
  '--phone',
  '99112233',
  '--item',
  'TEA-1',
  '--prepaid',
];
const order = {
  externalOrderId: 'UB-1',
  customer: { phone: '99112233' },
  items: [{ sku: 'TEA-1' }],
  collectionMode: 'NONE',
};

function fileWith(text: string, name = 'order.json'): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, text);
  return path;
}

describe('an order that the customer picks up is not created', () => {
  it.each<[string, string[], string?]>([
    ['by --set', [...flags, '--set', 'fulfillmentType=PICKUP']],
    ['by --set one level below', [...flags, '--set', 'delivery.deliveryMethod=Store pickup']],
    ['by --set of JSON', [...flags, '--set', 'shipping:={"shippingMethod":"inStorePickup"}']],
    ['by a line', [...flags, '--item', 'sku=TEA-1,deliveryType=local_pickup']],
    ['without checks', [...flags, '--no-checks', '--set', 'deliveryType=PICKUP']],
    ['for a dry run', [...flags, '--dry-run', '--set', 'shippingMethod=Өөрөө авах']],
    ['in other words', [...flags, '--set', 'deliveryMethod=Customer collects']],
    ['in Mongolian', [...flags, '--set', 'deliveryMethod=ирээд авна']],
    ['from stdin', ['create', '--file', '-'], JSON.stringify({ ...order, fulfillmentType: 'STORE_PICKUP' })],
  ])('%s', async (_, args, stdin) => {
    const { cli, sandbox } = await startService();
    const { stdout, stderr, exitCode } = await cli([...args, '--json'], stdin === undefined ? {} : { stdin });
    expect({ stdout, exitCode, requests: sandbox.requestCount() }).toEqual({
      stdout: '',
      exitCode: 2,
      requests: 0,
    });
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'order_invalid',
      outcome: 'not_sent',
      issues: [{ code: 'pickup_not_deliverable' }],
    });
  });
});

it.each([
  ['note=Pickup at the back door'],
  ['fulfillmentType=DELIVERY'],
  ['deliveryMethod=Picked up by courier'],
  ['deliveryMethod=Pickup by courier'],
  ['deliveryMethod=no pickup'],
  ['pickup.instructions.deliveryType=PICKUP'],
])('an order with %s is created', async (field) => {
  const { cli } = await startService();
  const { exitCode } = await cli([...flags, '--set', field]);
  expect(exitCode).toBe(0);
});

describe('an import leaves such an order out', () => {
  it.each<[string, string[]]>([
    ['a column that is mapped to the field', ['--map-column', 'How=deliveryMethod']],
    ['a column one level below', ['--map-column', 'How=delivery.shippingMethod']],
    ['a column of the lines', ['--map-column', 'How=items[].fulfillmentType']],
    ['an order that --include takes', ['--map-column', 'How=deliveryType', '--include', 'pickup']],
    ['no checks', ['--map-column', 'How=deliveryType', '--no-checks']],
    ['--set', ['--ignore-column', 'How', '--set', 'fulfillmentType=PICKUP']],
  ])('by %s', async (_, mapping) => {
    const file = fileWith(
      'externalOrderId,customer.phone,items[].sku,collectionMode,How\nUB-1,99112233,TEA-1,NONE,Store pickup\n',
      'orders.csv',
    );
    const { cli, sandbox } = await startService();
    const { stdout, stderr } = await cli(['import', file, ...mapping, '--yes', '--json']);
    expect(sandbox.requestCount()).toBe(0);
    expect(stdout + stderr).toContain('pickup_not_deliverable');
  });
});
