import { lostAnswers } from './faults.ts';
import { addFigures } from './figures.ts';
import { judge, type Terms } from './judge.ts';
import { type FileOrder, inventOrders, writeOrderFile } from './order-file.ts';
import { isOurs, isThere, type Result } from './results.ts';
import { deleteLedger, placeIn } from './run-import.ts';
import { startSandbox } from './sandbox.ts';
import { isSettled, settle } from './settle.ts';

const newSku = 'NEW-001';

/**
 * An import whose responses get lost; the same again once the rejected orders are accepted; again with some rows edited;
 * and once more without the ledger. Each time the results are compared with what the service has.
 */
export async function tryStrangeService(folder: string, behaviour: string, count: number) {
  const service = await startSandbox(folder, behaviour);
  const place = placeIn(folder, service);
  const figures = { orders: 0, struck: 0, unsettled: 0, lost: 0, duplicated: 0, misreported: 0, rekeyed: 0 };
  const play = async (name: string, orders: readonly FileOrder[], hasRefused: boolean, terms: Terms) => {
    await service.setFaults(lostAnswers('L-*'));
    const codes = await settle(place, service, orders);
    const scene = `${behaviour}, ${name}`;
    const { open, unheard: _, struck, ...judged } = await judge(scene, service, orders, place.results, terms);
    const isEnded = isSettled(codes, hasRefused, open);
    if (!isEnded) console.log(`${scene}: the runs ended with ${codes.join(', ')}`);
    addFigures(figures, { ...judged, unsettled: isEnded ? 0 : 1 });
    figures.struck = struck;
  };
  try {
    const orders = inventOrders('L', count).map((order, place) => {
      // Their responses arrive: a lost one would keep the rejection open for ten minutes.
      const isNew = place % 100 === 50;
      return isNew ? { ...order, externalOrderId: `N-${place}`, sku: newSku, isRefused: true } : order;
    });
    writeOrderFile(place.file, orders);
    await play('answers lost', orders, true, { isDone: isOurs });

    await service.addProduct(newSku);
    const lifted = orders.map((order) => ({ ...order, isRefused: false, mayChangeKey: order.isRefused }));
    await play('refusal lifted', lifted, false, { isDone: isOurs });

    const isEdited = ({ row }: { row: number | string }) => editedRows.has(Number(row));
    const editedRows = new Set(orders.filter((_, place) => place % 50 === 20).map(({ row }) => row));
    writeOrderFile(
      place.file,
      orders.map((order) => (isEdited(order) ? { ...order, amount: '7' } : order)),
    );
    const edited = lifted.map((order) => ({ ...order, mayChangeKey: order.mayChangeKey || isEdited(order) }));
    const isTold = (result: Result, wanted: (result: Result) => boolean) =>
      isEdited(result) ? result.outcome === 'conflict' : wanted(result);
    await play('rows edited', edited, true, { isDone: (result) => isTold(result, isOurs) });

    deleteLedger(place);
    await play('rows edited, ledger lost', edited, true, { isDone: (result) => isTold(result, isThere) });
    return { ...figures, orders: count };
  } finally {
    await service.stop();
  }
}
