/** After an error it takes no further item, and throws when the calls under way have ended. */
export async function forEachConcurrent<Item>(
  items: AsyncIterator<Item> | Iterator<Item>,
  concurrency: number,
  act: (item: Item) => void | Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  const worker = async () => {
    while (errors.length === 0) {
      const { value, done } = await items.next();
      if (done) return;
      await act(value);
    }
  };
  const workers = Array.from({ length: concurrency }, () => worker().catch((error) => errors.push(error)));
  await Promise.all(workers);
  if (errors.length > 0) throw errors[0];
}
