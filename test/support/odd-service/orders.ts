export type Fields = Record<string, unknown>;

const cancelledAs = (word: string) => (order: Fields) =>
  order.status === 'CANCELLED' ? { ...order, status: word } : order;

/** Orders as other services show them. */
export const orderFields: Record<string, (order: Fields) => Fields> = {
  'no externalOrderId': ({ externalOrderId: _, ...order }) => order,
  'amounts as numbers': (order) => ({ ...order, ...numbersOf(order, ['total', 'collectionAmount']) }),
  canceled: cancelledAs('canceled'),
  voided: cancelledAs('VOID'),
};

function numbersOf(order: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter((name) => name in order).map((name) => [name, Number(order[name])]));
}
