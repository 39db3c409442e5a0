export type Fields = Record<string, unknown>;

function without({ externalOrderId: _, ...order }: Fields): Fields {
  return order;
}

const withNumbers = (order: Fields): Fields =>
  Object.fromEntries(
    Object.entries(order).map(([name, value]) => [
      name,
      /^(?:total|collectionAmount)$/.test(name) ? Number(value) : value,
    ]),
  );

const absent = ['externalOrderId', 'collectionAmount', 'total', 'requestedDeliveryDate', 'cancelReason'];

const cancelledAs = (word: string) => (order: Fields) =>
  order.status === 'CANCELLED' ? { ...order, status: word } : order;

/** Orders as other services show them. */
export const orderFields: Record<string, (order: Fields) => Fields> = {
  'no externalOrderId': without,
  'amounts as numbers': withNumbers,
  nulls: (order) => ({ ...Object.fromEntries(absent.map((name) => [name, null])), ...order }),
  canceled: cancelledAs('canceled'),
  voided: cancelledAs('VOID'),
  'lower case': (order) => ({ ...order, status: String(order.status).toLowerCase() }),
};

/** Where one order is in a response. */
export const orderEnvelopes: Record<string, (order: Fields) => unknown> = {
  result: (order) => ({ result: order }),
  'data.order': (order) => ({ data: { order } }),
  nothing: () => undefined,
};
