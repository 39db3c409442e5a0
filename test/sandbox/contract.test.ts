import { describe, expect, it } from 'vitest';
import { caseFile } from './contract/case-shape.ts';
import { differences } from './contract/differences.ts';
import { otherChoices } from './contract/other-choices.ts';
import { readCaseFiles, readSentenceList, type SentenceList } from './contract/read-cases.ts';
import { runCase } from './contract/run-case.ts';

const files = readCaseFiles();

for (const { section, cases } of files) {
  describe(section, () => {
    for (const contractCase of cases) {
      it(contractCase.name, async () => {
        expect(await runCase(contractCase, {})).toEqual([]);
      });
    }
  });
}

describe('with other choices for all that the document leaves open', () => {
  for (const { section, cases } of files) {
    for (const contractCase of cases.filter(({ given }) => given?.timeZone === undefined)) {
      it(`${section} › ${contractCase.name}`, async () => {
        expect(await runCase(contractCase, otherChoices)).toEqual([]);
      });
    }
  }
});

describe('the list of sentences in fixtures/contract/README.md', () => {
  it('lists exactly the sentences with cases, and their cases', () => {
    const list: SentenceList = {};
    for (const { section, cases } of files) {
      const sentences: Record<string, string[]> = {};
      for (const { sentence, name } of cases) sentences[sentence] = [...(sentences[sentence] ?? []), name];
      list[section] = sentences;
    }
    expect(readSentenceList()).toEqual(list);
  });

  it('lists each sentence under its section, and each case name once', () => {
    for (const { fileName, section, cases } of files) {
      const [number = '', ...words] = section.toLowerCase().split(/[^a-z\d.]+/);
      expect(fileName).toBe(`section-${[number.replace('.', '-'), ...words].join('-')}.json`);
      expect(cases.filter(({ sentence }) => !sentence.startsWith(`${number}.`))).toEqual([]);
      expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
    }
  });
});

describe('a mistyped case', () => {
  const step = { request: { method: 'GET', path: '/' }, expect: { status: '4xx' } };
  const good = { sentence: '1.1 It is so.', name: 'it is so', steps: [step], after: { newOrders: 0 } };
  const withStep = (more: object) => ({ ...good, steps: [{ ...step, ...more }] });
  const order = { as: 'first', order: {} };
  const parse = (contractCase: unknown) => caseFile.safeParse({ section: '1 So', cases: [contractCase] });

  it('differs from a valid one', () => {
    expect(parse(good).error).toBeUndefined();
  });

  it.each([
    ['an unknown member', { ...good, runLater: {} }],
    ['an unknown check in after', { ...good, after: { newOrders: 0, newOrder: 1 } }],
    ['no check in after', { ...good, after: {} }],
    ['no steps', { ...good, steps: [] }],
    ['a sentence without a number', { ...good, sentence: 'It is so.' }],
    ['an unknown class of status', withStep({ expect: { status: '5xx' } })],
    ['no status', withStep({ expect: { code: 'CODE' } })],
    ['an unknown matcher', withStep({ expect: { status: 200, order: { id: { $match: '.' } } } })],
    ['two matchers', withStep({ expect: { status: 200, order: { id: { $any: true, $not: 1 } } } })],
    ['an invalid pattern', withStep({ expect: { status: 200, order: { id: { $matches: '(' } } } })],
    ['an unknown key', withStep({ request: { ...step.request, key: 'their own' } })],
    ['a GET with a body', withStep({ request: { ...step.request, order: {} } })],
    ['a POST without a body', withStep({ request: { method: 'POST', path: '/' } })],
    [
      'a mistyped $absent',
      { ...good, given: { orders: [{ as: 'first', order: { total: { $abs: true } } }] } },
    ],
    ['an order named twice', { ...good, given: { orders: [order, order] } }],
    ['an order named again by a step', { ...withStep({ as: 'keys' }) }],
    ['a clock in a time zone', { ...good, given: { timeZone: 'America/New_York', deliveries: 'never' } }],
  ])('is invalid: %s', (_, contractCase) => {
    expect(parse(contractCase).success).toBe(false);
  });

  it('fails when it names an unknown order', async () => {
    for (const wrong of [
      withStep({ request: { method: 'GET', path: '/{first.id}' } }),
      withStep({ expect: { status: '4xx', orders: ['first'] } }),
      { ...good, after: { newOrders: 0, unchanged: ['first'] } },
    ]) {
      const parsed = caseFile.parse({ section: '1 So', cases: [wrong] }).cases[0];
      await expect(parsed && runCase(parsed, {})).rejects.toThrow('called "first"');
    }
  });
});

describe('matchers', () => {
  it.each([
    [{ a: 1, b: 2 }, { a: 1 }],
    ['ORD-1', { $matches: '^ORD-\\d$' }],
    [{}, { a: { $absent: true } }],
    [{ a: null }, { a: { $any: true } }],
    [null, { $objectOrNull: true }],
    [{ id: 1 }, { $objectOrNull: true }],
    [undefined, { $oneOf: ['a', { $absent: true }] }],
    ['b', { $not: 'a' }],
    [
      ['a', { b: 1, c: 2 }],
      ['a', { b: 1 }],
    ],
  ])('match %j with %j', (actual, expected) => {
    expect(differences(actual, expected, 'it')).toEqual([]);
  });

  it.each([
    [{ a: '1' }, { a: 1 }],
    [{}, { a: null }],
    [{}, { toString: { $any: true } }],
    [null, { a: { $absent: true } }],
    ['ORD-x', { $matches: '^ORD-\\d$' }],
    [7, { $matches: '7' }],
    [{ a: null }, { a: { $absent: true } }],
    [{}, { a: { $any: true } }],
    [[], { $objectOrNull: true }],
    ['', { $objectOrNull: true }],
    [undefined, { $objectOrNull: true }],
    ['c', { $oneOf: ['a', 'b'] }],
    ['a', { $not: 'a' }],
    [undefined, { $not: 'a' }],
    [['a', 'b'], ['a']],
    ['a', ['a']],
  ])('do not match %j with %j', (actual, expected) => {
    expect(differences(actual, expected, 'it')).toHaveLength(1);
  });
});
