/** What a list may be narrowed to; times in epoch milliseconds, both ends inclusive, the phone normalised. */
export interface OrderFilters {
  externalOrderId?: string | undefined;
  orderNumber?: string | undefined;
  status?: string | undefined;
  customerPhone?: string | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
}

type FilterName = keyof OrderFilters;

const conditions: Record<FilterName, string> = {
  externalOrderId: 'client_id IN (SELECT id FROM clients WHERE merchant_id = ?1) AND external_order_id = ?',
  orderNumber: 'order_number = ?',
  status: 'status = ?',
  customerPhone: 'customer_phone = ?',
  createdFrom: 'created_at >= ?',
  createdTo: 'created_at <= ?',
};

/** Which orders, as SQL with its values, the first of which is the merchant. */
export interface Selection {
  where: string;
  values: (string | number)[];
  /** The index that narrows them the most, and has those it finds in the order of their creation. */
  index: string;
}

export function selectionOf(merchantId: number, filters: OrderFilters): Selection {
  const names = Object.keys(conditions) as FilterName[];
  const given = names.filter((name) => filters[name] !== undefined);
  return {
    where: ['merchant_id = ?1', ...given.map((name) => conditions[name])].join(' AND '),
    values: [merchantId, ...given.flatMap((name) => filters[name] ?? [])],
    index: indexFor(filters),
  };
}

/** Whether the orders are a few at most, since the filters name them. */
export function nameThem({ externalOrderId, orderNumber }: OrderFilters): boolean {
  return externalOrderId !== undefined || orderNumber !== undefined;
}

function indexFor({ externalOrderId, orderNumber, customerPhone, status }: OrderFilters): string {
  if (orderNumber !== undefined) return 'sqlite_autoindex_orders_2';
  if (externalOrderId !== undefined) return 'orders_by_external_id';
  if (customerPhone !== undefined) return 'orders_by_phone';
  return status === undefined ? 'orders_by_creation' : 'orders_by_status';
}
