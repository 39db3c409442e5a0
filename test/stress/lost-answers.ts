import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { lostAnswers } from './import/faults.ts';
import { addFigures, isZero, showPromise, tellFigures } from './import/figures.ts';
import { judge } from './import/judge.ts';
import { inventOrders, writeOrderFile } from './import/order-file.ts';
import { isOurs } from './import/results.ts';
import { placeIn } from './import/run-import.ts';
import { startSandbox } from './import/sandbox.ts';
import { isSettled, settle } from './import/settle.ts';
import { tryStrangeService } from './import/strange-service.ts';

/*
 * Imports into a service that loses one response in ten after it created the order: no order exists twice, and the
 * results file equals what the service has. First many orders; then fewer, on services that forget keys, store
 * rejections, or ignore keys, with a rejection that is lifted, edited rows and a lost ledger. Prints the figures and
 * exits with 1 when one of them is wrong. 100,000 orders with `--full`, otherwise 10,000.
 */
const isFull = process.argv.includes('--full');
const many = isFull ? 100_000 : 10_000;
const folder = mkdtempSync(join(tmpdir(), 'lost-answers-'));
/** How many orders: a service without pages lists at most a thousand. */
const others = isFull ? 5000 : 200;
const strange = { forgetful: isFull ? 900 : 200, hoarder: others, rails: others, laravel: others };

const figures = { orders: 0, struck: 0, unsettled: 0, lost: 0, duplicated: 0, misreported: 0, rekeyed: 0 };
const none = { unsettled: isZero, lost: isZero, duplicated: isZero, misreported: isZero, rekeyed: isZero };
try {
  console.log('the import of many orders');
  const started = performance.now();
  const told = await tryMany();
  show(2, told, tellFigures(told, { ...none, struck: (figure) => figure > many / 12 }));
  console.log(`${'seconds'.padEnd(22)} ${((performance.now() - started) / 1000).toFixed(1)}`);
  console.log(`the imports of ${Object.keys(strange).join(', ')}`);
  for (const [behaviour, count] of Object.entries(strange)) {
    addFigures(figures, await tryStrangeService(join(folder, behaviour), behaviour, count));
  }
  show(3, figures, tellFigures(figures, { ...none, struck: (figure) => figure > figures.orders / 12 }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function show(
  promise: number,
  { orders, struck, duplicated, misreported }: typeof figures,
  isKept: boolean,
): void {
  showPromise({ promise, figures: { orders, struck, duplicated, misreported }, isKept });
}

async function tryMany() {
  const service = await startSandbox(folder, 'default');
  try {
    const place = placeIn(folder, service);
    const orders = inventOrders('L', many);
    writeOrderFile(place.file, orders);
    await service.setFaults(lostAnswers('*'));
    const codes = await settle(place, service, orders);
    const {
      open,
      unheard: _,
      ...judged
    } = await judge('default', service, orders, place.results, {
      isDone: isOurs,
    });
    const isEnded = isSettled(codes, false, open);
    if (!isEnded) console.log(`the runs ended with ${codes.join(', ')}`);
    return { orders: orders.length, ...judged, unsettled: isEnded ? 0 : 1 };
  } finally {
    await service.stop();
  }
}
