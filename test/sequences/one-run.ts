import { createInterruption } from '../support/cli.ts';
import { serverError } from './gateway.ts';
import {
  changed,
  changedInList,
  errorResponse,
  forgetsKeys,
  type Sequences,
  type Steps,
  under,
} from './sequence.ts';
import type { Shop } from './shop.ts';

const add = (shop: Shop, externalOrderId: string, cells = {}) => shop.file.add(externalOrderId, cells);

/** An import with these treatments of its creates, attempt by attempt. */
const when =
  (...all: Parameters<Shop['treatCreates']>): Steps =>
  (shop) => {
    shop.treatCreates(...all);
    return shop.import();
  };

export const oneRun: Sequences = {
  'nothing fails': (shop) => shop.import(),
  'a response is lost': when('lose', 'pass'),
  'a request is lost': when('drop', 'pass'),
  '504 before it is created': when({ status: 504, body: '' }, 'pass'),
  '504 after it is created': when({ change: () => ({ status: 504, body: '' }) }, 'pass'),
  'a response breaks off': when(
    { change: (response) => ({ ...response, body: response.body.slice(0, 30) }) },
    'pass',
  ),
  'a response is empty': when({ change: (response) => ({ ...response, body: '' }) }, 'pass'),
  'a response is about another order': when(changed({ externalOrderId: 'B' }), 'pass'),
  'a response differs in a field': when(changed({ total: '2000' })),
  'a response shows it cancelled': when(changed({ status: 'CANCELLED' })),
  'a response differs in the mode': when(changed({ collectionMode: 'COLLECT' })),
  'a response differs in a field, and a response was lost': when('lose', changed({ total: '2000' })),
  'all responses are lost, and the list differs in a field': (shop) => {
    shop.treatLists(changedInList({ total: '2000' }));
    shop.treatCreates('lose');
    return shop.import();
  },
  'all responses are lost, and the list differs in the mode': (shop) => {
    shop.treatLists(changedInList({ collectionMode: 'COLLECT' }));
    shop.treatCreates('lose');
    return shop.import();
  },
  'an error inside a 200': when({ ...errorResponse(200, 'OOPS') }, 'pass'),
  'all responses are lost, the order is there': when('lose'),
  'all requests are lost': when('drop'),
  'all responses and the lookup are lost': (shop) => {
    shop.treatCreates('lose');
    shop.treatLists(serverError);
    return shop.import();
  },
  'an unknown SKU': (shop) => {
    shop.file.edit('A', { 'items[].sku': 'NEW-1' });
    return shop.import();
  },
  'an unknown SKU after a lost request': (shop) => {
    shop.file.edit('A', { 'items[].sku': 'NEW-1' });
    shop.treatCreates('drop', 'pass');
    return shop.import();
  },
  '400 without a known code': when(errorResponse(400, 'ODD')),
  '409, and nothing is there': when(errorResponse(409, 'EXISTS')),
  '409 once, then a normal response': when(errorResponse(409, 'BUSY'), 'pass'),
  'a colleague created the same': async (shop) => {
    await shop.createElsewhere('A');
    return shop.import();
  },
  'a colleague created another': async (shop) => {
    await shop.createElsewhere('A', { total: '2000' });
    return shop.import();
  },
  'a colleague created another, and responses are lost': under(forgetsKeys, async (shop) => {
    await shop.createElsewhere('A', { total: '2000' });
    shop.wait(2);
    shop.treatCreates('lose', 'lose', 'pass');
    return shop.import();
  }),
  'the API key is rejected': when(errorResponse(401)),
  '401 after a lost response': (shop) => {
    shop.treatCreates('lose', errorResponse(401));
    shop.treatLists(errorResponse(401));
    return shop.import();
  },
  '403 for the only order': (shop) => shop.import({ apiKey: shop.sandbox.readOnlyApiKey }),
  '403 for one of two': (shop) => {
    add(shop, 'B');
    shop.treatCreatesOf('A', errorResponse(403));
    return shop.import();
  },
  '403 after a lost response': (shop) => {
    shop.treatCreates('lose', errorResponse(403));
    shop.treatLists(errorResponse(403));
    return shop.import();
  },
  'a page that is not the service': (shop) => {
    add(shop, 'B');
    const page = { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>404</h1>' };
    shop.treatCreates(page);
    shop.treatLists(page);
    return shop.import();
  },
  'a redirect': when({ status: 307, headers: { location: 'https://elsewhere.example/' }, body: '' }),
  '429 once': when({ status: 429, headers: { 'retry-after': '7' }, body: '' }, 'pass'),
  '429 forever': when({ status: 429, body: '' }),
  '429 forever after a lost response': (shop) => {
    shop.treatCreates('lose', { status: 429, body: '' });
    shop.treatLists(serverError);
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
    const run = await shop.startImport('hold_response', { interruption });
    interruption.send('SIGINT');
    interruption.send('SIGINT');
    return run.end();
  },
};
