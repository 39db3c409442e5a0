import { describe, expect, it } from 'vitest';
import type { BehaviourSettings } from '../../../src/sandbox/behaviour/schema.ts';
import { lost, orders, type ReceivedRequest, type Reply, startStubService } from '../../api/stub-service.ts';
import {
  type Answering,
  type AskedQuestion,
  type CliOptions,
  runCli,
  temporaryDirectory,
} from '../../support/cli.ts';
import { startLiveService } from '../../support/live-service.ts';
import { startService } from '../../support/service.ts';

/** Commands for a live service, with a configuration directory that knows nothing of it yet. */
async function startLive(behaviour?: BehaviourSettings) {
  const service = await startLiveService(behaviour);
  return { ...service, ...clientOf(service.env) };
}

function clientOf(env: Record<string, string>) {
  const configDirectory = temporaryDirectory();
  const run = (args: string[], options: CliOptions = {}) =>
    runCli(args, { configDirectory, width: 300, ...options, env: { ...env, NO_COLOR: '1', ...options.env } });
  return {
    run,
    create: (args: string[], answers: Answering[]) => run(['create', ...args], { answers }),
    /** Of all fields about which something is known. */
    fieldPaths: async () => {
      const { stdout } = await run(['profiles', 'fields', '--format', 'json']);
      const all: Record<string, string>[] = JSON.parse(stdout).fields;
      const known = all.filter((one) => one.known !== 'not known yet');
      return Object.fromEntries(known.map(({ field, path, known }) => [field, `${path}: ${known}`]));
    },
  };
}

const given = (id: string, phone = '99112233') => [
  ...['--external-order-id', id, '--phone', phone, '--prepaid'],
];
/** Two pieces, a street and no note. */
const typed = ['TEA-1 x 2', '', '', '', 'Энхтайвны 5', '', '', ''];
const lastQuestion = 'LIVE: create for 99112233, 1 item, prepaid?';
const whatNow = 'What does the platform show?';
const notShownYet =
  'No order has shown yet that this service takes the quantity and the street. This order will show it.\n';

const questions = [
  'Phone number of the customer',
  'Product code (SKU) of item 1',
  'How many?',
  'Product code (SKU) of item 2 (press Enter when there are no more)',
  'Delivery address: city (optional)',
  'Delivery address: district (optional)',
  'Delivery address: street, building, door (optional)',
  'Note for the courier (optional)',
  'Does the courier collect money? (yes or no)',
  'Total of the order (optional)',
  'Delivery date (optional), such as tomorrow, friday or 25 Dec',
  'Your own order ID',
];

describe('the questions of create', () => {
  const noAddress = ['', '', '', ''];
  const end = ['no', '', '', 'UB-1'];

  it.each<[string, string[], Answering[], string[]]>([
    [
      'without an address',
      [],
      ['99112233', 'TEA-001', '1', '', ...noAddress, ...end, true],
      [...questions, 'create for 99112233, 1 item, prepaid, no address?'],
    ],
    [
      'with an address and a note',
      [],
      ['99112233', 'TEA-001', '2', '', 'Дархан', 'Баянгол', 'Энхтайвны 5', 'Залга', ...end, true],
      [...questions, 'create for 99112233, 1 item, prepaid?'],
    ],
    [
      'with a note and no address',
      [],
      ['99112233', 'TEA-001', '1', '', '', '', '', 'Залга', ...end, true],
      [...questions, 'create for 99112233, 1 item, prepaid, no address?'],
    ],
    [
      'of an order that is complete',
      [...given('UB-1'), '--item', 'TEA-001 x 2'],
      [true],
      ['create for 99112233, 1 item, prepaid, no address?'],
    ],
    [
      'of an order that is complete, with an address',
      [...given('UB-1'), '--item', 'sku=TEA-001,quantity:=2', '--set', 'deliveryAddress.street=Энхтайвны 5'],
      [true],
      ['create for 99112233, 1 item, prepaid?'],
    ],
  ])('are those of the rehearsal: %s', async (_, args, answers, expected) => {
    const live = await startLive();
    const sandbox = clientOf((await startService({ anySku: true })).env);
    const real = await live.create(args, answers);
    const rehearsed = await sandbox.create(args, answers);
    const embedded = await sandbox.create(['--sandbox', ...args], answers);
    const labelled = (label: string) => [...expected.slice(0, -1), `${label}: ${expected.at(-1)}`];
    expect([real.asked, real.exitCode]).toEqual([labelled('LIVE'), 0]);
    for (const { asked, exitCode } of [rehearsed, embedded])
      expect([asked, exitCode]).toEqual([labelled('SANDBOX'), 0]);
    expect(await live.orders()).toHaveLength(1);
  });
});

describe('at a terminal, a live service that nothing is known of', () => {
  it('shows by the first order that it takes the fields, and is not asked about', async () => {
    const live = await startLive();
    const first = await live.create(given('UB-1'), [...typed, true]);
    expect({ asked: first.asked.at(-1), exitCode: first.exitCode }).toEqual({
      asked: lastQuestion,
      exitCode: 0,
    });
    expect(first.stderr).toContain(notShownYet);
    expect(first.stderr).toMatch(
      /\nCreated ORD-\d{4}-000001 \(LIVE\)\.\nTo list what to pack, run:\n {2}merchant-orders list --created-from today --all --for packing\n$/,
    );
    expect(await live.fieldPaths()).toEqual({
      quantity: 'items[].quantity: shown by an order',
      'address.street': 'deliveryAddress.street: shown by an order',
    });
    const second = await live.create(given('UB-2', '88112233'), [...typed, true]);
    expect(second.asked).toEqual(first.asked.map((question) => question.replace('99112233', '88112233')));
    expect([second.exitCode, second.stderr.includes('No order has shown')]).toEqual([0, false]);
    expect(await live.orders()).toHaveLength(2);
  });
});

describe('a live service that drops the fields', () => {
  const dropped: BehaviourSettings = { orders: { fieldsBeyond: 'dropped' } };
  const statuses = async (live: Awaited<ReturnType<typeof startLive>>) =>
    (await live.orders()).map(({ status }) => status);

  it('asks what a person sees, and cancels the order', async () => {
    const live = await startLive(dropped);
    let question: AskedQuestion | undefined;
    const { asked, stderr, exitCode } = await live.create(given('UB-1'), [
      ...typed,
      true,
      (one) => {
        question = one;
        return { pick: 'it is not there: cancel' };
      },
    ]);
    expect({ asked: asked.slice(-2), exitCode }).toEqual({ asked: [lastQuestion, whatNow], exitCode: 6 });
    const [order] = await live.orders();
    const name = order?.orderNumber;
    expect(question?.choices.map((choice) => choice.name)).toEqual([
      `it is not there: cancel ${name} and stop`,
      'it is there: go on',
      `it is not there, and belongs to another path: cancel ${name}, and name the path`,
      `I cannot say: stop, and leave ${name} as it is`,
    ]);
    expect(stderr.slice(stderr.indexOf('Created'))).toBe(
      [
        `Created ${name} (LIVE).`,
        '',
        `${name} was created, but the service does not show the quantity and the street that it was sent with. Open it on the platform, and see whether it is there.`,
        'The same order as a command:',
        "  merchant-orders create --phone 99112233 --item sku=TEA-1,quantity:=2 --prepaid --set 'deliveryAddress.street=Энхтайвны 5'",
        `error: ${name} was created without the quantity and the street, and cancelled. Nothing more was sent.`,
        'Ask your platform where it expects them, then store it: merchant-orders profiles fields --help',
        'Create it again under a new ID, or in an import with --recreate-cancelled, if the service accepts the ID of a cancelled order.',
        '',
      ].join('\n'),
    );
    expect(await statuses(live)).toEqual(['CANCELLED']);
    expect(await live.fieldPaths()).toEqual({
      quantity: 'items[].quantity: not shown by an order',
      'address.street': 'deliveryAddress.street: not shown by an order',
    });
  });

  it('does not get another order off a terminal to learn it again', async () => {
    const live = await startLive(dropped);
    await live.create(given('UB-1'), [...typed, true, { pick: 'it is not there: cancel' }]);
    const args = ['create', ...given('UB-2'), '--item', 'TEA-1 x 2', '--yes', '--json'];
    const { stdout, stderr, exitCode } = await live.run(args);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'fields_not_shown',
      message: 'An earlier order showed that the service drops the quantity. Nothing was sent.',
      outcome: 'not_sent',
    });
    expect(await live.orders()).toHaveLength(1);
  });

  it('goes on when a person sees them on the platform, which is remembered', async () => {
    const live = await startLive(dropped);
    const { asked, stderr, exitCode } = await live.create(given('UB-1'), [
      ...typed,
      true,
      { pick: 'it is there' },
    ]);
    expect([asked.at(-1), exitCode, await statuses(live)]).toEqual([whatNow, 0, ['CONFIRMED']]);
    expect(stderr).not.toContain('error:');
    expect(await live.fieldPaths()).toEqual({
      quantity: 'items[].quantity: set for the API key',
      'address.street': 'deliveryAddress.street: set for the API key',
    });
    const second = await live.create(given('UB-2'), [...typed, true]);
    expect([second.exitCode, second.stderr.includes('No order has shown')]).toEqual([0, false]);
    const scheduled = await live.run(['create', ...given('UB-3'), '--item', 'TEA-1 x 2', '--yes']);
    expect([scheduled.exitCode, (await live.orders()).length]).toEqual([0, 3]);
  });

  it.each<[string, Answering[]]>([
    ['nobody can say', [{ pick: 'I cannot say' }]],
    ['the question is left', [{ leave: true }]],
    ['the question of the path is left', [{ pick: 'it is not there, and belongs' }, { leave: true }]],
  ])('keeps the order when %s, and the command that cancels it is printed', async (_, answers) => {
    const live = await startLive(dropped);
    const { stderr, exitCode } = await live.create(given('UB-1'), [...typed, true, ...answers]);
    const [order] = await live.orders();
    expect([order?.status, exitCode]).toEqual(['CONFIRMED', 6]);
    expect(stderr.slice(stderr.indexOf('error:'))).toBe(
      `error: ${order?.orderNumber} was created, but the service does not show the quantity and the street that it was sent with. Nothing more was sent.\n` +
        `If it is not on the platform either, cancel the order:\n  merchant-orders cancel ${order?.orderNumber}\n`,
    );
    expect(stderr).not.toMatch(/nothing was (?:sent|created)/i);
    expect((await live.fieldPaths()).quantity).toBe('items[].quantity: not shown by an order');
  });
});

describe('an order that stays', () => {
  it('is not printed as a command, which would create it once more under another ID', async () => {
    const live = await startLive({ orders: { fieldsBeyond: 'dropped' } });
    const answers = [...typed, true, { pick: 'I cannot say' }];
    const { stderr } = await live.create(given('UB-1'), answers);
    expect((await live.orders()).map(({ status }) => status)).toEqual(['CONFIRMED']);
    expect(stderr).not.toContain('merchant-orders create');
  });

  it('is checked too when its response was lost, and it was looked up', async () => {
    const found = { id: 'S-1', externalOrderId: 'UB-1', customer: { phone: '99112233' } };
    const order = { ...found, items: [{ sku: 'TEA-1' }], collectionMode: 'NONE', status: 'CONFIRMED' };
    let isSent = false;
    let isUp = false;
    const { baseUrl } = await startStubService(({ method, path }: ReceivedRequest): Reply => {
      if (method === 'POST') {
        isSent = true;
        return lost;
      }
      if (isSent && !isUp) return { status: 500, json: {} };
      return { json: path === `${orders}/S-1` ? order : { data: isSent ? [order] : [] } };
    });
    const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: 'key-of-a-shop' };
    const lookUp = () => {
      isUp = true;
      return { pick: 'look it up' };
    };
    const answers = [...typed, true, lookUp, { pick: 'I cannot say' }];
    const { asked, exitCode } = await clientOf(env).create([...given('UB-1'), '--timeout', '5'], answers);
    expect([asked.slice(-2), exitCode]).toEqual([['What now?', whatNow], 6]);
  });
});

describe('a live service that keeps the fields under another path', () => {
  it('gets the next order with the path that a person names, which that order shows', async () => {
    const live = await startLive({ orders: { fieldsBeyond: 'moved' } });
    const city = ['TEA-1 x 2', '', 'УБ', '', 'Энхтайвны 5', '', '', ''];
    const first = await live.create(given('UB-1'), [
      ...city,
      true,
      { pick: 'it is not there, and belongs' },
      'items[].platform.quantity',
      'platform.deliveryAddress.city',
    ]);
    const [order] = await live.orders();
    expect({ asked: first.asked.slice(-4), exitCode: first.exitCode, status: order?.status }).toEqual({
      asked: [
        lastQuestion,
        whatNow,
        'Path of the quantity (Enter leaves it as items[].quantity)',
        'Path of the city (Enter leaves it as deliveryAddress.city)',
      ],
      exitCode: 6,
      status: 'CANCELLED',
    });
    expect(first.stderr).toContain('Orders of the platform carry:\n  items[].platform.quantity   2\n');
    expect(first.stderr).toContain('Orders of the platform carry:\n  platform.deliveryAddress.city   ');
    const chosen = {
      quantity: 'items[].platform.quantity: chosen, and not shown yet',
      'address.city': 'platform.deliveryAddress.city: chosen, and not shown yet',
      // It came back, if elsewhere.
      'address.street': 'deliveryAddress.street: shown by an order',
    };
    expect(await live.fieldPaths()).toEqual(chosen);
    const printed = first.stderr.slice(first.stderr.indexOf('The same order as a command:'));
    expect(printed).toContain(
      '\n  merchant-orders create --phone 99112233 --item sku=TEA-1,quantity:=2 --prepaid ',
    );
    expect(printed).not.toContain('--external-order-id');
    expect(printed).toContain(
      `error: ${order?.orderNumber} was created without the quantity and the city, and cancelled. Nothing more was sent.\n`,
    );

    const scheduled = await live.run(['create', ...given('UB-2'), '--item', 'TEA-1 x 2', '--yes']);
    expect([scheduled.exitCode, (await live.orders()).length]).toEqual([2, 1]);
    const second = await live.create(given('UB-2', '88112233'), [...city, true]);
    expect([second.exitCode, second.asked.includes(whatNow)]).toEqual([0, false]);
    expect((await live.orders())[1]).toMatchObject({
      items: [{ sku: 'TEA-1', platform: { quantity: 2 } }],
      platform: { deliveryAddress: { city: 'УБ' } },
    });
    expect(await live.fieldPaths()).toMatchObject({
      quantity: 'items[].platform.quantity: shown by an order',
      'address.city': 'platform.deliveryAddress.city: shown by an order',
    });
  });
});

describe('off a terminal, a live service that nothing is known of', () => {
  const counted = ['--item', 'TEA-1 x 2', '--yes'];
  const unconfirmed =
    "error: The service's documentation does not say where it expects the quantity, and no order has shown it yet. Nothing was sent.\n" +
    'Ask your platform. Then store the paths:\n  merchant-orders profiles fields quantity=PATH\n' +
    'or, if it takes them at the default paths:\n  merchant-orders profiles fields --default\n';

  it.each<[string, string[], CliOptions]>([
    ['off a terminal', [], {}],
    ['with --yes at a terminal', [], { answers: [] }],
    ['with --no-input', ['--no-input'], { answers: [] }],
    ['with another item whose path is spelled out', ['--item', 'sku=TEA-2,name=Цай'], {}],
  ])('gets no count of pieces without a path: %s', async (_, flags, options) => {
    const live = await startLive();
    const args = ['create', ...given('UB-1'), ...counted, ...flags];
    const { stdout, stderr, asked, exitCode } = await live.run(args, options);
    expect({ stdout, stderr, asked, exitCode }).toEqual({
      stdout: '',
      stderr: unconfirmed,
      asked: [],
      exitCode: 2,
    });
    const json = await live.run([...args, '--json'], options);
    expect(JSON.parse(json.stderr).error).toMatchObject({
      code: 'fields_unconfirmed',
      outcome: 'not_sent',
      exitCode: 2,
    });
    expect(await live.orders()).toEqual([]);
  });

  const inFile = {
    items: [{ sku: 'TEA-1', quantity: 2 }],
    deliveryAddress: { street: 'Энхтайвны 5' },
  };
  it.each<[string, string[], object]>([
    ['--item with a path', ['--item', 'sku=TEA-1,quantity:=2'], { items: [{ sku: 'TEA-1', quantity: 2 }] }],
    [
      '--set',
      ['--item', 'TEA-1', '--set', 'deliveryAddress.street=Энхтайвны 5'],
      { items: [{ sku: 'TEA-1' }], deliveryAddress: { street: 'Энхтайвны 5' } },
    ],
    ['--file', ['--file', '-'], inFile],
    ['one piece', ['--item', 'TEA-1 x 1'], { items: [{ sku: 'TEA-1', quantity: 1 }] }],
  ])('gets what this run spells out, and one piece: %s', async (_, flags, sent) => {
    const live = await startLive();
    const args = ['create', ...given('UB-1'), ...flags, '--yes'];
    const { stderr, exitCode } = await live.run(args, { stdin: JSON.stringify(inFile) });
    expect(exitCode, stderr).toBe(0);
    expect(await live.orders()).toMatchObject([sent]);
  });

  it('gets a count of pieces after the command that the error names', async () => {
    const live = await startLive();
    expect((await live.run(['profiles', 'fields', '--default'])).exitCode).toBe(0);
    expect((await live.run(['create', ...given('UB-1'), ...counted])).exitCode).toBe(0);
    expect((await live.run(['profiles', 'fields', 'quantity=items[].qty'])).exitCode).toBe(0);
    expect((await live.run(['create', ...given('UB-2'), ...counted])).exitCode).toBe(0);
    expect((await live.orders()).map(({ items }) => items)).toEqual([
      [{ sku: 'TEA-1', quantity: 2 }],
      [{ sku: 'TEA-1', qty: 2 }],
    ]);
  });

  it('gets a count of pieces after an order has shown its place, by this key only', async () => {
    const live = await startLive();
    expect((await live.create(given('UB-1'), [...typed, true])).exitCode).toBe(0);
    expect((await live.run(['create', ...given('UB-2'), ...counted])).exitCode).toBe(0);
    const env = { MERCHANT_ORDERS_API_KEY: 'mk_live_another' };
    const { stderr } = await live.run(['create', ...given('UB-3'), ...counted], { env });
    expect(stderr).toBe(unconfirmed);
    expect(await live.orders()).toHaveLength(2);
  });
});

describe('a response of the create that has only IDs', () => {
  const ids = { id: 'S-1', orderNumber: 'ORD-7', externalOrderId: 'UB-1' };

  async function startWithIdsOnly(read: Reply, cancel: Reply = { status: 500 }) {
    const { baseUrl, requests } = await startStubService(({ method, path }: ReceivedRequest): Reply => {
      if (method === 'POST' && path === orders) return { status: 201, json: ids };
      if (method === 'POST') return cancel;
      return path === `${orders}/S-1` ? read : { json: { data: [] } };
    });
    const client = clientOf({ MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: 'key-of-a-shop' });
    return {
      ...client,
      reads: () => requests('GET', `${orders}/S-1`).length,
      cancellations: () => requests('POST', `${orders}/S-1/cancel`).length,
    };
  }

  it('is followed by one read of the order, in which values may be normalised', async () => {
    const { create, fieldPaths, reads } = await startWithIdsOnly({
      json: {
        id: 'S-1',
        externalOrderId: 'UB-1',
        items: [{ sku: 'TEA-1', quantity: '2.00' }],
        deliveryAddress: { street: ' ЭНХТАЙВНЫ  5' },
      },
    });
    const { asked, exitCode } = await create(given('UB-1'), [...typed, true]);
    expect([asked.at(-1), exitCode, reads()]).toEqual([lastQuestion, 0, 1]);
    expect(await fieldPaths()).toEqual({
      quantity: 'items[].quantity: shown by an order',
      'address.street': 'deliveryAddress.street: shown by an order',
    });
  });

  it.each<[string, Reply]>([
    ['a key that may not cancel', { status: 403, json: { message: 'forbidden' } }],
    ['an order that is on its way', { status: 409, json: { message: 'too late' } }],
    ['an order that is gone', { status: 404, json: { message: 'no such order' } }],
    ['no response', lost],
  ])('says that the order stays, and how to cancel it: %s', async (_, cancel) => {
    const { create, cancellations } = await startWithIdsOnly({ json: ids }, cancel);
    const answers = [...typed, true, { pick: 'it is not there: cancel' }];
    const { stderr, exitCode } = await create(given('UB-1'), answers);
    const [, error = ''] = stderr.split('error: ');
    const [sentences, ...hint] = error.split('\n');
    expect(sentences).toMatch(
      /^ORD-7 was created, but the service does not show the quantity and the street that it was sent with\. Nothing more was sent\. \S/,
    );
    expect(hint.join('\n')).toBe(
      'If it is not on the platform either, cancel the order:\n  merchant-orders cancel ORD-7\n',
    );
    expect([exitCode, cancellations()]).toEqual([6, 1]);
    expect(stderr).not.toMatch(/nothing was (?:sent|created)|and cancelled/i);
  });
});
