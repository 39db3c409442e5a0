import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { orders, startStubService } from './api/stub-service.ts';
import { admin } from './sandbox/admin/admin-client.ts';
import { type Answer, type AskedQuestion, type CliOptions, runCli } from './support/cli.ts';
import { openService } from './support/service.ts';

const year = new Date().getUTCFullYear();
const numberOf = (place: number) => `ORD-${year}-${String(place).padStart(6, '0')}`;

/** Orders 1 to 6, which the ledger of this machine holds. */
async function openShop() {
  const { sandbox, env } = await openService();
  const configDirectory = mkdtempSync(join(tmpdir(), 'merchant-orders-test-'));
  const cli = (args: string[], options: CliOptions = {}) =>
    runCli(args, { env, configDirectory, ...options });
  const placed = [
    ['UB-1', '99112233'],
    ['#12', '88112233'],
    ['Бат 7', '88112233'],
    ['0044', '95112233'],
    ['77001122', '95112244'],
    ['UB-6', '+97695112255'],
  ] as const;
  for (const [id, phone] of placed) {
    const flags = ['--external-order-id', id, '--phone', phone, '--item', 'TEA-1', '--collect', '25000'];
    await cli(['create', ...flags]);
  }
  const cancelled = async () => {
    const { json } = await admin(sandbox).get('/orders');
    return json.orders.filter(({ status }: { status: string }) => status === 'CANCELLED').length;
  };
  const close = async () => {
    await sandbox.stop();
    rmSync(configDirectory, { recursive: true });
  };
  return { cli, cancelled, close };
}

/** Where nothing is cancelled. */
let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

async function openOwnShop() {
  const own = await openShop();
  onTestFinished(own.close);
  return own;
}

const shown = ['--columns', 'orderNumber'];
const numberIn = (stdout: string) => /ORD-\d{4}-\d{6}/.exec(stdout)?.[0];

describe('a text that no order carries, at a terminal', () => {
  it('is searched for in the newest orders', async () => {
    const { stdout, stderr } = await shop.cli(['get', '2255', ...shown], { answers: [] });
    expect(numberIn(stdout)).toBe(numberOf(6));
    expect(stderr).toBe(`Found "2255" in the newest orders: ${numberOf(6)}, +97695112255, 25,000 ₮.\n`);
  });

  it.each<[text: string, place: number | undefined, how?: string]>([
    ...[
      'ord 6',
      `ORD-${year}-6`,
      `${year}-000006`,
      `${year}000006`,
      '000006',
      '6',
      '№6',
      'орд 6',
      'order 6',
    ].map((text): [string, number] => [text, 6]),
    ...['ub 1', 'ub1', 'UB_1', 'ub/1', 'UB–1'].map((text): [string, number, string] => [text, 1, 'UB-1']),
    ['opд 6', 6],
    ['zahialga 6', 6],
    ['#UB-1', 1, 'UB-1'],
    ['бат-7', 3, 'Бат 7'],
    ['№ 0012', 2, '#12'],
    ['99112233', 1, 'the phone 99112233'],
    ['+976 9911-2233', 1, 'the phone +976 9911-2233'],
    ['95112255', 6, 'the phone 95112255'],
    // These are carried as they stand.
    ['#12', 2, ''],
    ['0044', 4, ''],
    ['77001122', 5, ''],
    [numberOf(6), 6, ''],
    [numberOf(6).toLowerCase(), 6, ''],
    // No reading finds these.
    ['999', undefined],
    // Other letters are not those of an order number, and # is of an own ID.
    ['UB-4', undefined],
    ['TEA-003', undefined],
    ['Д-4', undefined],
    ['o-4', undefined],
    ['r 4', undefined],
    ['#4', undefined],
    ['ord', undefined],
    ['99999999', undefined],
    ['soon', undefined],
  ])('%j is order %s', async (text, place, how) => {
    const { cli } = shop;
    const { stdout, stderr, exitCode, asked } = await cli(['get', text, ...shown], { answers: [] });
    expect({ number: numberIn(stdout), exitCode, asked }).toEqual({
      number: place && numberOf(place),
      exitCode: place === undefined ? 3 : 0,
      asked: [],
    });
    const reading = place === undefined ? undefined : (how ?? numberOf(place));
    if (reading === '') expect(stderr).toBe('');
    else if (reading !== undefined) expect(stderr).toContain(`Read "${text}" as ${reading}`);
  });

  it('may mean several orders, of which Enter takes none', async () => {
    const { cli } = shop;
    const numbers: string[] = [];
    const answers = (answer: Answer) => [
      ({ choices, preset }: Pick<AskedQuestion, 'choices' | 'preset'>) => {
        numbers.push(...choices.map(({ name }) => numberIn(name) ?? name));
        expect(preset).toBe('');
        return answer;
      },
    ];
    const none = await cli(['get', '88112233'], { answers: answers('') });
    expect(numbers.sort()).toEqual([numberOf(2), numberOf(3), 'none of these']);
    expect(none.asked).toEqual(['2 orders have the phone 88112233. Which one?']);
    expect(none.stderr).toContain('No order was chosen.');
    expect([none.stdout, none.exitCode]).toEqual(['', 3]);
    const name = ({ choices }: { choices: readonly { name: string; value: string }[] }) =>
      choices.find((choice) => choice.name.includes(numberOf(3)))?.value ?? '';
    const one = await cli(['get', '88112233', ...shown], { answers: [name] });
    expect(numberIn(one.stdout)).toBe(numberOf(3));
    // Order 4 is called 0044 by the shop, and the service has no order 44.
    expect(numberIn((await cli(['get', '44', ...shown], { answers: [] })).stdout)).toBe(numberOf(4));
  });

  it.each<[by: string, text: string, number: string | undefined]>([
    ['number', '6', numberOf(6)],
    ['external', '6', undefined],
    ['id', '6', undefined],
    ['phone', '99112233', numberOf(1)],
    ['number', 'ub 2', numberOf(2)],
    ['external', 'ub 1', numberOf(1)],
    ['number', '99112233', undefined],
    ['phone', '6', undefined],
  ])('is read only as --by %s says: %s', async (by, text, number) => {
    const { cli } = shop;
    const { stdout } = await cli(['get', text, '--by', by, ...shown], { answers: [] });
    expect(numberIn(stdout)).toBe(number);
  });
});

const readings: [text: string, commands: string[]][] = [
  ['6', [`get ${numberOf(6)}`]],
  ['ub 1', ['get UB-1']],
  ['99112233', ['list --customer-phone 99112233']],
];

describe.each(readings)('%j elsewhere', (text, commands) => {
  const hint = commands.map((command) => `  merchant-orders ${command}\n`).join('');

  it.each<[how: string, flags: string[], options: CliOptions]>([
    ['off a terminal', [], {}],
    ['with --yes off a terminal', ['--yes'], {}],
    ['as JSON', ['--json'], { answers: [] }],
    ['as CSV', ['--format', 'csv'], { answers: [] }],
    ['with --no-input', ['--no-input'], { answers: [] }],
    ['in silence', ['--quiet'], { answers: [] }],
  ])('is not read by get and cancel %s, and the readings are named', async (_, flags, options) => {
    const { cli, cancelled } = shop;
    for (const args of [
      ['get', text],
      ['cancel', text, '--reason', 'no'],
    ]) {
      const { stdout, stderr, exitCode, asked } = await cli([...args, ...flags], options);
      expect({ stdout, exitCode, asked }).toEqual({ stdout: '', exitCode: 3, asked: [] });
      if (flags.includes('--json')) expect(JSON.parse(stderr).error.hint).toContain(hint.trimEnd());
      else expect(stderr).toContain(hint);
    }
    expect(await cancelled()).toBe(0);
  });

  it('is not read by cancel --from', async () => {
    const { cli, cancelled } = shop;
    const options = { stdin: `external_order_id\n${text}\n`, answers: [] };
    const args = ['cancel', '--from', '-', '--reason', 'no', '--yes'];
    const { stdout, exitCode } = await cli(args, options);
    expect([stdout, exitCode, await cancelled()]).toEqual([expect.stringContaining('not found'), 6, 0]);
  });

  it.each([[], ['--yes']])('is shown and asked about by cancel at a terminal %s', async (...yes) => {
    const { cli, cancelled } = await openOwnShop();
    const cancel = (answer: boolean) =>
      cli(['cancel', text, '--reason', 'no', ...yes], { answers: [answer] });
    const declined = await cancel(false);
    expect(declined.stderr).toContain(`Read "${text}" as `);
    expect(declined.stderr).toMatch(/^number +ORD/m);
    expect(declined.asked).toEqual([expect.stringMatching(/^SANDBOX: cancel ORD-\d+-\d+, /)]);
    expect([declined.exitCode, await cancelled()]).toEqual([2, 0]);
    expect([(await cancel(true)).exitCode, await cancelled()]).toEqual([0, 1]);
  });
});

it('several orders to cancel are asked about when one of them was read otherwise', async () => {
  const { cli, cancelled } = shop;
  const { asked, stderr } = await cli(['cancel', 'UB-1', '6', '--reason', 'no', '--yes'], {
    answers: [false],
  });
  expect(stderr).toContain(`Read "6" as ${numberOf(6)} (+97695112255, 25,000 ₮).`);
  expect([asked, await cancelled()]).toEqual([['SANDBOX: cancel these 2 orders?'], 0]);
});

interface Listed {
  id: string;
  orderNumber: string;
  externalOrderId: string;
  customer?: { phone: string };
}

const listed = (place: number, phone?: string): Listed => ({
  id: `00000000-0000-4000-8000-00000000000${place}`,
  orderNumber: numberOf(place),
  externalOrderId: `UB-${place}`,
  ...(phone === undefined ? {} : { customer: { phone } }),
});

describe('a phone that is typed as several words', () => {
  it('is read as one at a terminal, when none of them is an order', async () => {
    const { stdout, stderr, exitCode } = await shop.cli(['get', '9911', '2233'], { answers: [] });
    expect([numberIn(stdout), exitCode]).toEqual([numberOf(1), 0]);
    expect(stderr).toContain('Read "9911 2233" as the phone 9911 2233');
    const elsewhere = await shop.cli(['get', '9911', '2233']);
    expect(elsewhere.exitCode).toBe(3);
    expect(elsewhere.stderr).toContain('There are no orders 9911, 2233.');
  });

  it('is not read as one beside an order that is found', async () => {
    const { stderr, exitCode } = await shop.cli(['get', '6', '99112233'.slice(1)], { answers: [] });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('There is no order 9112233.');
  });
});

describe('a phone at another service', () => {
  /** It ignores all filters. */
  async function startOther(stored: Listed[], pages = 1) {
    const { env } = await startStubService(({ path, query }) => {
      if (path !== orders) return { json: stored.find(({ id }) => path.endsWith(id)) };
      const page = Number(query.page ?? 1);
      const there = page > pages ? [] : stored;
      const data = there.map((order) => (page === 1 ? order : { ...order, id: `${order.id}-${page}` }));
      return { json: { data, page, pageSize: stored.length, total: stored.length * pages } };
    });
    return (args: string[], answers?: Answer[]) =>
      runCli(args, { env, ...(answers === undefined ? {} : { answers }) });
  }

  it('is found in a list that is not filtered', async () => {
    const cli = await startOther([listed(1, '99112233'), listed(2, '88112233')]);
    for (const args of [['99112233'], ['99112233', '--by', 'phone']])
      expect(numberIn((await cli(['get', ...args], [])).stdout)).toBe(numberOf(1));
    expect((await cli(['get', '95112233'], [])).exitCode).toBe(3);
  });

  it.each([
    ['no phones', undefined],
    ['masked phones', '9911****'],
  ])('is never taken for certain where the list shows %s', async (_, phone) => {
    const cli = await startOther([listed(1, phone), listed(2, '88112233')]);
    const question =
      'The service does not show all phones, so some orders may be of other customers. ' +
      'There is no order 99112233. Which of these is meant?';
    const { asked, exitCode } = await cli(['get', '99112233'], ['']);
    expect([asked, exitCode]).toEqual([[question], 3]);
    const chosen = await cli(['cancel', '99112233', '--reason', 'no', '--yes'], [listed(1).id, false]);
    expect([chosen.asked[0], chosen.asked[1]?.slice(0, 31), chosen.exitCode]).toEqual([
      question,
      `SANDBOX: cancel ${numberOf(1)}`,
      2,
    ]);
    const piped = await cli(['get', '99112233', '--by', 'phone']);
    expect([piped.stdout, piped.exitCode]).toEqual(['', 7]);
  });

  it('of several orders is ambiguous off a terminal', async () => {
    const cli = await startOther([listed(1, '99112233'), listed(2, '+976 99112233')]);
    const { stderr, exitCode } = await cli(['get', '99112233', '--by', 'phone']);
    expect(stderr).toContain('99112233 matches 2 orders: ');
    expect(exitCode).toBe(2);
    const cancel = await cli(['cancel', '99112233', '--by', 'phone', '--reason', 'no', '--yes']);
    expect(cancel.stderr).toContain('so it cancels none without a question');
    expect(cancel.exitCode).toBe(2);
  });
});
