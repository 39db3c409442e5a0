import { describe, expect, it } from 'vitest';
import { caseFile } from './contract/case-shape.ts';
import { differences } from './contract/differences.ts';
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

it('a case that names an unknown order fails', async () => {
  const step = { request: { method: 'GET', path: '/' }, expect: { status: '4xx' } };
  const good = { sentence: '1.1 It is so.', name: 'it is so', steps: [step], after: { newOrders: 0 } };
  for (const wrong of [
    { ...good, steps: [{ ...step, request: { method: 'GET', path: '/{first.id}' } }] },
    { ...good, steps: [{ ...step, expect: { status: '4xx', orders: ['first'] } }] },
    { ...good, after: { newOrders: 0, unchanged: ['first'] } },
  ]) {
    const parsed = caseFile.parse({ section: '1 So', cases: [wrong] }).cases[0];
    await expect(parsed && runCase(parsed, {})).rejects.toThrow('called "first"');
  }
});

describe('matchers', () => {
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
