import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { installDebianPackages } from '../support/debian.ts';

/** Installs a package into the folder; returns its directory. */
export function installPeer(folder: string, name: string, version: string): string {
  const options = ['--no-save', '--no-audit', '--no-fund', '--prefix', folder];
  const { status, stderr } = spawnSync('npm', ['install', ...options, `${name}@${version}`], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${name} could not be installed: ${stderr}`);
  return join(folder, 'node_modules', name);
}

/** Installs newman into the folder; returns its command line for a service and a CSV file. */
export function installNewman(folder: string): (baseUrl: string, csv: string) => string[] {
  const newman = join(installPeer(folder, 'newman', '6.2.1'), 'bin/newman.js');
  return (baseUrl, csv) => {
    const collection = join(folder, 'orders.postman_collection.json');
    writeFileSync(collection, JSON.stringify(collectionFor(baseUrl)));
    return [process.execPath, newman, 'run', collection, '--iteration-data', csv, '--silent'];
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
