/**
 * Does the same with each item, so many at a time. After an error no other is begun; the first one is thrown when
 * what was begun has ended.
 */
export async function doEach<Item>(
  items: readonly Item[],
  atOnce: number,
  act: (item: Item, place: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  const errors: unknown[] = [];
  const work = async () => {
    for (const [place, item] of queue) {
      if (errors.length > 0) return;
      await act(item, place).catch((error) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  if (errors.length > 0) throw errors[0];
}
