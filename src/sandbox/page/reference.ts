import { html } from 'hono/html';
import { listSettings, nameOf } from '../behaviour/parse.ts';
import type { Behaviour } from '../behaviour/schema.ts';
import { demoPhones } from '../faults/fault-control.ts';
import type { Service } from '../rules/service.ts';
import { allScopes, seededClientId, seededMerchantId, sharedPhone } from '../store/seed.ts';
import { cell, codeCell, copyable, counted, type Html, pageSize, pages, table, visible } from './parts.ts';

export function cataloguePart({ store, anySku }: Service, page: number): Html {
  const products = store.products.all(seededMerchantId);
  const list = table(
    products.slice((page - 1) * pageSize, page * pageSize),
    [
      ['SKU', ({ sku }) => codeCell(sku)],
      ['Name', ({ name }) => cell(name)],
      [
        'State',
        ({ active }) =>
          active ? html`<span class="good">active</span>` : html`<span class="bad">inactive</span>`,
      ],
    ],
    'The catalogue is empty: every SKU is unknown.',
  );
  const note = anySku ? html`<p class="calm">Started with --any-sku: other SKUs are accepted too.</p>` : '';
  return html`<h1>${counted('Catalogue', products.length)}</h1>${note}${list}${pages('/catalogue', page, products.length)}`;
}

/** Settings that differ from the default come first. */
export function behaviourPart({ behaviour }: Service, faults: unknown): Html {
  const settings = listSettings()
    .filter(({ path }) => path.includes('.') && !path.startsWith('faults.'))
    .map((setting) => {
      const value = text(valueAt(behaviour, setting.path));
      return { ...setting, value, isChanged: value !== text(setting.default) };
    })
    .sort((left, right) => Number(right.isChanged) - Number(left.isChanged));
  const list = table(
    settings,
    [
      ['Setting', ({ path }) => codeCell(path), 'fixed'],
      [
        'Value',
        ({ value, isChanged }) => html`<span class="mono ${isChanged ? 'mark' : ''}">${cell(value)}</span>`,
      ],
      ['Default', ({ isChanged, default: preset }) => (isChanged ? codeCell(text(preset)) : null)],
      ['Meaning', ({ description }) => description],
    ],
    '',
  );
  return html`<h1>Behaviour: ${visible(nameOf(behaviour))}</h1>
<p class="calm">${visible(behaviour.description ?? 'What the interface leaves open is a setting.')}</p>
${list}
<h2>Faults in force</h2>
${copyable(JSON.stringify(faults, null, 2))}`;
}

function valueAt(behaviour: Behaviour, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], behaviour);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function tryPart({ store }: Service, baseUrl: string): Html {
  const key = store.accounts.keyOf(seededClientId, allScopes) ?? 'sandbox_...';
  const sku = store.products.example(seededMerchantId);
  const orders = `${baseUrl}/api/v1/merchant/orders`;
  const order = (id: string, phone: string) =>
    JSON.stringify({
      externalOrderId: id,
      customer: { phone },
      items: [{ sku }],
      collectionMode: 'COLLECT',
      collectionAmount: '25000',
    });
  const create = (id: string, phone: string) =>
    `curl -X POST ${orders} \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Idempotency-Key: ${id.toLowerCase()}' \\
  -H 'Content-Type: application/json' \\
  -d '${order(id, phone)}'`;
  const phones = [
    { phone: sharedPhone, description: 'belongs to two customers: the order is rejected as ambiguous' },
    ...demoPhones,
  ];
  return html`<h1>Try it</h1>
<p class="calm">Each request appears under <a href="#/requests">Requests</a>, and in the terminal where the sandbox was started.
The interface as OpenAPI 3.1: <a href="/openapi.json">openapi.json</a>.</p>
<h2>Create an order</h2>${copyable(create('TRY-1', '99112233'))}
<h2>List orders</h2>${copyable(`curl '${orders}?status=CONFIRMED&pageSize=5' \\\n  -H 'Authorization: Bearer ${key}'`)}
<h2>Read one</h2>${copyable(`curl ${orders}/ID \\\n  -H 'Authorization: Bearer ${key}'`)}
<h2>Cancel one</h2>${copyable(`curl -X POST ${orders}/ID/cancel \\\n  -H 'Authorization: Bearer ${key}' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"reason":"The customer changed their mind"}'`)}
<h2>When something goes wrong</h2>
<p class="calm">Orders for these phones show what happens when something goes wrong:</p>
${table(
  phones,
  [
    ['Phone', ({ phone }) => codeCell(phone), 'fixed'],
    ['What happens', ({ description }) => description],
  ],
  '',
)}
${copyable(create('TRY-2', '99000429'))}`;
}
