import { expect, test } from 'vitest';
import { readCount } from '../src/commands/create/items.ts';
import { readAmount } from '../src/commands/create/typed-values.ts';
import { roleOfHeader } from '../src/import/columns/header-roles.ts';
import { bind } from '../src/import/mapping/bind.ts';
import { readDate } from '../src/import/words/dates.ts';
import { createDecimalsCheck, readMoney } from '../src/import/words/money.ts';
import { readTypedDate } from '../src/import/words/typed-date.ts';
import { verdict } from '../src/import/words/verdict.ts';
import { parseLineSpec } from '../src/orders/assignment.ts';
import { amountOf, isSameAmount } from '../src/orders/decimal.ts';
import { foldExternalId } from '../src/orders/order-reference.ts';
import { isMaskedPhone } from '../src/orders/phone.ts';
import { readYesNo } from '../src/words/yes-no.ts';

const mebibyte = 1024 * 1024;
const fill = (text: string) => text.repeat(mebibyte / text.length);

/** With twice the text in four times the time, each of these would take longer than any test may. */
test.each<[string, () => unknown, unknown]>([
  ['zeros in a total', () => isSameAmount(`${fill('0')}x`, '0'), false],
  ['zeros inside a fraction', () => amountOf(`0.${fill('0')}1`).length, mebibyte + 3],
  ['separators in an amount', () => isSameAmount(`1${fill(',000')}x`, '1'), false],
  ['spaces in an amount with a currency', () => isSameAmount(`1${fill(' ')}1 MNT`, '1'), false],
  ['digits of a masked phone', () => isMaskedPhone(fill('1*'), '99112233'), false],
  ['zeros in an ID', () => foldExternalId(`${fill('0')}x`).length, mebibyte + 1],
  ['spaces in an amount', () => readMoney(`1${fill(' ')}1`), undefined],
  ['thousands of an amount', () => readMoney(`1${fill(',000')}x`), undefined],
  [
    'an amount with three decimals',
    () => {
      const check = createDecimalsCheck<number, number>();
      check.add(0, `1${fill('000')}.000`);
      check.add(0, '45.000', 0);
      return check.unclear().length;
    },
    1,
  ],
  ['spaces in a date', () => readDate(`${fill(' ')}x`, 'ymd', '2026-11-22'), undefined],
  ['spaces in a note', () => verdict('note', `1${fill('1 ')}x`), 'unknown'],
  ['words that begin a method', () => verdict('payment_method', fill('cash ')), 'unknown'],
  ['words of a state', () => verdict('payment_status', fill('a ')), 'unknown'],
  ['a state before a method of many words', () => verdict('payment_status', `paid ${fill('a ')}`), 'unclear'],
  ['spaces in a typed amount', () => typeof readAmount(`1${fill(' ')}!`), 'object'],
  ['numbers in a typed date', () => typeof readTypedDate(fill('1/'), '2026-11-22'), 'object'],
  ['words of a typed count', () => readCount(fill('2 x ')), undefined],
  ['letters of a yes or no', () => readYesNo(`${fill('v')}x`), undefined],
  ['spaces in an item', () => parseLineSpec(`A${fill(' ')}x`).length, 1],
  ['parts of a header', () => roleOfHeader(`Address/${fill('a/')}`), undefined],
  [
    'brackets in a header',
    () => bind({ row: 1, line: 1, cells: ['externalOrderId', fill('(')] }, {}).rest.length,
    1,
  ],
])('1 MiB: %s', (_, read, expected) => {
  expect(read()).toEqual(expected);
});
