#!/usr/bin/env node
// Runs the main commands in the embedded sandbox: nothing is delivered, and it can be run again.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = fileURLToPath(new URL('merchant-orders.js', import.meta.url));
const externalOrderId = `DEMO-${new Date().toISOString().replace(/\D/g, '')}`;

show('Import an export of a shop: 264 orders, each checked first and created exactly once.');
run('import', 'fixtures/orders.csv', '--sandbox', '--yes');

show('List the newest orders.');
run(
  'list',
  '--sandbox',
  '--limit',
  '10',
  '--columns',
  'orderNumber,externalOrderId,status,customer.phone,total',
);

const orderNumber = read('list', '--sandbox', '--external-order-id', 'UB-10001', '--columns', 'orderNumber');
show('Read one of them by its order number.');
run('get', orderNumber, '--sandbox');

show('Create one order; the courier collects 45,000 ₮.');
run(
  'create',
  '--sandbox',
  '--yes',
  '--external-order-id',
  externalOrderId,
  '--phone',
  '99112233',
  '--item',
  'TEA-001',
  '--collect',
  '45000',
);

show('Cancel it, with a reason.');
run('cancel', externalOrderId, '--sandbox', '--yes', '--reason', 'the customer changed her mind');

console.log(`
Everything above happened in the sandbox, the service inside this program. Continue with:

  node bin/merchant-orders.js list --sandbox            what was created
  node bin/merchant-orders.js create --sandbox          create an order; it asks for the fields
  node bin/merchant-orders.js import YOUR.csv --sandbox try your own file
  node bin/merchant-orders.js sandbox start             serve the sandbox to your own programs
  node bin/merchant-orders.js login                     when you have a key of the real service
`);

function show(sentence) {
  console.log(`\n# ${sentence}`);
}

function run(...args) {
  console.log(`$ merchant-orders ${args.map(quote).join(' ')}`);
  const { status } = start(args, 'inherit');
  if (status !== 0) process.exit(status ?? 1);
}

function read(...args) {
  const { status, stdout } = start(
    [...args, '--no-header', '--format', 'tsv'],
    ['ignore', 'pipe', 'inherit'],
  );
  if (status !== 0) process.exit(status ?? 1);
  return stdout.trim();
}

function start(args, stdio) {
  return spawnSync(process.execPath, [program, ...args], { cwd: root, stdio, encoding: 'utf8' });
}

function quote(word) {
  return /^[\w./,:-]+$/.test(word) ? word : `"${word}"`;
}
