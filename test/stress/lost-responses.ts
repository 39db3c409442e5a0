import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { compareResults } from './import/compare-results.ts';
import { loseResponses } from './import/faults.ts';
import { addFigures, noFigures, printFigures, reportPromise } from './import/figures.ts';
import { createOrders, writeOrderFile } from './import/order-file.ts';
import { isOurs } from './import/results.ts';
import { setUpImport } from './import/run-import.ts';
import { startSandbox } from './import/sandbox.ts';
import { isSettled, settle } from './import/settle.ts';
import { importIntoUnusualService } from './import/unusual-service.ts';

/*
 * Imports into a service that loses one response in ten after it created the order: no order exists twice, and the
 * results file equals what the service has. First many orders; then fewer, on services that forget keys, store
 * rejections, or ignore keys, with a rejection that is lifted, edited rows and a lost ledger. Prints the figures and
 * exits with 1 when one of them is wrong. 100,000 orders with `--full`, otherwise 2,000.
 */
const isFull = process.argv.includes('--full');
const orderCount = isFull ? 100_000 : 2000;
const folder = mkdtempSync(join(tmpdir(), 'lost-responses-'));
/** A service without pages lists at most a thousand orders. */
const others = isFull ? 5000 : 200;
const unusual = { forgetful: isFull ? 900 : 200, hoarder: others, rails: others, laravel: others };

const figures = noFigures(
  'orders',
  'faulted',
  'unsettled',
  'lost',
  'duplicated',
  'misreported',
  'keyChanged',
);
const expected = ['unsettled', 'lost', 'duplicated', 'misreported', 'keyChanged'] as const;
try {
  console.log('the import of many orders');
  const started = performance.now();
  const measured = await importMany();
  report(2, measured, printFigures(measured, { faulted: (figure) => figure > orderCount / 12 }, expected));
  console.log(`${'seconds'.padEnd(22)} ${((performance.now() - started) / 1000).toFixed(1)}`);
  console.log(`the imports of ${Object.keys(unusual).join(', ')}`);
  for (const [behaviour, count] of Object.entries(unusual)) {
    addFigures(figures, await importIntoUnusualService(join(folder, behaviour), behaviour, count));
  }
  report(3, figures, printFigures(figures, { faulted: (figure) => figure > figures.orders / 12 }, expected));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function report(
  promise: number,
  { orders, faulted, duplicated, misreported }: typeof figures,
  isKept: boolean,
): void {
  reportPromise({ promise, figures: { orders, faulted, duplicated, misreported }, isKept });
}

async function importMany() {
  const service = await startSandbox(folder, 'default');
  try {
    const setup = setUpImport(folder, service);
    const orders = createOrders('L', orderCount);
    writeOrderFile(setup.file, orders);
    await service.setFaults(loseResponses('*'));
    const codes = await settle(setup, service, orders);
    const {
      open,
      repeated: _,
      ...differences
    } = await compareResults('default', service, orders, setup.results, {
      isDone: isOurs,
    });
    const isEnded = isSettled(codes, false, open);
    if (!isEnded) console.log(`the runs ended with ${codes.join(', ')}`);
    return { orders: orders.length, ...differences, unsettled: isEnded ? 0 : 1 };
  } finally {
    await service.stop();
  }
}
