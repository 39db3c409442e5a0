import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startShop } from '../../support/shop.ts';
import { clearInput, closeWindow, ctrlC, enter, type Step } from '../../support/typing.ts';

/** What is wrong is said below the question; it is cleared, and typed again. */
function corrected(question: string, mistakes: readonly [string, string][], answer: string): Step[] {
  let shown = question;
  const steps: Step[] = [];
  for (const [typed, problem] of mistakes) {
    steps.push([shown, `${clearInput}${typed}${enter}`]);
    shown = problem;
  }
  return [...steps, [shown, `${clearInput}${answer}${enter}`]];
}

const notOne: [string, string] = ['TEA-001, COF-001', 'one item at a time'];
const phoneAnswers: Step[] = [
  ...corrected(
    'Phone number of the customer',
    [
      ['', 'enter the phone number'],
      ['9.91E+07', 'spreadsheet replaced'],
      ['99112233 88112233', 'more than one'],
    ],
    '+1 500 555 0006',
  ),
  ['Is it right?', `n${enter}`],
  ['Phone number of the customer', `99112233${enter}`],
];
const itemAnswers: Step[] = [
  ...corrected(
    'of item 1',
    [['', 'at least one item'], notOne, ['TEA-001 2 хайрцаг', 'whole number']],
    'TEA-001',
  ),
  ...corrected(
    'How many?',
    [
      ['0', 'whole number'],
      ['2 кг', 'whole number'],
    ],
    '2ш',
  ),
  ['of item 2', `TEA-002 3 ширхэг${enter}`],
  ...corrected('of item 3', [notOne], ''),
];
const addressAnswers: Step[] = [
  ['city', `Улаанбаатар${enter}`],
  ['district', enter],
  ['street', `Сөүлийн гудамж 12${enter}`],
];
const otherAnswers: Step[] = [
  ['Note for the courier', `Ring twice${enter}`],
  ...corrected(
    'Does the courier collect money?',
    [
      ['', 'answer yes or no'],
      ['у', 'answer yes or no'],
    ],
    'тийм',
  ),
  ...corrected(
    'How much does the courier collect?',
    [
      ['', 'enter the amount'],
      ['a lot', 'not an amount'],
      ['25м', 'not an amount'],
    ],
    'авахгүй',
  ),
  ['Does the courier collect money?', `25к${enter}`],
  ['25,000 ₮?', enter],
  ...corrected('Total of the order', [['25,0000', 'not an amount']], '30 000'),
  ...corrected(
    'Delivery date',
    [
      ['soon', 'not a date'],
      ['2/30', 'does not exist'],
      ['25/12', 'month first: 12/25'],
    ],
    '2020-01-02',
  ),
  ['in the past. Is it right?', `n${enter}`],
  ['Delivery date', `2099 оны 12 сарын 25${enter}`],
  ['days from today. Is it right?', `зөв${enter}`],
];
const idAnswer: Step = ['Your own order ID', `UB-7${enter}`];
const answers = [...phoneAnswers, ...itemAnswers, ...addressAnswers, ...otherAnswers, idAnswer];
const confirmation = 'create for 99112233, 2 items, collect 25,000 ₮?';

const order = {
  externalOrderId: 'UB-7',
  customer: { phone: '99112233' },
  items: [
    { sku: 'TEA-001', quantity: 2 },
    { sku: 'TEA-002', quantity: 3 },
  ],
  collectionMode: 'COLLECT',
  collectionAmount: '25000',
  total: '30000',
  requestedDeliveryDate: '2099-12-25',
  deliveryAddress: { city: 'Улаанбаатар', street: 'Сөүлийн гудамж 12', note: 'Ring twice' },
};

describe.each([60, 80, 120])('create at a terminal of %i columns', (columns) => {
  it('gets the order right after a mistake in every field', async () => {
    const shop = await startShop('--any-sku');
    const { exitCode, remaining, screen } = await shop.type(
      ['create'],
      [
        ...answers,
        [confirmation, `n${enter}`],
        ['What do you want to change?', `${'\u001b[B'.repeat(6)}${enter}`],
        ['Does the courier collect money?', `no${enter}`],
        ['2 items, prepaid?', `n${enter}`],
        ['What do you want to change?', `${'\u001b[B'.repeat(6)}${enter}`],
        ['Does the courier collect money?', `yes${enter}`],
        ['How much does the courier collect?', `25000${enter}`],
        [confirmation, `y${enter}`],
      ],
      columns,
    );
    expect({ exitCode, next: remaining[0], screen: screen.slice(-600) }).toMatchObject({
      exitCode: 0,
      next: undefined,
    });
    expect(await shop.read('UB-7')).toMatchObject(order);
    expect(await shop.orders()).toMatchObject([{ externalOrderId: 'UB-7', commits: 1 }]);
  });
});

it('Ctrl-C at any question creates nothing, and keeps what was typed as a command', async () => {
  const shop = await startShop('--any-sku');
  for (const count of answers.keys()) {
    const [question = ''] = answers[count] ?? [];
    const { exitCode, screen } = await shop.type(['create'], [...answers.slice(0, count), [question, ctrlC]]);
    expect({ count, exitCode }).toEqual({ count, exitCode: 130 });
    expect(screen).toContain('Stopped. Nothing was sent.');
    expect(screen.includes('--phone 99112233')).toBe(count >= phoneAnswers.length);
  }
  expect(await shop.orders()).toEqual([]);
});

it('an order whose window was closed after the last answer is shown when it is typed again', async () => {
  const shop = await startShop('--any-sku', '--latency', '3000');
  const closed = await shop.type(
    ['create'],
    [...answers, [confirmation, `y${enter}`], ['waiting for the service…', closeWindow]],
  );
  expect(closed.remaining).toEqual([]);
  while ((await shop.orders()).length === 0) await setTimeout(50);
  const again = await shop.type(
    ['create'],
    [
      ...answers.slice(0, -1),
      ['Your own order ID', enter],
      ['create another for 99112233', enter],
      ['What do you want to change?', `${'\u001b[B'.repeat(20)}${enter}`],
    ],
  );
  expect(again.screen.replaceAll(/\s+/g, ' ')).toMatch(
    /This customer has an order of (?:a moment|\d+ minutes?) ago: ORD-\d{4}-000001, 30,000 ₮, CONFIRMED\./,
  );
  expect({ exitCode: again.exitCode, remaining: again.remaining }).toEqual({ exitCode: 2, remaining: [] });
  expect(await shop.orders()).toMatchObject([{ externalOrderId: 'UB-7', commits: 1 }]);
});

it.each([
  ['as they are drawn', {}],
  ['in plain form', { ACCESSIBLE: '1' }],
])('answers that are all typed before their questions are all taken: %s', async (_, env) => {
  const shop = await startShop();
  const lines = ['99112233', 'TEA-001', '2', '', '', '', '', '', 'yes', '45,000', '', '', 'UB-9', 'y'];
  const typed = lines.map((line) => line + enter).join('');
  const { screen, exitCode } = await shop.type(['create'], [['Phone number', typed]], 40, env);
  expect({ exitCode, screen }).toMatchObject({ exitCode: 0 });
  expect(await shop.read('UB-9')).toMatchObject({
    customer: { phone: '99112233' },
    items: [{ sku: 'TEA-001', quantity: 2 }],
    collectionAmount: '45000',
  });
});

it('a message of several lines that is pasted fills one answer, and the rest is shown', async () => {
  const shop = await startShop();
  const message = '99112233\rСөүлийн гудамж 12\rTEA-001 2ш\r';
  const { screen, remaining } = await shop.type(
    ['create'],
    [
      ['Phone number', `\u001b[200~${message}\u001b[201~`],
      ['99112233', enter],
      ['of item 1', ctrlC],
    ],
  );
  expect(remaining).toEqual([]);
  expect(screen).toContain('These were not used:\n  Сөүлийн гудамж 12\n  TEA-001 2ш\n');
});
