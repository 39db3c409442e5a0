import { createInterruption } from '../support/cli.ts';
import { broken, changed, forgetsKeys, refusal, type Sequences, type Steps, under } from './sequence.ts';
import type { Shop } from './shop.ts';

const add = (shop: Shop, ownId: string, cells = {}) => shop.file.add(ownId, cells);

/** An import whose creates meet these faults, attempt by attempt. */
const when =
  (...all: Parameters<Shop['creates']>): Steps =>
  (shop) => {
    shop.creates(...all);
    return shop.import();
  };

export const oneRun: Sequences = {
  'all is well': (shop) => shop.import(),
  'a response is lost': when('lose', 'pass'),
  'a request is lost': when('drop', 'pass'),
  '504 before it is created': when({ status: 504, body: '' }, 'pass'),
  '504 after it is created': when({ change: () => ({ status: 504, body: '' }) }, 'pass'),
  'a response breaks off': when({ change: (told) => ({ ...told, body: told.body.slice(0, 30) }) }, 'pass'),
  'a response is empty': when({ change: (told) => ({ ...told, body: '' }) }, 'pass'),
  'a response is about another order': when(changed({ externalOrderId: 'B' }), 'pass'),
  'a response differs in a field': when(changed({ total: '2000' })),
  'an error inside a 200': when({ ...refusal(200, 'OOPS') }, 'pass'),
  'all responses are lost, the order is there': when('lose'),
  'all requests are lost': when('drop'),
  'all responses and the lookup are lost': (shop) => {
    shop.creates('lose');
    shop.lists(broken);
    return shop.import();
  },
  'an unknown SKU': (shop) => {
    shop.file.edit('A', { 'items[].sku': 'NEW-1' });
    return shop.import();
  },
  'an unknown SKU after a lost request': (shop) => {
    shop.file.edit('A', { 'items[].sku': 'NEW-1' });
    shop.creates('drop', 'pass');
    return shop.import();
  },
  '400 without a known code': when(refusal(400, 'ODD')),
  '409, and nothing is there': when(refusal(409, 'EXISTS')),
  '409 once, then all is well': when(refusal(409, 'BUSY'), 'pass'),
  'a colleague created the same': async (shop) => {
    await shop.colleague('A');
    return shop.import();
  },
  'a colleague created another': async (shop) => {
    await shop.colleague('A', { total: '2000' });
    return shop.import();
  },
  'a colleague created another, and responses are lost': under(forgetsKeys, async (shop) => {
    await shop.colleague('A', { total: '2000' });
    shop.creates('lose', 'lose', 'pass');
    return shop.import();
  }),
  'the API key is rejected': when(refusal(401)),
  '401 after a lost response': (shop) => {
    shop.creates('lose', refusal(401));
    shop.lists(refusal(401));
    return shop.import();
  },
  '403 for the only order': (shop) => shop.import({ apiKey: shop.sandbox.readOnlyApiKey }),
  '403 for one of two': (shop) => {
    add(shop, 'B');
    shop.createsOf('A', refusal(403));
    return shop.import();
  },
  '403 after a lost response': (shop) => {
    shop.creates('lose', refusal(403));
    shop.lists(refusal(403));
    return shop.import();
  },
  'a page that is not the service': (shop) => {
    add(shop, 'B');
    shop.creates({ status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>404</h1>' });
    return shop.import();
  },
  'a redirect': when({ status: 307, headers: { location: 'https://elsewhere.example/' }, body: '' }),
  '429 once': when({ status: 429, headers: { 'retry-after': '7' }, body: '' }, 'pass'),
  '429 forever': when({ status: 429, body: '' }),
  '429 forever after a lost response': (shop) => {
    shop.creates('lose', { status: 429, body: '' });
    shop.lists(broken);
    return shop.import();
  },
  'the service is away': (shop) => {
    add(shop, 'B');
    shop.gateway.goAway();
    return shop.import();
  },
  'one of two is rejected': (shop) => {
    add(shop, 'B', { 'items[].sku': 'OLD-1' });
    return shop.import();
  },
  'Ctrl-C with an order in flight': (shop) => {
    add(shop, 'B');
    const interruption = createInterruption();
    shop.gateway.onCreate(() => interruption.send('SIGINT'));
    return shop.import({ interruption });
  },
  'Ctrl-C twice with an order in flight': async (shop) => {
    add(shop, 'B');
    const interruption = createInterruption();
    const run = await shop.begin('hold_answer', { interruption });
    interruption.send('SIGINT');
    interruption.send('SIGINT');
    return run.end();
  },
};
