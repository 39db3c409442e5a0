import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installDebianPackages } from '../support/debian.ts';

const newmanVersion = '6.2.1';

/** Installs newman into the folder; returns its command line for a service and a CSV file. */
export function installNewman(folder: string): (baseUrl: string, csv: string) => string[] {
  const args = [
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--prefix',
    folder,
    `newman@${newmanVersion}`,
  ];
  const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`newman could not be installed: ${stderr}`);
  return (baseUrl, csv) => {
    const collection = join(folder, 'orders.postman_collection.json');
    writeFileSync(collection, JSON.stringify(collectionFor(baseUrl)));
    return [join(folder, 'node_modules/.bin/newman'), 'run', collection, '--iteration-data', csv, '--silent'];
  };
}

/** A request for each row of the CSV, as a person who uses Postman would write it. */
function collectionFor(baseUrl: string) {
  const order = {
    externalOrderId: '{{externalOrderId}}',
    customer: { phone: '{{customer.phone}}' },
    items: [{ sku: '{{items[].sku}}' }],
    collectionMode: '{{collectionMode}}',
    collectionAmount: '{{collectionAmount}}',
  };
  const header = [
    { key: 'Content-Type', value: 'application/json' },
    { key: 'Idempotency-Key', value: '{{$guid}}' },
    { key: 'Authorization', value: 'Bearer bench' },
  ];
  const body = { mode: 'raw', raw: JSON.stringify(order) };
  const request = { method: 'POST', url: `${baseUrl}/api/v1/merchant/orders`, header, body };
  return {
    info: { name: 'orders', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [{ name: 'create', request }],
  };
}

/** The path of Miller, which Debian has. */
export function findMiller(): string | undefined {
  installDebianPackages(['miller']);
  const { status, stdout } = spawnSync('which', ['mlr'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
