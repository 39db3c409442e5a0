const collection = '/api/v1/merchant/orders';

/** Interface section 4. */
export const operations = {
  list: { method: 'GET', path: collection },
  create: { method: 'POST', path: collection },
  get: { method: 'GET', path: `${collection}/:orderId` },
  cancel: { method: 'POST', path: `${collection}/:orderId/cancel` },
} as const;

export type Operation = keyof typeof operations;

export const operationNames = Object.keys(operations) as Operation[];
