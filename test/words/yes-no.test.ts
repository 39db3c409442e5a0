import { describe, expect, it } from 'vitest';
import { type AskedVerb, readYesNo } from '../../src/words/yes-no.ts';

describe('an answer to a yes/no question', () => {
  it.each([
    ...['y', 'Y', 'yes', 'YES', 'ok', 'тийм', 'Тийм.', 'тиймээ', 'тийм ээ', 'т', 'ок', 'болно', 'зөв', 'мөн'],
    ...['tiim', 'tiimee', 'tim', 't', 'bolno', 'zuv', 'zov', 'zuw', 'mun', 'тиим', 'тийи', 'да'],
  ])('%s is yes', (text) => {
    expect(readYesNo(text)).toBe(true);
  });

  it.each([
    ...['n', 'N', 'no', 'үгүй', 'үгүй ээ', 'ү', 'Ү', 'биш', 'болохгүй', 'хэрэггүй', 'больё', 'болих'],
    ...['ugui', 'vgvi', 'vgui', 'ugvi', 'ügüi', 'ugu', 'bish', 'bolohgui', 'hereggui', 'bolyo'],
    ...['угуй', 'үгуй', 'угүй', 'їгїй', 'нет'],
  ])('%s is no', (text) => {
    expect(readYesNo(text)).toBe(false);
  });

  it.each([
    ...['у', 'У', 'уу', 'u', 'v', 'o', 'н', 'за', 'zaa', 'зүгээр', 'zvgeer', 'мэдэхгүй', 'mon', 'maybe'],
    ...['y/n', '1', '0', '25000', 'yes no', 'авна', 'цуцал', 'үүсгэ', 'буруу', ''],
  ])('%s is asked again', (text) => {
    expect(readYesNo(text)).toBeUndefined();
  });

  it.each<[AskedVerb, string, boolean | undefined]>([
    ['collect', 'авна', true],
    ['collect', 'авна аа', true],
    ['collect', 'awna', true],
    ['collect', 'avah', true],
    ['collect', 'авахгүй', false],
    ['collect', 'avahgui', false],
    ['collect', 'awahgvi', false],
    ['collect', 'тийм', true],
    ['collect', 'төлсөн', undefined],
    ['collect', 'тооцоотой', undefined],
    ['create', 'үүсгэ', true],
    ['create', 'үүсгэнэ', true],
    ['create', 'vvsge', true],
    ['create', 'uusgehgui', false],
    ['create', 'цуцал', false],
    ['create', 'цуцална', false],
    ['create', 'авна', undefined],
    ['create', 'ү', false],
    ['create', 'у', undefined],
    ['cancel', 'цуцал', true],
    ['cancel', 'cucal', true],
    ['cancel', 'tsutslah', true],
    ['cancel', 'цуцлахгүй', false],
    ['cancel', 'tsutslahgui', false],
    ['cancel', 'больё', false],
    ['cancel', 'cancel', undefined],
    ['cancel', 'үүсгэ', undefined],
    ['correct', 'зөв байна', true],
    ['correct', 'zuv', true],
    ['correct', 'буруу', false],
    ['correct', 'buruu', false],
    ['correct', 'цуцал', undefined],
  ])('when the verb is %s, %s is %s', (verb, text, expected) => {
    expect(readYesNo(text, verb)).toBe(expected);
  });
});
