import { html } from 'hono/html';
import { type Json, member, parseJson } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import { cancelledState } from '../behaviour/schema.ts';
import type { Service } from '../rules/service.ts';
import type { StoredOrder } from '../store/orders.ts';
import {
  cell,
  counted,
  fieldList,
  type Html,
  jsonText,
  maxFixed,
  moment,
  pageSize,
  pages,
  table,
  visible,
} from './parts.ts';
import { requestTable } from './requests.ts';

interface ShownOrder extends StoredOrder {
  sent: Json;
}

export function ordersPart({ store }: Service, page: number): Html {
  const { orders, total } = store.listOrders(
    undefined,
    {},
    { offset: (page - 1) * pageSize, limit: pageSize, sequence: 'latest_first' },
  );
  const rows = orders.map((order): ShownOrder => ({ ...order, sent: parseJson(order.body) }));
  const isEnd = (status: string) => status === cancelledState;
  const list = table(
    rows,
    [
      ['Order', ({ id, orderNumber }) => html`<a href="#/orders/${id}">${orderNumber}</a>`, 'fixed'],
      ['External ID', ({ externalOrderId }) => cell(externalOrderId)],
      [
        'Status',
        ({ status }) => html`<span class="${isEnd(status) ? 'bad' : ''}">${cell(status, maxFixed)}</span>`,
        'fixed',
      ],
      ['Delivery', ({ deliveryStatus }) => cell(deliveryStatus ?? 'none', maxFixed), 'fixed'],
      ['Phone', ({ sent }) => cell(textField(member(sent, 'customer'), 'phone'))],
      ['To collect', ({ sent }) => cell(amountToCollect(sent), maxFixed), 'number'],
      ['Deliver on', ({ sent }) => cell(textField(sent, 'requestedDeliveryDate'), maxFixed), 'fixed'],
      ['Created', ({ createdAt }) => moment(createdAt), 'fixed'],
    ],
    html`There are no orders yet. <a href="#/try">Create one</a>, and it appears here.`,
  );
  return html`<h1>${counted('Orders', total)}</h1>${list}${pages('/orders', page, total)}`;
}

function amountToCollect(sent: Json): string | undefined {
  return textField(sent, 'collectionMode') === 'COLLECT' ? textField(sent, 'collectionAmount') : undefined;
}

/** With the requests for it that are still in the journal. */
export function orderPart({ store, requestLog }: Service, id: string): Html | undefined {
  const order = store.orders.withReference(id).find((found) => found.id === id);
  if (!order) return undefined;
  const { orderNumber, externalOrderId, status, deliveryId, deliveryStatus, cancelledAt } = order;
  const customer = store.customers.find(order.customerId);
  const { requests } = requestLog.journal.list({ order: { id, externalOrderId } }, 0, pageSize);
  return html`<h1>${orderNumber}</h1>
${fieldList([
  ['External ID', visible(externalOrderId ?? '')],
  ['Status', visible(status)],
  [
    'Delivery',
    deliveryId === null ? 'none' : html`${visible(deliveryStatus ?? '')} <code>${deliveryId}</code>`,
  ],
  [
    'Customer',
    html`${visible(customer.phone ?? 'without a phone')}${customer.externalCustomerIds.map((known) => html` · ${visible(known)}`)}`,
  ],
  ['Created', moment(order.createdAt)],
  ['Cancelled', cancelledAt === null ? null : moment(cancelledAt)],
  ['Reason', visible(order.cancelReason ?? '')],
  ['ID', html`<code>${id}</code>`],
])}
<h2>As it was sent</h2>
${jsonText(order.body)}
<h2>Requests</h2>
${requestTable(requests, 'The latest 1,000 requests have none for this order.')}`;
}

export function customersPart({ store }: Service, page: number): Html {
  const { customers, total } = store.customers.list(undefined, (page - 1) * pageSize, pageSize);
  const list = table(
    customers,
    [
      ['Phone', ({ phone }) => cell(phone ?? 'none')],
      ['External customer IDs', ({ externalCustomerIds }) => cell(externalCustomerIds.join(', '))],
      ['Customer', ({ id }) => String(id), 'number'],
      ['Merchant', ({ merchantId }) => String(merchantId), 'number'],
    ],
    'There are no customers.',
  );
  return html`<h1>${counted('Customers', total)}</h1>${list}${pages('/customers', page, total)}`;
}
