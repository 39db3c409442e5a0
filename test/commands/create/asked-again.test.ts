import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lost, type Reply, startStubService } from '../../api/stub-service.ts';
import { admin } from '../../sandbox/admin/admin-client.ts';
import { type Answering, runCli, temporaryDirectory } from '../../support/cli.ts';
import { failList, loseResponses, startShop } from '../imports/setup.ts';

const content = ['--external-order-id', 'UB-1', '--prepaid'];
const phone = ['--phone', '99112233'];
const lastQuestion = (items: number) =>
  `SANDBOX: create for 99112233, ${items === 1 ? '1 item' : `${items} items`}, prepaid, no address?`;

/** A shop, and `create` at a terminal with an ID and a payment. */
async function startDialogue() {
  const shop = await startShop(1);
  const { patch, get } = admin(shop.sandbox);
  return {
    ...shop,
    create: (flags: string[], answers: Answering[]) =>
      shop.run(['create', ...content, ...flags], { answers, width: 300 }),
    add: (sku: string) => patch('/catalogue', [{ sku, name: sku, active: true }]),
    /** The creates that the service received, the oldest first. */
    received: async () => {
      const { requests } = (await get('/requests?route=create')).json;
      return requests
        .reverse()
        .map(({ requestBody, idempotencyKey }: Record<string, string>) => ({ requestBody, idempotencyKey }));
    },
  };
}

describe('what the service rejects is asked again', () => {
  it('only the item that it names, until the service takes it: one order', async () => {
    const { create, add, committed, received, get } = await startDialogue();
    const items = ['--item', 'TEA-1', '--item', 'sku=COF-A,quantity:=3'];
    const addFirst = async () => {
      await add('COF-A');
      return 'COF-A';
    };
    const { asked, stderr, stdout, exitCode } = await create(
      [...phone, ...items, '--json', '-v'],
      [true, 'COF-B', true, addFirst, true],
    );
    const again = 'Product code (SKU) of item 2 (- leaves this item out)';
    const last = lastQuestion(2);
    expect(asked).toEqual([last, again, last, again, last]);
    expect(stderr).toContain(
      'The service rejected the order: item 2: no product has the SKU "COF-A".\nCheck the SKU. If it is right, ask',
    );
    expect(stderr).toContain(
      'create --external-order-id UB-1 --phone 99112233 --item TEA-1 --item sku=COF-A,quantity:=3 --prepaid\n',
    );
    expect(JSON.parse(stdout).items).toEqual([{ sku: 'TEA-1' }, { sku: 'COF-A', quantity: 3 }]);
    const keys = (await received()).map(({ idempotencyKey }: { idempotencyKey: string }) => idempotencyKey);
    expect([exitCode, await committed(), new Set(keys).size]).toEqual([0, 1, 3]);
    expect((await get('/ledger?without=attempts')).json.orders).toMatchObject([
      { externalOrderId: 'UB-1', commits: 1 },
    ]);
  });

  it('two items, of which Enter keeps one and only - leaves one out', async () => {
    const { create, add, received } = await startDialogue();
    const items = ['--item', 'COF-1', '--item', 'sku=TEA-1,quantity:=2', '--item', 'COF-3'];
    const presets: unknown[] = [];
    const answer =
      (text: string): Answering =>
      async ({ preset }) => {
        presets.push(preset);
        await add('COF-3');
        return text;
      };
    const answers = [true, answer('-'), answer(''), true];
    const { asked, exitCode } = await create([...phone, ...items], answers);
    expect(asked.slice(1, 3)).toEqual([
      'Product code (SKU) of item 1 (- leaves this item out)',
      'Product code (SKU) of item 2 (- leaves this item out)',
    ]);
    expect([presets, exitCode]).toEqual([['COF-1', 'COF-3'], 0]);
    const { requestBody } = (await received()).at(-1);
    expect(JSON.parse(requestBody).items).toEqual([{ sku: 'TEA-1', quantity: 2 }, { sku: 'COF-3' }]);
  });

  it('the customer, when two have the phone number', async () => {
    const { create, post, committed } = await startDialogue();
    await post('/customers', { phone: '99112233', externalCustomerId: 'C-1' });
    await post('/customers', { phone: '99112233' });
    const flags = [...phone, '--item', 'TEA-1'];
    const idQuestion =
      'Your own ID of this customer, as used before (Enter to change the phone number instead)';
    const changed = await create(flags, [true, '', '88112233', false, 'none']);
    expect(changed.asked.slice(1, 3)).toEqual([idQuestion, 'Phone number of the customer']);
    expect([changed.exitCode, await committed()]).toEqual([2, 0]);
    const { asked, exitCode, stderr } = await create([...flags, '-v'], [true, 'C-1', true]);
    expect(asked.slice(1)).toEqual([idQuestion, lastQuestion(1)]);
    expect(stderr).toContain('--external-customer-id C-1 ');
    expect([exitCode, await committed()]).toEqual([0, 1]);
  });

  it.each<[what: string, reply: Reply, words: string, question: string]>([
    [
      'a field by the place where the profile sends it',
      { status: 422, json: { errors: [{ field: 'shipTo.khoroo', message: 'is required' }] } },
      'The service rejected the order: district: is required.',
      'Delivery address: district (optional)',
    ],
    [
      'a field by a JSON pointer',
      { status: 400, json: { detail: 'Invalid', errors: [{ pointer: '/items/0/sku', detail: 'is odd' }] } },
      'item 1',
      'Product code (SKU) of item 1',
    ],
    [
      'an item by its SKU alone',
      { status: 422, json: { code: 'PRODUCT_SKU_NOT_FOUND', message: 'Unknown product "TEA-1".' } },
      'The service rejected the order: Unknown product "TEA-1".',
      'Product code (SKU) of item 1',
    ],
    [
      'the date, which is named in the message alone',
      { status: 422, json: { message: 'requestedDeliveryDate is in the past', code: 'X' } },
      'The service rejected the order: delivery date is in the past.',
      'Delivery date (optional), such as tomorrow, friday or 25 Dec',
    ],
    [
      'nothing',
      { status: 422, json: { code: 'MERCHANT_API_INVALID_ORDER', message: 'The order is invalid' } },
      'The service rejected the order: The order is invalid.',
      'What do you want to change?',
    ],
  ])('%s', async (_, reply, words, question) => {
    const { baseUrl } = await startStubService(({ method }) => (method === 'GET' ? { json: [] } : reply));
    const configDirectory = temporaryDirectory();
    await runCli(['login', '--base-url', baseUrl, '--with-key'], { configDirectory, stdin: 'key-of-a-shop' });
    await runCli(['profiles', 'fields', 'default', 'address.district=shipTo.khoroo'], { configDirectory });
    const flags = ['create', ...content, ...phone, '--item', 'TEA-1'];
    const { asked, stderr } = await runCli(flags, { configDirectory, answers: [true, { leave: true }] });
    expect([asked.at(-1), stderr]).toEqual([question, expect.stringContaining(words)]);
  });

  it.each<[what: string, answers: Answering[], end: string, exitCode: number]>([
    ['Ctrl-C', [{ leave: true }], 'Stopped. Nothing was created.', 130],
    ['Ctrl-C at the last question', ['TEA-1', { leave: true }], 'Stopped. Nothing was created.', 130],
    ['no', ['TEA-1', false, 'none'], 'Nothing was created.', 2],
  ])('until %s, which prints what was typed', async (_, answers, end, exitCode) => {
    const { create, committed } = await startDialogue();
    const result = await create([...phone, '--item', 'NO-1'], [true, ...answers]);
    expect(result.stderr.split('\n').at(-2)).toBe(end);
    expect(result.stderr.includes('--item TEA-1 --prepaid\n')).toBe(answers.includes('TEA-1'));
    expect([result.exitCode, await committed()]).toEqual([exitCode, 0]);
  });
});

describe('an order whose response was lost', () => {
  it.each<[string, Answering[], string[]]>([
    ['is sent again as it was', [{ pick: 'try the same order again' }], []],
    ['is looked up', [{ pick: 'look it up' }], ['UB-1 was created:']],
  ])('opens no field, and %s', async (_, answers, notes) => {
    const { create, setFaults, clearFaults, committed, received } = await startDialogue();
    await setFaults(loseResponses('UB-1'), failList);
    const choices: string[] = [];
    const choose: Answering = async (question) => {
      choices.push(...question.choices.map(({ value }) => value), question.preset ?? '');
      await clearFaults();
      return answers[0] as { pick: string };
    };
    const { asked, stderr, exitCode } = await create([...phone, '--item', 'TEA-1'], [true, choose]);
    expect(asked).toEqual([lastQuestion(1), 'What now?']);
    expect(choices).toEqual(['again', 'look_up', 'leave', 'again']);
    for (const note of [...notes, 'it may exist']) expect(stderr).toContain(note);
    const sent = await received();
    expect(sent).toEqual(sent.map(() => sent[0]));
    expect([exitCode, await committed()]).toEqual([0, 1]);
  });

  it.each<[string, Answering]>([
    ['left', { pick: 'leave' }],
    ['left with Ctrl-C', { leave: true }],
  ])('stays unknown when it is %s', async (_, answer) => {
    const { create, setFaults, received } = await startDialogue();
    await setFaults(loseResponses('UB-1'), failList);
    const { exitCode, stderr } = await create(
      [...phone, '--item', 'TEA-1', '--total', '25000'],
      [true, answer],
    );
    expect(stderr.match(/It is the order for 99112233, 25,000 ₮\./g)).toHaveLength(2);
    expect(stderr).toContain('To settle it, run this command, which never creates the order twice:');
    expect(stderr).not.toContain('Nothing was');
    const sent = await received();
    expect([exitCode, sent]).toEqual([8, sent.map(() => sent[0])]);
  });

  it('is not created when the request was lost, and then only once', async () => {
    const { create, setFaults, clearFaults, committed, received } = await startDialogue();
    const loseRequest = { ...loseResponses('UB-1'), when: 'before_commit' };
    await setFaults(loseRequest, failList);
    const lookUp: Answering = async () => {
      await clearFaults();
      return { pick: 'look it up' };
    };
    const { stderr, exitCode } = await create(
      [...phone, '--item', 'TEA-1'],
      [true, lookUp, { pick: 'try the same order again' }],
    );
    expect(stderr).toContain('it does not exist yet, and the last request may still create it');
    const sent = await received();
    expect(sent).toEqual(sent.map(() => sent[0]));
    expect([exitCode, await committed()]).toEqual([0, 1]);
  });
});

it('an order that was not sent is tried again, with nothing typed anew', async () => {
  const { create, setFaults, clearFaults, committed } = await startDialogue();
  await setFaults({ match: { route: 'create' }, when: 'before_commit', do: { kind: 'status', status: 429 } });
  const again: Answering = async () => {
    await clearFaults();
    return true;
  };
  const flags = [...phone, '--item', 'TEA-1', '--timeout', '3'];
  const { asked, stderr, exitCode } = await create(flags, [true, again]);
  expect(asked).toEqual([lastQuestion(1), 'Try again?']);
  expect(stderr).toContain('too many requests');
  expect([exitCode, await committed()]).toEqual([0, 1]);
});

/** A service that takes the key only until the order is sent, and then another one. */
async function startWithExpiringKey() {
  let isExpired = false;
  const keys: string[] = [];
  const { baseUrl, requests } = await startStubService(({ method, headers, body }) => {
    const key = String(headers.authorization).replace('Bearer ', '');
    if (method === 'POST') keys.push(key);
    isExpired ||= method === 'POST';
    if (isExpired && key !== 'new-key') return { status: 401, json: { message: 'key expired' } };
    return method === 'GET' ? { json: [] } : { status: 201, json: { id: '0b0e', ...JSON.parse(body) } };
  });
  return { baseUrl, requests, keys };
}

it('an order stays unknown when the key is refused after its response was lost', async () => {
  const { baseUrl, requests } = await startStubService(({ method }) =>
    requests('POST').length === 0
      ? { json: [] }
      : method === 'POST' && requests('POST').length < 3
        ? lost
        : { status: 401, json: { message: 'key expired' } },
  );
  const configDirectory = temporaryDirectory();
  await runCli(['login', '--base-url', baseUrl, '--with-key'], { configDirectory, stdin: 'old-key' });
  const flags = ['create', ...content, ...phone, '--item', 'TEA-1'];
  const { asked, exitCode, stderr } = await runCli(flags, {
    configDirectory,
    answers: [true, { pick: 'try the same order again' }, { leave: true }],
  });
  expect(asked.slice(1)).toEqual(['What now?', 'API key']);
  expect(stderr).toContain('To settle it, run this command');
  expect([exitCode, new Set(requests('POST').map(({ body }) => body)).size]).toEqual([8, 1]);
});

describe('a key that is refused when the order is sent', () => {
  const flags = ['create', ...content, ...phone, '--item', 'TEA-1'];

  it('is asked for and stored, and the order is sent as it was confirmed', async () => {
    const { baseUrl, keys } = await startWithExpiringKey();
    const configDirectory = temporaryDirectory();
    await runCli(['login', '--base-url', baseUrl, '--with-key'], { configDirectory, stdin: 'old-key' });
    const answers = [true, 'wrong-key', 'new-key'];
    const { asked, stderr, exitCode } = await runCli(flags, { configDirectory, answers });
    expect(asked.slice(1)).toEqual(['API key', 'API key']);
    expect(stderr).toContain('does not accept the API key: key expired. Nothing that you typed is lost.');
    expect(stderr).not.toMatch(/old-key|wrong-key|new-key/);
    expect([exitCode, keys]).toEqual([0, ['old-key', 'new-key']]);
    const { profiles } = JSON.parse(readFileSync(join(configDirectory, 'config.json'), 'utf8'));
    expect(profiles.default.apiKey).toBe('new-key');
  });
});
