/**
 * Does the same with each item of a queue, so many at a time; an iterator hands each item out once. After an error no
 * other is begun, and the first one is thrown when what was begun has ended.
 */
export async function workThrough<Item>(
  queue: AsyncIterator<Item> | Iterator<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  const worker = async () => {
    while (errors.length === 0) {
      const { value, done } = await queue.next();
      if (done) return;
      await work(value);
    }
  };
  const workers = Array.from({ length: atOnce }, () => worker().catch((error) => errors.push(error)));
  await Promise.all(workers);
  if (errors.length > 0) throw errors[0];
}
