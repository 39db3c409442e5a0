import { compareResults, type Expectations } from './compare-results.ts';
import { loseResponses } from './faults.ts';
import { addFigures, noFigures } from './figures.ts';
import { createOrders, type FileOrder, writeOrderFile } from './order-file.ts';
import { isOurs, isThere, type Result } from './results.ts';
import { deleteLedger, setUpImport } from './run-import.ts';
import { startSandbox } from './sandbox.ts';
import { isSettled, settle } from './settle.ts';

const newSku = 'NEW-001';

/**
 * Imports with lost responses; again when the rejected orders are accepted; again with some rows edited; and once more
 * without the ledger. Each time the results are compared with what the service has.
 */
export async function importIntoUnusualService(folder: string, behaviour: string, count: number) {
  const service = await startSandbox(folder, behaviour);
  const setup = setUpImport(folder, service);
  const figures = noFigures(
    'orders',
    'faulted',
    'unsettled',
    'lost',
    'duplicated',
    'misreported',
    'keyChanged',
  );
  const importAndCompare = async (
    name: string,
    orders: readonly FileOrder[],
    hasRejected: boolean,
    expectations: Expectations,
  ) => {
    await service.setFaults(loseResponses('L-*'));
    const codes = await settle(setup, service, orders);
    const scene = `${behaviour}, ${name}`;
    const {
      open,
      repeated: _,
      faulted,
      ...differences
    } = await compareResults(scene, service, orders, setup.results, expectations);
    const isEnded = isSettled(codes, hasRejected, open);
    if (!isEnded) console.log(`${scene}: the runs ended with ${codes.join(', ')}`);
    addFigures(figures, { ...differences, unsettled: isEnded ? 0 : 1 });
    figures.faulted = faulted;
  };
  try {
    const orders = createOrders('L', count).map((order, index) => {
      // Their responses arrive: a lost one would keep the rejection open for ten minutes.
      const isNew = index % 100 === 50;
      return isNew ? { ...order, externalOrderId: `N-${index}`, sku: newSku, isRejected: true } : order;
    });
    writeOrderFile(setup.file, orders);
    await importAndCompare('responses lost', orders, true, { isDone: isOurs });

    await service.addProduct(newSku);
    const lifted = orders.map((order) => ({ ...order, isRejected: false, mayChangeKey: order.isRejected }));
    await importAndCompare('rejection lifted', lifted, false, { isDone: isOurs });

    const isEdited = ({ row }: { row: number | string }) => editedRows.has(Number(row));
    const editedRows = new Set(orders.filter((_, index) => index % 50 === 20).map(({ row }) => row));
    writeOrderFile(
      setup.file,
      orders.map((order) => (isEdited(order) ? { ...order, amount: '7' } : order)),
    );
    const edited = lifted.map((order) => ({ ...order, mayChangeKey: order.mayChangeKey || isEdited(order) }));
    const isExpected = (result: Result, isWanted: (result: Result) => boolean) =>
      isEdited(result) ? result.outcome === 'conflict' : isWanted(result);
    await importAndCompare('rows edited', edited, true, { isDone: (result) => isExpected(result, isOurs) });

    deleteLedger(setup);
    await importAndCompare('rows edited, ledger lost', edited, true, {
      isDone: (result) => isExpected(result, isThere),
    });
    return { ...figures, orders: count };
  } finally {
    await service.stop();
  }
}
