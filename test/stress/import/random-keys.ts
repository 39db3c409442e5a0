import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { latestCommitMilliseconds, mixedFaults } from './faults.ts';
import { readRecord } from './record.ts';
import { createOrder, type ServedSandbox } from './sandbox.ts';

const orders = 400;
const atATime = 8;

/**
 * The control: a client that sends an order until a response confirms it, under the same faults. `keyOf` returns the key
 * of each attempt. The orders have no external order ID, which would prevent duplicates. Returns the number of duplicates
 * and of missing orders.
 */
export async function countDuplicates(
  service: ServedSandbox,
  keyOf: (note: string) => string,
): Promise<{ duplicated: number; lost: number }> {
  await service.reset();
  await service.setFaults(mixedFaults(randomUUID(), false));
  const notes = Array.from({ length: orders }, (_, index) => `order ${index}`);
  const queue = notes.values();
  const work = async () => {
    for (const note of queue) while (!(await isCreated(service, note, keyOf(note)))) await delay(5);
  };
  await Promise.all(Array.from({ length: atATime }, work));
  await delay(latestCommitMilliseconds);
  const { orders: recorded } = await readRecord(service.databasePath);
  const found = recorded.get(null)?.map(({ body }) => body.note) ?? [];
  const distinct = new Set(found).size;
  return { duplicated: found.length - distinct, lost: orders - distinct };
}

async function isCreated(service: ServedSandbox, note: string, key: string): Promise<boolean> {
  try {
    return (await createOrder(service, key, { note })).id !== '';
  } catch {
    // The outcome is unknown.
    return false;
  }
}
