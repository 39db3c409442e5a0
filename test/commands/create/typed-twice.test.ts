import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRunLocks } from '../../../src/system/run-locks.ts';
import { startStubService } from '../../api/stub-service.ts';
import { type Answering, errorIn, runCli, temporaryDirectory } from '../../support/cli.ts';
import { failList, loseRequests, startShop } from '../imports/setup.ts';

const id = 'MO-1';
/** Phone, item, quantity, no other item, no address, prepaid, and nothing of what may be left out. */
const typed = ['99112233', 'TEA-1', '1', '', '', '', '', '', 'no', '', ''];
const loseAnyResponse = { match: { route: 'create' }, when: 'after_commit', do: { kind: 'close' } };
const lookUpQuestion = 'Look up the outcome now? Nothing is sent.';
const unsettledNote = '1 order was sent earlier, and it is not known whether it was created:\n  MO-1, ';

/** A shop whose first order was created, but no response to it arrived. */
async function startWithLostResponse() {
  const shop = await startShop(1);
  const create = (answers: Answering[], ...flags: string[]) => shop.run(['create', ...flags], { answers });
  await shop.setFaults(loseAnyResponse, failList);
  const content = ['--phone', '99112233', '--item', 'sku=TEA-1,quantity:=1', '--prepaid'];
  const lost = await shop.run(['create', '--external-order-id', id, ...content]);
  expect(lost.exitCode).toBe(8);
  await shop.clearFaults();
  return { ...shop, create };
}

describe('an order that is typed again after its response was lost', () => {
  it('is named first, found when it is looked up, and not created again', async () => {
    const { create, committed } = await startWithLostResponse();
    const { asked, stderr, stdout, exitCode } = await create([true, false]);
    expect(asked).toEqual([lookUpQuestion, 'Create another order?']);
    expect(stderr).toContain(unsettledNote);
    expect(stderr).toMatch(
      /MO-1 was created:\n {2}.*ORD-\d{4}-000001 {2}MO-1 {2}99112233 {2}already paid {2}CONFIRMED\n/,
    );
    expect(stderr).toMatch(/Nothing else was sent\.\n$/);
    expect([stdout, exitCode, await committed()]).toEqual(['', 0, 1]);
  });

  it('keeps its ID when it is not looked up, and is found by it', async () => {
    const { create, committed } = await startWithLostResponse();
    const { asked, stderr, exitCode } = await create([
      false,
      { pick: 'MO-1 again, a moment ago' },
      ...typed,
      true,
    ]);
    expect(asked.slice(0, 3)).toEqual([
      lookUpQuestion,
      'Which order do you want to create?',
      'Phone number of the customer',
    ]);
    // It is the same order, so that the last question does not name it as another one.
    expect(asked.at(-1)).toBe('SANDBOX: create for 99112233, 1 item, prepaid, no address?');
    expect(stderr).toMatch(/Created ORD-\d{4}-000001 \(SANDBOX\)\./);
    expect([exitCode, await committed()]).toEqual([0, 1]);
  });

  it('is shown in the last question when it gets another ID all the same', async () => {
    const { create, committed } = await startWithLostResponse();
    let first: unknown;
    const choose: Answering = ({ preset }) => {
      first = preset;
      return { pick: 'another order' };
    };
    const answers = [false, choose, ...typed, '', false, 'none'];
    const { asked, exitCode } = await create(answers);
    expect(asked.at(-2)).toMatch(
      /^This customer has an order of a moment ago: ORD-\d{4}-000001, CONFIRMED\. SANDBOX: create another for 99112233, 1 item, prepaid, no address\?$/,
    );
    expect([exitCode, await committed(), first]).toEqual([2, 1, null]);
  });

  it('is named with the file when an import left it unknown', async () => {
    const shop = await startShop(1);
    await shop.setFaults(loseRequests('UB-1'), failList);
    expect((await shop.import()).exitCode).toBe(8);
    await shop.clearFaults();
    const { stderr, asked } = await shop.run(['create'], { answers: [true, { leave: true }] });
    expect(stderr).toContain(`  UB-1, import of ${shop.csv}, a moment ago\n`);
    expect(stderr).toContain('UB-1: it does not exist yet, and the last request may still create it for');
    expect(asked).toEqual([lookUpQuestion, 'Which order do you want to create?']);
  });

  it('is not created twice with content that differs', async () => {
    const { create, committed } = await startWithLostResponse();
    const other = ['88112233', ...typed.slice(1)];
    const { stderr, exitCode } = await create([false, { pick: 'MO-1 again, a moment ago' }, ...other, true]);
    expect(stderr).toContain('it was created before with other content');
    expect(stderr.slice(stderr.indexOf('Compare it'))).toMatch(/^Compare it: merchant-orders get \S+\n$/);
    expect([exitCode, await committed()]).toEqual([5, 1]);
  });
});

describe('an order whose outcome is unknown, sent again', () => {
  it.each([401, 403, 404, 429])('stays unknown after a %i', async (status) => {
    const shop = await startWithLostResponse();
    const deny = (route: string) => ({
      match: { route },
      when: 'before_commit',
      do: { kind: 'status', status },
    });
    await shop.setFaults(deny('create'), deny('list'), deny('get'));
    const content = ['--phone', '99112233', '--item', 'sku=TEA-1,quantity:=1', '--prepaid', '--json'];
    const args = ['create', '--external-order-id', id, ...content, '--timeout', '3'];
    const { stderr, exitCode } = await shop.run(args);
    const error = errorIn(stderr);
    expect([error.code, error.outcome, exitCode]).toEqual(['outcome_unknown', 'unknown', 8]);
    expect(error.hint).toContain(`create --external-order-id ${id}`);
  });

  it('is named with its ID while another window sends it', async () => {
    const shop = await startWithLostResponse();
    await shop.change("UPDATE orders SET state = 'intent', last_run = 'run-7'");
    const locks = await createRunLocks(join(shop.configDirectory, 'runs'), () => undefined);
    locks.take('run-7');
    onTestFinished(() => locks.release());
    const { stderr, exitCode } = await shop.create([false, { pick: 'MO-1 again' }, ...typed, true]);
    expect(stderr).toContain('Wait until that run has ended, then run:\n  merchant-orders create');
    expect(stderr.split('Wait until')[1]).toContain('--external-order-id MO-1');
    expect(exitCode).toBe(7);
  });
});

const now = Date.now();
const order = (sequence: number, age: number, fields: object = {}) => ({
  id: `5c1b2a90-0000-4000-8000-00000000000${sequence}`,
  orderNumber: `ORD-2026-00000${sequence}`,
  externalOrderId: `UB-${sequence}`,
  customer: { phone: '+97699112233' },
  total: '31000',
  status: 'CONFIRMED',
  createdAt: new Date(now - age * 60_000).toISOString(),
  ...fields,
});

/** The last question for an order whose phone has these orders, or gets this response. */
async function lastQuestion(respond: (query: Record<string, string>) => object) {
  const queries: Record<string, string>[] = [];
  const { baseUrl } = await startStubService(({ query }) => {
    if (query.customerPhone === undefined) return { json: { data: [] } };
    if (query.createdFrom !== undefined) queries.push(query);
    return respond(query);
  });
  const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: 'key-of-a-shop' };
  const answers = [...typed, 'MO-9', false, 'none'];
  const configDirectory = temporaryDirectory();
  const { asked } = await runCli(['create', '--no-color'], { env, answers, configDirectory });
  return { question: asked.at(-2), queries };
}

const plainQuestion = 'LIVE: create for 99112233, 1 item, prepaid, no address?';
const another = 'LIVE: create another for 99112233, 1 item, prepaid, no address?';

describe('the orders that a phone has had lately', () => {
  it.each<[string, object[], string]>([
    [
      'one',
      [order(1, 4)],
      `This customer has an order of 4 minutes ago: ORD-2026-000001, 31,000 ₮, CONFIRMED. ${another}`,
    ],
    [
      'several, the newest first',
      [order(1, 180), order(2, 4), order(3, 61, { status: 'CANCELLED' })],
      'This customer has 3 orders of the last 24 hours: ORD-2026-000002, 31,000 ₮, CONFIRMED (4 minutes ago); ' +
        'ORD-2026-000003, 31,000 ₮, CANCELLED (1 hour ago); ORD-2026-000001, 31,000 ₮, CONFIRMED (3 hours ago). ' +
        another,
    ],
    [
      'without a time',
      [order(1, 0, { createdAt: undefined, total: undefined, collectionAmount: '9000' })],
      `This customer has an order of the last 24 hours: ORD-2026-000001, 9,000 ₮, CONFIRMED. ${another}`,
    ],
    [
      'of a service that ignores the filters',
      [order(1, 4, { customer: { phone: '88112233' } }), order(2, 1500)],
      plainQuestion,
    ],
    [
      'with a masked phone',
      [order(1, 4, { customer: { phone: '9911****' } }), order(2, 4, { customer: { phone: '8811****' } })],
      `This customer has an order of 4 minutes ago: ORD-2026-000001, 31,000 ₮, CONFIRMED. ${another}`,
    ],
    [
      'with hidden characters',
      [order(1, 4, { status: 'CON\u202eFIRMED\u0007' })],
      `This customer has an order of 4 minutes ago: ORD-2026-000001, 31,000 ₮, CONFIRMED. ${another}`,
    ],
  ])('are in the last question: %s', async (_, data, expected) => {
    expect((await lastQuestion(() => ({ json: { data } }))).question).toBe(expected);
  });

  it('are found by whole days where the service takes no times', async () => {
    const { question, queries } = await lastQuestion((query) =>
      /T/.test(query.createdFrom ?? '')
        ? { status: 422, json: { message: 'createdFrom must be a date' } }
        : { json: { data: [order(1, 4), order(2, 1500), order(3, 0, { createdAt: undefined })] } },
    );
    expect(queries.map((query) => query.createdFrom?.length)).toEqual([20, 10]);
    expect(question).toContain('an order of 4 minutes ago: ORD-2026-000001');
  });
});
