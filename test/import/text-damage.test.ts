import { describe, expect, it } from 'vitest';
import { findDamage } from '../../src/import/text-damage.ts';

/** UTF-8 text decoded with the wrong encoding. */
const misread = (text: string, encoding: string) => new TextDecoder(encoding).decode(Buffer.from(text));

describe('findDamage', () => {
  it.each([
    ['#REF!', 'spreadsheet_error'],
    ['#N/A', 'spreadsheet_error'],
    ['#name?', 'spreadsheet_error'],
    ['########', 'spreadsheet_error'],
    ['*****', 'value_hidden'],
    ['* * *', 'value_hidden'],
    ['•••', 'value_hidden'],
    ['Peace Avenue *****', 'value_hidden'],
    ['1.01E+15', 'number_damaged'],
    ['4,5e+12', 'number_damaged'],
    ['?рг?? гудамж', 'text_damaged'],
    ['Д?р?? гол', 'text_damaged'],
    ['У?ДЭН', 'text_damaged'],
    ['?вс', 'text_damaged'],
    ['дом\uFFFD', 'text_damaged'],
    ['N\uFFFDmero', 'text_damaged'],
    ...['#CALC!', '#GETTING_DATA', '#ЗНАЧ!', '#Н/Д', '#ИМЯ?', 'Err:502'].map((text) => [
      text,
      'spreadsheet_error',
    ]),
    ...['windows-1251', 'windows-1252'].map((encoding) => [misread('Улаанбаатар', encoding), 'text_damaged']),
    [misread('Хүү', 'windows-1251'), 'text_damaged'],
    [`12, ${misread('Дархан сум', 'windows-1252')} 4`, 'text_damaged'],
  ])('%s: %s', (text, code) => {
    expect(findDamage(text)?.code).toBe(code);
  });

  it.each([
    '',
    'TEA-001',
    '#1013',
    '12E5',
    'E+07',
    'Юу вэ?',
    'бэ?Би ирлээ',
    'Is it?',
    'a?b',
    '?',
    '??',
    'ирсэн үү? тийм',
    'СЁ',
    'ТЁЛӨГ ҮҮ',
    'Р°С',
    'Ðorđe Ñandú',
    'ЁЁЁ',
    'РСТ № 5… ТУ-5',
    '#NEW',
    'Err: none',
    'УІІ ТІІ',
    '5 * 3',
    '** хөнгөлөлт **',
    '*',
    'дөрөв**',
    '#',
    'C#',
    'N/A',
    '-',
    'Өргөө',
    '1.5E',
    '2E-3',
  ])('%s is not damaged', (text) => {
    expect(findDamage(text)).toBeUndefined();
  });
});
