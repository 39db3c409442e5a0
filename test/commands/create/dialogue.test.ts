import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { admin } from '../../sandbox/admin/admin-client.ts';
import { type Answer, runCli, temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';

const idFlag = ['--external-order-id', 'UB-1'];
const orderFlags = ['--phone', '99112233', '--item', 'TEA-1'];
/** City, district, street and note. */
const noAddress = ['', '', '', ''];
const noTotalAndDate = ['', ''];
const collectQuestion = 'Does the courier collect money? (yes or no)';
const isSmall = 'is less than 1,000 ₮. Is it right?';

describe('create at a terminal', () => {
  it('asks for missing fields, shows the order and asks for confirmation', async () => {
    const { cli } = await startService();
    const { stderr, exitCode, asked } = await cli(['create'], {
      today: '2026-11-22',
      answers: [
        ...['99112233', 'TEA-1', '3', 'TEA-1 x 2', 'sku=TEA-1,name="Black tea"', ''],
        ...['Улаанбаатар', '', 'Сөүлийн гудамж 12', 'Ring twice'],
        ...['yes', '25,000₮', '30 000', '12/25', true, 'UB-7', true],
      ],
    });
    expect(asked).toEqual([
      'Phone number of the customer',
      'Product code (SKU) of item 1',
      'How many?',
      'Product code (SKU) of item 2 (press Enter when there are no more)',
      'Product code (SKU) of item 3 (press Enter when there are no more)',
      'Product code (SKU) of item 4 (press Enter when there are no more)',
      'Delivery address: city (optional)',
      'Delivery address: district (optional)',
      'Delivery address: street, building, door (optional)',
      'Note for the courier (optional)',
      'Does the courier collect money? (yes or no)',
      'How much does the courier collect?',
      'Total of the order (optional)',
      'Delivery date (optional), such as tomorrow, friday or 25 Dec',
      'Friday 25 December 2026?',
      'Your own order ID',
      'SANDBOX: create for 99112233, 3 items, collect 25,000 ₮?',
    ]);
    expect(stderr.replace(/ORD-\d+-\d+/, 'ORD')).toBe(
      [
        'New customer',
        'own id      UB-7',
        'customer    99112233',
        'items       3 × TEA-1',
        '            2 × TEA-1',
        '            TEA-1, Black tea',
        'total       30,000 ₮',
        'to collect  25,000 ₮',
        'deliver on  Friday 25 December 2026',
        'address     Улаанбаатар, Сөүлийн гудамж 12',
        'note        Ring twice',
        '',
        'Created ORD (SANDBOX).',
        'To list what to pack for Friday 25 December 2026, run:',
        '  merchant-orders list --deliver-on 2026-12-25 --for packing',
        '',
      ].join('\n'),
    );
    expect(exitCode).toBe(0);
  });

  it('checks the key before it asks anything', async () => {
    const { env } = await startService();
    const wrong = { ...env, MERCHANT_ORDERS_API_KEY: 'sandbox_wrong' };
    for (const options of [{ env: wrong }, {}]) {
      const { stderr, asked, exitCode } = await runCli(['create'], { ...options, answers: [] });
      expect(stderr).toContain('merchant-orders login');
      expect([asked, exitCode]).toEqual([[], 4]);
    }
  });

  it.each<[what: string, sentence: string, answers: string[]]>([
    ['phone number', 'Please enter the phone number.', ['']],
    ['phone number with letters', 'is not a phone number', ['abc']],
    ['first item', 'Please enter at least one item.', ['99112233', '']],
    ['blank SKU', 'It is blank; give the SKU', ['99112233', 'sku=']],
    ['list of items', 'Please enter one item at a time', ['99112233', 'TEA-1, COF-1']],
    ['list of items with counts', 'Please enter one item at a time', ['99112233', 'TEA-1 x 2; COF-1 x 1']],
    ['part of a count', 'Please write how many as a whole number', ['99112233', 'TEA-1 x 2.5']],
    ['count before the item', 'Please write how many as a whole number', ['99112233', '2 x TEA-1']],
    ['size', 'Please write how many as a whole number', ['99112233', 'SHIRT 2X']],
    ['count of boxes', 'Please write how many as a whole number', ['99112233', 'TEA-1 2 хайрцаг']],
    ['count without an item', 'Please write how many as a whole number', ['99112233', '2ш']],
    ['quantity', 'Please enter a whole number', ['99112233', 'TEA-1', '0']],
    ['quantity in kilograms', 'Please enter a whole number', ['99112233', 'TEA-1', '2 кг']],
    ['answer about the money', 'Please answer yes or no.', ['99112233', 'TEA-1', '1', '', ...noAddress, '']],
    ['unclear yes', 'Please answer yes or no.', ['99112233', 'TEA-1', '1', '', ...noAddress, 'у']],
    ['amount', 'Please enter the amount.', ['99112233', 'TEA-1', '1', '', ...noAddress, 'yes', '']],
    [
      'amount in words',
      'That is not an amount.',
      ['99112233', 'TEA-1', '1', '', ...noAddress, 'yes', 'a lot'],
    ],
    ['date', 'That date does not exist.', ['99112233', 'TEA-1', '1', '', ...noAddress, 'no', '', '13/45']],
    ['word as a date', 'That is not a date.', ['99112233', 'TEA-1', '1', '', ...noAddress, 'no', '', 'soon']],
  ])('does not accept every %s, and sends nothing', async (_, sentence, answers) => {
    const { cli, sandbox } = await startService();
    const { stderr } = await cli(['create', ...idFlag], { answers });
    expect(stderr).toContain(`"${answers.at(-1)}" was not accepted: `);
    expect(stderr).toContain(sentence);
    expect((await admin(sandbox).get('/ledger')).json.orders).toEqual([]);
  });

  it('asks whether a doubtful answer is right, and again when it is not', async () => {
    const { cli } = await startService();
    const { asked, stderr, exitCode } = await cli(
      ['create', '-v', ...idFlag, '--item', 'TEA-1', '--prepaid'],
      {
        today: '2026-11-22',
        answers: ['+15005550006', false, '99112233', ...noAddress, '', '2026-11-20', true, true],
      },
    );
    expect(asked.slice(0, 3)).toEqual([
      'Phone number of the customer',
      '+15005550006 does not look like a phone number of Mongolia. Is it right?',
      'Phone number of the customer',
    ]);
    expect(asked).toContain('2026-11-20 is in the past. Is it right?');
    expect(stderr).toContain(' --delivery-date 2026-11-20\n');
    expect(exitCode).toBe(0);
  });

  it.each<[what: string, answers: Answer[], asked: string[], flags: string]>([
    ['a yes and the amount', ['авна', '25000'], ['How much does the courier collect?'], '--collect 25000'],
    ['an amount with a dot', ['25.000', true], ['25,000 ₮?'], '--collect 25000'],
    ['an amount alone', ['25к', true], ['25,000 ₮?'], '--collect 25000'],
    [
      'a large amount',
      ['250000000', 'n', '25000000', 'y'],
      [
        '250,000,000 ₮ is 10 million ₮ or more. Is it right?',
        collectQuestion,
        '25,000,000 ₮ is 10 million ₮ or more. Is it right?',
      ],
      '--collect 25000000',
    ],
    ['a small amount', ['25', 'үгүй', '25000'], [`25 ₮ ${isSmall}`, collectQuestion], '--collect 25000'],
    ['a no', ['авахгүй'], [], '--prepaid'],
    ['nothing', ['0'], [], '--prepaid'],
    [
      'a yes, and then that nothing is collected',
      ['tiim', 'авахгүй', 'no'],
      ['How much does the courier collect?', collectQuestion],
      '--prepaid',
    ],
    [
      'a yes, nothing, and an amount after all',
      ['yes', '0', 'yes', '500', 'зөв'],
      [
        'How much does the courier collect?',
        collectQuestion,
        'How much does the courier collect?',
        `500 ₮ ${isSmall}`,
      ],
      '--collect 500',
    ],
  ])('what the courier collects may be answered with %s', async (_, answers, asked, flags) => {
    const { cli } = await startService();
    const result = await cli(['create', '-v', ...idFlag, ...orderFlags], {
      answers: [...noAddress, ...answers, ...noTotalAndDate, 'үүсгэ'],
    });
    expect(result.asked.slice(noAddress.length, noAddress.length + asked.length + 2)).toEqual([
      collectQuestion,
      ...asked,
      'Total of the order (optional)',
    ]);
    expect(result.stderr).toContain(
      `create --external-order-id UB-1 --phone 99112233 --item TEA-1 ${flags}\n`,
    );
    expect(result.exitCode).toBe(0);
  });

  it('reads back each date that was typed in another form, with weekday and year', async () => {
    const { cli } = await startService();
    const { asked, stderr } = await cli(['create', '-v', ...idFlag, ...orderFlags], {
      today: '2026-11-22',
      answers: [
        ...noAddress,
        'no',
        '',
        'өчигдөр',
        'буруу',
        'баасанд',
        'үгүй',
        '12-р сарын 25-нд',
        'зөв',
        'y',
      ],
    });
    expect(asked.filter((question) => /2026\b.*\?$/.test(question))).toEqual([
      'Saturday 21 November 2026 is in the past. Is it right?',
      'Friday 27 November 2026?',
      'Friday 25 December 2026?',
    ]);
    expect(stderr).toContain('--delivery-date 2026-12-25\n');
  });

  it.each(['цуцал', ''])('does not create an order for the answer %j', async (answer) => {
    const { cli, sandbox } = await startService();
    const { exitCode } = await cli(['create', ...idFlag, ...orderFlags, '--prepaid'], {
      answers: [answer, 'none'],
    });
    expect(exitCode).toBe(2);
    expect((await admin(sandbox).get('/ledger')).json.orders).toEqual([]);
  });

  it.each([
    ['TEA-1 x 2', []],
    ['TEA-1 х 2', []],
    ['TEA-1 x2', []],
    ['TEA-1 *2', []],
    ['TEA-1 ×2', []],
    ['TEA-1 2ш', []],
    ['TEA-1 2 ширхэг', []],
    ['TEA-1 2sh', []],
    ['TEA-1', ['2 ширхэг']],
    ['TEA-1', ['hoyor']],
  ])('%s, %j is two pieces', async (item, count) => {
    const { cli } = await startService();
    const { stderr } = await cli(['create', '-v', ...idFlag, '--phone', '99112233', '--prepaid'], {
      answers: [item, ...count, '', ...noAddress, ...noTotalAndDate, true],
    });
    expect(stderr).toContain('--item sku=TEA-1,quantity:=2 --prepaid\n');
  });

  it.each(['TEA 1', 'TEA one', 'TEA-2', '5L', 'X2'])('%s is a product code', async (sku) => {
    const { cli } = await startService();
    const { stderr } = await cli(['create', ...idFlag, '--phone', '99112233', '--prepaid'], {
      answers: [sku, '1', '', ...noAddress, ...noTotalAndDate, false, 'none'],
    });
    expect(stderr.replaceAll(/['"]/g, '')).toContain(`--item sku=${sku},quantity:=1 --prepaid\n`);
  });

  it('goes back to change an answer when the order is not confirmed', async () => {
    const { cli } = await startService();
    const { asked, stderr, exitCode } = await cli(['create', '-v', ...idFlag, ...orderFlags, '--prepaid'], {
      answers: [
        ...[false, { pick: 'the phone number' }, '88112233'],
        ...[false, { pick: 'what the courier collects' }, 'yes', '5000', true],
      ],
    });
    expect(asked).toEqual([
      'SANDBOX: create for 99112233, 1 item, prepaid, no address?',
      'What do you want to change?',
      'Phone number of the customer',
      'SANDBOX: create for 88112233, 1 item, prepaid, no address?',
      'What do you want to change?',
      'Does the courier collect money? (yes or no)',
      'How much does the courier collect?',
      'SANDBOX: create for 88112233, 1 item, collect 5,000 ₮, no address?',
    ]);
    // The flags of the answers take the place of those that were given.
    expect(stderr).toContain(
      'merchant-orders create --external-order-id UB-1 --phone 88112233 --item TEA-1 --collect 5000\n',
    );
    expect(exitCode).toBe(0);
  });

  it('takes away what is changed to a dash, also from the command, and keeps it by Enter', async () => {
    const { cli } = await startService();
    const set = ['--set', 'deliveryAddress.city=Darkhan', '--set', 'note=kept', '--total', '7000'];
    const { asked, stdout, stderr } = await cli(
      ['create', '-v', ...idFlag, ...orderFlags, '--prepaid', ...set, '--json'],
      {
        answers: [
          ...[false, { pick: 'the city' }, '-', false, { pick: 'the total' }, ''],
          ...[false, { pick: 'the total' }, '-', false, { pick: 'nothing' }, true],
        ],
      },
    );
    const total = 'Total of the order (- for none)';
    expect(asked.filter((question) => question.includes('for none'))).toEqual([
      'Delivery address: city (- for none)',
      total,
      total,
    ]);
    expect(JSON.parse(stdout)).not.toMatchObject({ deliveryAddress: expect.anything() });
    expect(stderr).toContain(
      'create --external-order-id UB-1 --phone 99112233 --item TEA-1 --prepaid --set note=kept\n',
    );
  });

  it('keeps the items that were typed when they are changed and Enter is pressed', async () => {
    const { cli } = await startService();
    const typed = ['TEA-1 x 2', 'TEA-1', '3', 'sku=TEA-1,name="Black tea"', ''];
    const again = ['', '-', '', 'TEA-1 x 5', ''];
    const { asked, stdout } = await cli(['create', ...idFlag, '--phone', '99112233', '--prepaid', '--json'], {
      answers: [...typed, ...noAddress, ...noTotalAndDate, false, 'items', ...again, true],
    });
    expect(asked.slice(-6, -2)).toEqual([
      'Product code (SKU) of item 1 (- leaves this item out)',
      'Product code (SKU) of item 2 (- leaves this item out)',
      'Product code (SKU) of item 2 (- leaves this item out)',
      'Product code (SKU) of item 3 (press Enter when there are no more)',
    ]);
    expect(JSON.parse(stdout).items).toEqual([
      { sku: 'TEA-1', quantity: 2 },
      { sku: 'TEA-1', name: 'Black tea' },
      { sku: 'TEA-1', quantity: 5 },
    ]);
  });

  it('prints a command without the file when a value of the file was taken away', async () => {
    const { cli } = await startService();
    const file = join(temporaryDirectory(), 'order.json');
    const items = [{ sku: 'TEA-1', quantity: 2, weight: '1.10' }];
    const inFile = {
      customer: { phone: '99112233' },
      items,
      collectionMode: 'NONE',
      total: '7',
      note: "it's",
    };
    writeFileSync(file, JSON.stringify(inFile));
    const { stderr, stdout } = await cli(['create', '-v', '--file', file, ...idFlag, '--json'], {
      answers: [false, { pick: 'the total' }, '-', true],
    });
    const printed = /^ {2}merchant-orders (.*)$/m.exec(stderr)?.[1] ?? '';
    const words = execFileSync('bash', ['-c', `printf '%s\\0' ${printed}`], { encoding: 'utf8' });
    const again = await cli([...words.split('\0').slice(0, -1), '--json']);
    expect(again.stderr).toContain('already exists with the same content');
    expect(JSON.parse(again.stdout)).toEqual({ ...JSON.parse(stdout), _outcome: 'already_exists' });
    expect(JSON.parse(stdout)).toMatchObject({ items, note: "it's" });
    expect(JSON.parse(stdout)).not.toHaveProperty('total');
    expect(printed).not.toContain('--file');
  });

  it('asks whether a yes or no is meant as the order ID', async () => {
    const { cli } = await startService();
    const { asked } = await cli(['create', ...orderFlags, '--prepaid'], {
      answers: [...noAddress, ...noTotalAndDate, 'y', false, '', true],
    });
    expect(asked).toContain('The order would have the ID "y". Is it right?');
  });

  it('prints what was typed when nothing is created', async () => {
    const { cli, sandbox } = await startService();
    const typed = ['99112233', 'TEA-1', '2', '', ...noAddress, 'yes'];
    const left = await cli(['create'], { answers: [...typed, { leave: true }] });
    expect(left.stderr).toContain(
      '  merchant-orders create --phone 99112233 --item sku=TEA-1,quantity:=2 --set collectionMode=COLLECT\n',
    );
    expect(left.exitCode).toBe(130);
    const declined = await cli(['create'], {
      answers: [...typed, '5000', ...noTotalAndDate, 'UB-7', false, 'none'],
    });
    expect(declined.stderr).toContain(
      'create --external-order-id UB-7 --phone 99112233 --item sku=TEA-1,quantity:=2 --collect 5000\n',
    );
    expect(declined.stderr).toContain('Nothing was sent.');
    expect(declined.exitCode).toBe(2);
    expect((await admin(sandbox).get('/ledger')).json.orders).toEqual([]);
  });
});
